"""A bot in a process of its own on the fake Discord: it can be killed at a certain point of a certain request."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.ui.buttons import Verb
from tests.bot.cli.process import running
from tests.discord import TOKEN, Discord, Person, shown_in, until_shown
from tests.discord.calls import Call, When
from tests.discord.state import Channel


@pytest.fixture
def discord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Discord]:
    monkeypatch.chdir(tmp_path)
    with Discord().running() as discord:
        yield discord


@pytest.mark.parametrize("when", list(When))
def test_a_bot_that_is_killed_in_the_middle_of_an_answer_shows_the_move_after_its_start(
    when: When, discord: Discord
) -> None:
    ada, ben = (Person(discord, discord.add_user(name)) for name in ("Ada", "Ben"))
    guild = discord.add_guild("Tavern", [ada.user, ben.user])
    (channel,) = guild.channels.values()
    with running("run", fake=discord, DISCORD_TOKEN=TOKEN, EMOJI="false") as bot:
        discord.do(discord.until_connected())
        discord.do(ada.slash(channel, "highscore new", order="clockwise"))

        async def kill(_call: Call) -> None:
            os.kill(bot.process.pid, signal.SIGKILL)

        discord.hooks.add(when, "POST", "/interactions/*/*/callback", kill)
        table_id, version = press(discord, channel, ben, Verb.JOIN)
        assert bot.process.wait(10) == -signal.SIGKILL
    with closing(sqlite3.connect("data/highscore.sqlite3")) as connection:
        assert connection.execute("select count(*) from seats").fetchone() == (2,)
    with running("run", fake=discord, DISCORD_TOKEN=TOKEN, EMOJI="false"):
        discord.do(discord.until_connected())
        discord.do(until_shown(discord, channel, table_id, version + 1))
        press(discord, channel, ada, Verb.START)
        discord.do(until_shown(discord, channel, table_id, version + 2))
        assert len(shown_in(channel)) == 1
    assert len(discord.hub.identified) == 2


def press(discord: Discord, channel: Channel, person: Person, verb: Verb) -> tuple[str, int]:
    """Press a button of the channel's table; the table and the version that was shown."""
    (look,) = shown_in(channel)
    found = look.press(verb)
    assert found is not None
    discord.do(person.press(look.message, found.custom_id))
    return look.table_id, look.version
