"""A process that is told to stop ends within ten seconds, whatever hangs, and loses nothing that was committed."""

import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.ui.buttons import Verb
from tests.bot.cli.process import SOON, running, scale_stop
from tests.discord import TOKEN, Discord, Person, shown_in

GRACE = 10.0
"""Seconds a stop may take."""
FILE = "data/highscore.sqlite3"


def test_a_database_that_somebody_else_holds_does_not_hold_up_the_stop_and_a_second_signal_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    discord = Discord()
    ada = Person(discord, discord.add_user("Ada"))
    (channel,) = discord.add_guild("Tavern", [ada.user]).channels.values()
    haste = {"bot.store.sqlite._BUSY_MS": 500, **scale_stop(0.1)}
    with discord.running(), running("run", fake=discord, constants=haste, DISCORD_TOKEN=TOKEN) as bot:
        discord.do(discord.until_connected())
        discord.do(ada.slash(channel, "highscore new", house=1))
        (look,) = shown_in(channel)
        press = look.press(Verb.START)
        assert press is not None

        async def begin_press() -> None:
            ada.begin_press(look.message, press.custom_id)

        with closing(sqlite3.connect(FILE, isolation_level=None)) as other:
            other.execute("begin immediate")
            discord.do(begin_press())
            bot.send_signal(signal.SIGINT)
            time.sleep(0.2)
            # The phases of its stop take a tenth of their time; the rest is for a busy machine.
            assert bot.end(signal.SIGTERM, within=6 * GRACE) in (0, 1)
            other.execute("rollback")
    with closing(sqlite3.connect(FILE)) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
        assert connection.execute("select version from games").fetchone() == (look.version,), "not done, so not told"


PROGRAM = """
import asyncio, time
import bot.cli.common

async def work():
    try:
        print("working", flush=True)
        await asyncio.sleep(3600)
    finally:
        {ending}

bot.cli.common.run_until_stopped(work())
print("after", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_stopped_finishes_in_order(number: signal.Signals) -> None:
    with running(program=PROGRAM.format(ending="await asyncio.sleep(0.1); print('put away', flush=True)")) as program:
        program.wait_for("working")
        assert program.end(number, within=SOON) == 0
    assert program.output == "working\nput away\nafter\n"


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
    with running(program=PROGRAM.format(ending=hang), constants={"bot.shutdown.KILLED_AFTER": 0.1}) as program:
        program.wait_for("working")
        assert program.end(signal.SIGTERM, within=6 * GRACE) == 1
    assert "Timeout (0:00:00.100000)!" in program.output
    assert "most recent call first" in program.output
