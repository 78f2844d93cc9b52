"""The way from every press and command to its answer: one answer, in time, where it belongs."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from discord import app_commands
from simcord import InteractionResult

import bot.discord_api.messages
from bot.cogs.common import Result
from bot.cogs.routes import DIALOGS, ROUTES
from bot.discord_api.messages import PATIENCE, AnswerKind, Interaction
from bot.ui.buttons import Verb, WordDialog
from tests import simulation
from tests.bot.databases import everything
from tests.bot.server import Server, private
from tests.bot.ui.test_buttons import CUSTOM_IDS
from tests.simulation import Click

SLOW = 5.0
"""Seconds a handler takes: longer than Discord waits."""
DISCORD_WAITS = 3.0
GAME = "5f0c9a17e2b4"
OPTIONS: dict[str, dict[str, Any]] = {"history": {"game": GAME}, "me": {"reminders": "none"}}
"""The options of commands that need some."""


def commands(server: Server) -> dict[str, dict[str, Any]]:
    found = [each.name for each in server.bot.tree.walk_commands() if isinstance(each, app_commands.Command)]
    assert len(found) == 16, "Discord allows 25, people less"
    remove = {"table": {"action": "remove", "player": server.members[1]}}
    return {name: (OPTIONS | remove).get(name, {}) for name in found}


async def test_every_handler_that_is_slow_is_deferred_and_answered(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await server.begin(2)
    answer = server.bot.dispatcher.answer
    slow = 0

    async def slowly(interaction: Interaction, kind: AnswerKind, work: Awaitable[Result]) -> BaseException | None:
        nonlocal slow
        slow += 1

        async def delayed() -> Result:
            await asyncio.sleep(SLOW)
            return await work

        return await answer(interaction, kind, work if kind is AnswerKind.MODAL else delayed())

    for answering in (server.bot.dispatcher, server.bot.get_cog("HighScore")):
        monkeypatch.setattr(answering, "answer", slowly)
    env, channel, ada, shown = server.env, server.channel, server.members[0], server.shown.id
    # Its message stays, also when one of the buttons has ended the game.
    dialog = Click(ada, table.opening_id or 0, WordDialog(table.id).custom_id)
    everything_there_is: dict[str, Callable[[], Awaitable[InteractionResult]]] = {
        **{
            prefix: partial(simulation.click, env, channel, Click(ada, shown, custom_id.replace(GAME, table.id)))
            for prefix, custom_id in CUSTOM_IDS.items()
        },
        "dialog": partial(simulation.submit, env, channel, dialog, []),
        **{
            name: partial(ada.slash, channel, f"highscore {name}", **options)
            for name, options in commands(server).items()
        },
        "menu of a user": partial(ada.context_menu, channel, "Statistics", server.members[1]),
        "menu of a message": partial(ada.context_menu, channel, "Report of this game", server.shown),
    }
    results = {name: await act() for name, act in everything_there_is.items()}
    assert slow == len(results)
    modals = {name for name in results if name in ROUTES and ROUTES[name].kind is AnswerKind.MODAL}
    assert {name for name, result in results.items() if result.acknowledged} == modals
    await env.advance_time(DISCORD_WAITS / 2)
    assert [name for name, result in results.items() if not result.acknowledged] == []
    assert [name for name in results.keys() - modals if _answers(server, results[name])] == []
    await env.advance_time(SLOW)
    # Of those that draw the table anew at the same moment the last one does.
    assert {name for name in results.keys() - modals if not _answers(server, results[name])} <= {"hs:wake"}


def _answers(server: Server, result: InteractionResult) -> list[str]:
    token = result._interaction.token
    return [f"{each.method} {each.path}" for each in server.env.http_requests if token in each.path][1:]


async def test_a_button_that_its_message_does_not_carry_changes_nothing_and_is_answered(server: Server) -> None:
    """discord.py leaves such a press alone."""
    table = await server.begin(2)
    image, looks = everything(server.settings), server.looks()
    other = await server.slash(server.members[0], "setup")
    assert other.response is not None
    for custom_id in [*CUSTOM_IDS.values(), server.buttons(Verb.TAKE)[0].custom_id]:
        press = Click(server.on_turn(table), other.response.id, str(custom_id))
        result = await simulation.click(server.env, server.channel, press, carried=False)
        assert "doesn't work here" in private(result)
    assert everything(server.settings) == image
    assert server.looks() == looks


@pytest.mark.parametrize("patience", [PATIENCE, 0.0], ids=["at once", "deferred"])
async def test_a_decision_on_a_message_that_is_gone_is_answered_privately(
    server: Server, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.discord_api.messages, "PATIENCE", patience)
    table = await server.begin_turn(2)
    player, deleted = server.on_turn(table), server.shown
    custom_id = await server.end_turn()
    server.env.backend.delete_message(server.channel.id, deleted.id)
    await server.env.settle()
    result = await simulation.click(server.env, server.channel, Click(player, deleted.id, custom_id))
    assert "The table will appear in a new one" in private(result)
    after = await server.table()
    assert after.version == table.version + 1
    assert not after.is_unshown
    assert after.message_id == server.shown.id != deleted.id
    assert server.buttons()


def test_every_button_has_a_handler() -> None:
    assert set(ROUTES) == set(CUSTOM_IDS)
    assert [prefix for prefix, custom_id in CUSTOM_IDS.items() if not f"{custom_id}:".startswith(f"{prefix}:")] == []
    assert set(DIALOGS) == {"hs:change", "hs:word", "hu:typed"}
