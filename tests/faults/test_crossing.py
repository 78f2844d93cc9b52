"""Answers that overtake each other: in the end the channel shows the newest picture."""

import asyncio
from typing import Any

import pytest
from simcord import MemberActor

import bot.cogs.turn
from bot.domain.table import Table
from bot.services.turn import decide_turn
from bot.ui.buttons import Press, Verb
from highscore.cards import RollType
from tests.bot.decks import of_type
from tests.bot.server import Server
from tests.simulation import Click, click, delayed_answers, waiting_for_turns

pytestmark = pytest.mark.only_sqlite("answers cross, not transactions")

LATER = 2.5
"""Seconds; Discord takes an answer within three."""


async def cross(server: Server, *presses: tuple[MemberActor, str]) -> Table:
    """Press these on the newest message; the answer to the first arrives last. The table then, which owes nothing."""
    message_id = server.shown.id
    with delayed_answers([LATER, 0]), waiting_for_turns(server.env):
        for member, custom_id in presses:
            await click(server.env, server.channel, Click(member, message_id, custom_id))
        await server.env.advance_time(LATER)
    after = await server.table()
    assert not after.owed
    return after


async def turn(server: Server, number: int) -> Table:
    """Return a table of two in the first round, at the turn with this number, on a card that rolls any dice."""
    server.bot.core.deck = of_type(RollType.ANY_THREE)
    table = await server.begin_turn(2)
    for _turn in range(1, number):
        await server.send(server.on_turn(table), await server.end_turn())
        await server.press(server.on_turn(await server.table()), Verb.TAKE)
        table = await server.table()
    return table


@pytest.mark.parametrize("after", ["the roll", "the turn", "the round"])
async def test_a_picked_die_that_comes_after_something_else_changes_nothing_of_it(server: Server, after: str) -> None:
    table = await turn(server, 2 if after == "the round" else 1)
    player, message = server.on_turn(table), server.shown
    toggle, roll = (Press(verb, table.id, table.version, dice) for verb, dice in ((Verb.TOGGLE, 1), (Verb.ROLL, 2)))
    other = roll.custom_id if after == "the roll" else await server.end_turn()
    now = await cross(server, (player, toggle.custom_id), (player, other))
    assert now.version == table.version + 1
    match after:
        case "the roll":
            assert {str(button.custom_id).split(":")[3] for button in server.buttons()} == {str(now.version)}
        case "the turn":
            assert now.message_id == server.shown.id != message.id
            assert message.id not in [each.id for each in server.messages], "a turn that is over leaves nothing behind"
        case _:
            assert now.log == (message.id,)
            record = server.message(message.id)
            assert record.embeds[0].title == "Round 1 of 7"
            assert not record.components
            assert server.verbs() & {Verb.TAKE}


async def test_a_roll_that_is_answered_after_its_round_leaves_the_record_as_it_is(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot was busy between the commit and the answer: what it would show is older than what the message is now."""
    table, busy = await turn(server, 2), [LATER, 0.0]
    player, message = server.on_turn(table), server.shown

    async def decide_and_wait(*arguments: Any, **options: Any) -> Table:
        rolled = await decide_turn(*arguments, **options)
        await asyncio.sleep(busy.pop(0))
        return rolled

    monkeypatch.setattr(bot.cogs.turn, "decide_turn", decide_and_wait)
    roll = Press(Verb.ROLL, table.id, table.version, 1).custom_id
    stop = Press(Verb.STOP, table.id, table.version + 1).custom_id
    for custom_id in (roll, stop):
        await click(server.env, server.channel, Click(player, message.id, custom_id))
    record = server.message(message.id)
    assert record.embeds[0].title == "Round 1 of 7"
    before = [embed.to_dict() for embed in record.embeds]
    await server.env.advance_time(LATER)
    assert busy == []
    after = await server.table()
    assert (after.version, after.log, after.owed) == (table.version + 2, (message.id,), False)
    record = server.message(message.id)
    assert ([embed.to_dict() for embed in record.embeds], record.components) == (before, [])
    assert server.verbs() & {Verb.TAKE}
