"""Somebody who sends more than anybody can play is slowed down, kindly, and nobody else is."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord import InteractionResult, MemberActor

from bot.config import Settings
from bot.discord_api.rate_limit import COMMAND_SECONDS, QUIET_SECONDS, REMEMBERED, RateLimit
from bot.observing.metrics import Metrics
from bot.ui.buttons import TablePress, Verb
from tests import simulation
from tests.bot.databases import everything
from tests.bot.server import Server, private, serve
from tests.simulation import Click

PRESSES, COMMANDS = 8, 4
"""Fewer than where nothing is set: what is reached is the same."""
SLOW = "faster than the dice"


class Watch:
    """A clock that runs when it is told to."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
async def server(settings: Settings, watch: Watch) -> AsyncIterator[Server]:
    """Serve the bot with limits that are soon reached."""
    async with serve(settings) as running:
        running.bot.dispatcher.rate_limit = RateLimit(
            PRESSES, COMMANDS, running.bot.core.now, running.bot.metrics, watch
        )
        yield running


def told(results: list[InteractionResult]) -> list[str]:
    return [private(result) for result in results if result.response is not None and result.response.ephemeral]


async def hammer(server: Server, member: MemberActor, custom_id: str, times: int) -> list[InteractionResult]:
    press = Click(member, server.shown.id, custom_id)
    return await simulation.click_together(server.env, server.channel, [press] * times)


async def command_often(server: Server, member: MemberActor, name: str, times: int) -> list[InteractionResult]:
    return await simulation.slash_together(server.channel, [member] * times, f"highscore {name}")


def press_of(user_id: int) -> Any:
    """Make a press of which only the person is looked at."""
    return SimpleNamespace(type=discord.InteractionType.component, user=SimpleNamespace(id=user_id))


async def test_a_hand_that_hammers_on_buttons_is_not_slowed_down(watch: Watch) -> None:
    """The limits are those of the default settings: eight presses a second for six seconds."""
    presses, commands = (Settings.model_fields[f"{each}_limit"].default for each in ("press", "command"))
    limit = RateLimit(presses, commands, lambda: datetime.now(UTC), Metrics(), watch)
    for _ in range(48):
        assert await limit.admits(press_of(1))
        watch.at += 0.125


async def test_whoever_presses_like_a_program_is_told_once_and_nothing_comes_of_it(
    server: Server, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await server.begin(2)
    spectator = server.members[4]
    take = TablePress(Verb.TAKE, table.id, table.version).custom_id
    with simulation.locales({spectator.id: "de"}, "en-US"):
        results = await hammer(server, spectator, take, PRESSES + 20)
    assert all(result.acknowledged for result in results)
    said = told(results)
    assert len(said) == PRESSES + 1
    assert "schneller, als Würfel rollen" in said[-1]
    asked: list[object] = []
    read = server.bot.core.database.reading

    def counted() -> Any:
        asked.append(None)
        return read()

    with monkeypatch.context() as patch:
        patch.setattr(server.bot.core.database, "reading", counted)
        for verb in (Verb.TAKE, Verb.PROOF, Verb.HINT, Verb.REPORT, Verb.TOGGLE):
            await hammer(server, spectator, TablePress(verb, table.id, table.version).custom_id, 5)
    assert asked == [], "a flood costs no query"
    server.env.inject_error("POST", "*/callback", status=503, times=1)
    watch.at += QUIET_SECONDS
    press = Click(spectator, server.shown.id, take)
    assert not (await simulation.click(server.env, server.channel, press)).acknowledged
    await server.press(server.on_turn(table), Verb.TAKE)
    assert (await server.table()).version == table.version + 1, "the others play on"


async def test_whoever_floods_with_commands_is_told_once_and_can_still_press(server: Server, watch: Watch) -> None:
    await server.slash(server.members[1], "new")
    ada, messages = server.members[0], len(server.messages)
    results = await command_often(server, ada, "help", COMMANDS + 20)
    assert all(result.acknowledged for result in results)
    said = told(results)
    assert len(said) == COMMANDS + 1
    assert sum(SLOW in text for text in said) == 1
    # No answer that says for a quarter of an hour that the bot is thinking.
    assert len(server.channel.history(viewer=ada)) == messages + COMMANDS + 1
    before = everything(server.settings)
    for name in ("new", "daily", "leave"):
        await command_often(server, ada, name, 2)
    assert everything(server.settings) == before
    assert len(server.messages) == messages
    assert "not playing" in private(await server.press(ada, Verb.LEAVE))
    watch.at += COMMAND_SECONDS + 1
    (text,) = told(await command_often(server, ada, "help", 1))
    assert SLOW not in text


async def test_without_limits_nobody_is_slowed_down(watch: Watch) -> None:
    limit = RateLimit(0, 0, lambda: datetime.now(UTC), Metrics(), watch)
    for _ in range(1000):
        assert await limit.admits(press_of(1))
    assert not limit._usages


async def test_only_those_who_were_there_last_are_remembered(watch: Watch) -> None:
    flood = RateLimit(1, 1, lambda: datetime.now(UTC), Metrics(), watch)
    for user_id in range(REMEMBERED + 500):
        assert await flood.admits(press_of(user_id))
    assert len(flood._usages) == REMEMBERED
