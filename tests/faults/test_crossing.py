"""Answers that overtake each other: in the end the channel shows the newest picture."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import bot.cogs.turn
from bot.domain.table import Table
from bot.services.turn import decide
from bot.ui.buttons import Press, Verb
from highscore.cards import RollType
from tests.bot.decks import Cards, with_cards
from tests.bot.server import Server
from tests.faults.tools import delayed_answers
from tests.simulation import Click, click

pytestmark = pytest.mark.only_sqlite("answers cross, not transactions")

LATER = 2.5
"""Seconds; Discord takes an answer within three."""


async def test_two_joins_whose_answers_cross_end_with_both_names(server: Server) -> None:
    table = await server.seat(1)
    join = Press(Verb.JOIN, table.id, table.version).custom_id
    with delayed_answers([LATER, 0]):
        for member in server.members[1:3]:
            await click(server.env, server.channel, Click(member, server.shown.id, join))
        await server.env.advance_time(LATER)
    after = await server.table()
    assert [seat.name for seat in after.seats] == ["Ada", "Ben", "Cem"]
    assert not after.owed
    shown = str(server.shown.embeds[0].to_dict())
    assert all(seat.name in shown for seat in after.seats)


async def test_a_picked_die_that_comes_after_the_roll_does_not_hide_it(server: Server) -> None:
    with_cards(server, Cards.of(RollType.ANY_THREE))
    table = await server.begin_turn(2)
    player = server.on_turn(table)
    toggle = Press(Verb.TOGGLE, table.id, table.version, 1).custom_id
    roll = Press(Verb.ROLL, table.id, table.version, 2).custom_id
    with delayed_answers([LATER, 0]):
        for custom_id in (toggle, roll):
            await click(server.env, server.channel, Click(player, server.shown.id, custom_id))
        await server.env.advance_time(LATER)
    after = await server.table()
    assert after.version == table.version + 1
    assert {str(button.custom_id).split(":")[3] for button in server.buttons()} == {str(after.version)}
    assert not after.owed


async def test_a_picked_die_that_comes_after_the_turn_leaves_no_buttons(server: Server) -> None:
    with_cards(server, Cards.of(RollType.ANY_THREE))
    table = await server.begin_turn(2)
    player, message = server.on_turn(table), server.shown
    toggle = Press(Verb.TOGGLE, table.id, table.version, 1).custom_id
    with delayed_answers([LATER, 0]):
        for custom_id in (toggle, await server.end_turn()):
            await click(server.env, server.channel, Click(player, message.id, custom_id))
        await server.env.advance_time(LATER)
    after = await server.table()
    assert after.version == table.version + 1
    assert after.message_id == server.shown.id != message.id
    assert message.id not in [each.id for each in server.messages], "a turn that is over leaves nothing behind"


async def test_a_picked_die_that_comes_after_the_round_leaves_its_record_as_it_is(server: Server) -> None:
    with_cards(server, Cards.of(RollType.ANY_THREE))
    await server.begin_turn(2)
    await server.send(server.on_turn(await server.table()), await server.end_turn())
    table = await server.table()
    await server.press(server.on_turn(table), Verb.TAKE)
    table, message = await server.table(), server.shown
    toggle = Press(Verb.TOGGLE, table.id, table.version, 1).custom_id
    player = server.on_turn(table)
    with delayed_answers([LATER, 0]):
        for custom_id in (toggle, await server.end_turn()):
            await click(server.env, server.channel, Click(player, message.id, custom_id))
        await server.env.advance_time(LATER)
    after = await server.table()
    assert after.log == (message.id,)
    record = server.message(message.id)
    assert str(record.embeds[0].title).startswith("Round 1 of 7 · ")
    assert not record.components
    assert server.verbs() & {Verb.TAKE}


async def test_a_roll_that_is_answered_after_its_round_leaves_the_record_as_it_is(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot was busy between the commit and the answer: what it would show is older than what the message is now."""
    with_cards(server, Cards.of(RollType.ANY_THREE))
    await server.begin_turn(2)
    await server.send(server.on_turn(await server.table()), await server.end_turn())
    table = await server.table()
    await server.press(server.on_turn(table), Verb.TAKE)
    table, message = await server.table(), server.shown
    player, busy = server.on_turn(table), [LATER, 0.0]

    async def decide_and_wait(*arguments: Any, **options: Any) -> Table:
        rolled = await decide(*arguments, **options)
        await asyncio.sleep(busy.pop(0))
        return rolled

    monkeypatch.setattr(bot.cogs.turn, "decide", decide_and_wait)
    roll = Press(Verb.ROLL, table.id, table.version, 1).custom_id
    stop = Press(Verb.STOP, table.id, table.version + 1).custom_id
    for custom_id in (roll, stop):
        await click(server.env, server.channel, Click(player, message.id, custom_id))
    record = server.message(message.id)
    assert str(record.embeds[0].title).startswith("Round 1 of 7 · ")
    before = [embed.to_dict() for embed in record.embeds]
    await server.env.advance_time(LATER)
    assert busy == []
    after = await server.table()
    assert (after.version, after.log, after.owed) == (table.version + 2, (message.id,), False)
    record = server.message(message.id)
    assert ([embed.to_dict() for embed in record.embeds], record.components) == (before, [])
    assert server.verbs() & {Verb.TAKE}


async def test_an_answer_that_takes_longer_than_discord_waits_is_shown_another_way(server: Server) -> None:
    table = await server.begin(2)
    with delayed_answers([4.0]):
        await click(
            server.env,
            server.channel,
            Click(server.on_turn(table), server.shown.id, Press(Verb.TAKE, table.id, table.version).custom_id),
        )
        await server.env.advance_time(4.0)
    after = await server.table()
    assert after.version == table.version + 1
    assert not after.owed
    assert (await server.end_turn()).split(":")[3] == str(after.version)
