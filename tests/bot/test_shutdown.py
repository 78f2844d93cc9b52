"""A process that is told to stop ends within ten seconds, whatever hangs, and loses nothing that was committed."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.ui.buttons import Verb
from tests.bot.cli.process import running
from tests.discord import TOKEN, Discord, Person, Seen, shown_in
from tests.discord.calls import Call
from tests.discord.state import Channel

GRACE = 10.0
"""Seconds a stop may take."""
FILE = "data/highscore.sqlite3"


@pytest.fixture
def discord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Discord]:
    monkeypatch.chdir(tmp_path)
    with Discord().running() as discord:
        yield discord


@pytest.fixture
def ada(discord: Discord) -> Person:
    return Person(discord, discord.add_user("Ada"))


@pytest.fixture
def channel(discord: Discord, ada: Person) -> Channel:
    (made,) = discord.add_guild("Tavern", [ada.user]).channels.values()
    return made


def opened(discord: Discord, ada: Person, channel: Channel) -> Seen:
    """A table that is being shown."""
    discord.do(discord.until_connected())
    discord.do(ada.slash(channel, "highscore new", house=1))
    (look,) = shown_in(channel)
    return look


def begin_press(discord: Discord, ada: Person, look: Seen, verb: Verb) -> None:
    press = look.press(verb)
    assert press is not None

    async def act() -> None:
        ada.begin_press(look.message, press.custom_id)

    discord.do(act())


def test_a_database_that_somebody_else_holds_does_not_hold_up_the_stop(
    discord: Discord, ada: Person, channel: Channel
) -> None:
    with running("run", fake=discord, DISCORD_TOKEN=TOKEN, EMOJI="false") as bot:
        look = opened(discord, ada, channel)
        with closing(sqlite3.connect(FILE, isolation_level=None)) as other:
            other.execute("begin immediate")
            begin_press(discord, ada, look, Verb.START)
            began = time.monotonic()
            assert bot.end(signal.SIGTERM, within=GRACE) in (0, 1)
            assert time.monotonic() - began < GRACE
            other.execute("rollback")
    with closing(sqlite3.connect(FILE)) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
        assert connection.execute("select version from games").fetchone() == (look.version,), "not done, so not told"


def test_a_second_signal_changes_nothing(discord: Discord, ada: Person, channel: Channel) -> None:
    with running("run", fake=discord, DISCORD_TOKEN=TOKEN, EMOJI="false") as bot:
        look = opened(discord, ada, channel)
        answered = discord.before("POST", "/interactions/*/*/callback", _wait_a_little)
        begin_press(discord, ada, look, Verb.START)
        discord.do(discord.until(lambda: answered.called))
        bot.process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert bot.end(signal.SIGINT, within=GRACE) == 0
    assert "Traceback" not in bot.output
    (shown,) = shown_in(channel)
    assert shown.version == look.version + 1


async def _wait_a_little(_call: Call) -> None:
    await asyncio.sleep(1)


# ------------------------------------------------------------------------------------------------------ the last resort


HANGS = """
import asyncio, threading, time
import bot.cli.common
bot.cli.common.KILLED_AFTER = 0.5

async def work():
    try:
        print("working", flush=True)
        await asyncio.sleep(3600)
    finally:
        {hang}

bot.cli.common.run_until_stopped(work())
"""


@pytest.mark.parametrize(
    "hang",
    [
        "await asyncio.sleep(3600)",
        "time.sleep(3600)",
        "asyncio.get_running_loop().run_in_executor(None, time.sleep, 3600)",
    ],
    ids=["a task", "the whole loop", "a thread"],
)
def test_a_program_that_hangs_all_the_same_is_ended_and_says_where(hang: str) -> None:
    with running(program=HANGS.format(hang=hang)) as program:
        program.wait_for("working")
        began = time.monotonic()
        assert program.end(signal.SIGTERM, within=GRACE) == 1
        assert 0.4 < time.monotonic() - began < 5
    assert "Timeout (0:00:00.500000)!" in program.output
    assert "most recent call first" in program.output
