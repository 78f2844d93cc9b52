"""Answers that overtake each other: in the end the channel shows the newest picture."""

from __future__ import annotations

import pytest

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
    with delayed_answers(server, [LATER, 0]):
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
    with delayed_answers(server, [LATER, 0]):
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
    with delayed_answers(server, [LATER, 0]):
        for custom_id in (toggle, await server.end_turn()):
            await click(server.env, server.channel, Click(player, message.id, custom_id))
        await server.env.advance_time(LATER)
    after = await server.table()
    assert after.version == table.version + 1
    assert after.message_id == server.shown.id != message.id
    assert not server.buttons(message=server.message(message.id))


async def test_an_answer_that_takes_longer_than_discord_waits_is_shown_another_way(server: Server) -> None:
    table = await server.begin(2)
    with delayed_answers(server, [4.0]):
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
