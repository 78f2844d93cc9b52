"""People who let their time pass: the house plays for them, keeps their seat, and gives it back."""

from __future__ import annotations

import pytest
from simcord import MemberActor

from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from tests.bot.server import Server, private
from tests.bot.time.passing import ORDERS, calls, page, play_turn, press, remarks, shown, wait, wait_until
from tests.e2e import watcher


async def miss(server: Server) -> Table:
    """Let the time pass that somebody has."""
    await wait_until(server, (await server.table()).timing.deadline)
    return await server.table()


async def kept(server: Server, order: str = "open") -> tuple[MemberActor, MemberActor]:
    """A game in which the house keeps the seat of one of two players; who is away, and who is there."""
    await server.begin(2, order=order)
    away, there = server.members[1], server.members[0]
    while (table := await server.table()).seats[1].house is None:
        assert table.game is not None
        if 0 in table.game.may_act and (table.game.seat is not None or 0 in table.game.to_play):
            await play_turn(server, there)
        else:
            await miss(server)
    return away, there


async def test_after_one_missed_turn_the_seat_is_still_ones_own(server: Server) -> None:
    await server.begin(2)
    table = await miss(server)
    missed = next(seat for seat in table.seats if seat.misses)
    assert (missed.misses, missed.house) == (1, None)
    assert Verb.BACK not in server.verbs(page(server))


@pytest.mark.parametrize("order", ORDERS)
async def test_after_two_in_a_row_the_house_keeps_the_seat_and_says_so(server: Server, order: str) -> None:
    away, _there = await kept(server, order)
    table = await server.table()
    assert table.seats[1].misses == 2
    assert table.seats[1].present
    assert Verb.BACK in server.verbs(page(server))
    assert "is away" in shown(server)
    assert away.name.capitalize() in shown(server)


async def test_a_turn_played_in_between_begins_the_count_anew(server: Server) -> None:
    await server.begin(2, order="open")
    for _round in range(3):
        await play_turn(server, server.members[0])
        assert (await miss(server)).seats[1].misses == 1
        await play_turn(server, server.members[0])
        await play_turn(server, server.members[1])
        assert (await server.table()).seats[1].misses == 0
    assert (await server.table()).seats[1].house is None


async def test_nobody_waits_for_a_seat_that_the_house_keeps(server: Server) -> None:
    _away, there = await kept(server)
    table = await server.table()
    assert table.game is not None
    played = len(table.game.finished)
    for more in (1, 2):
        await play_turn(server, there)
        await wait(server, minutes=5)
        table = await server.table()
        assert table.game is not None
        assert len(table.game.finished) == played + more


@pytest.mark.parametrize("order", ORDERS)
async def test_the_game_ends_with_everybody_away(server: Server, order: str) -> None:
    table = await server.begin(3, order=order)
    await wait(server, hours=8)
    table = await server.table()
    assert table.status is Status.FINISHED
    state = await watcher.check_replay(server, table)
    assert all(turn.by_house for played in state.finished for turn in played.turns)


async def test_im_back_gives_the_seat_back_in_the_middle_of_the_game(server: Server) -> None:
    away, there = await kept(server)
    await press(server, away, Verb.BACK)
    table = await server.table()
    assert (table.seats[1].house, table.seats[1].misses) == (None, 0)
    assert remarks(server, table)[-1] == "seat 1 is back"
    assert Verb.BACK not in server.verbs(page(server))
    await play_turn(server, there)
    await wait(server, minutes=5)
    table = await server.table()
    assert table.game is not None
    assert 1 in table.game.to_play
    await play_turn(server, away)
    after = await server.table()
    assert after.game is not None
    assert not after.game.finished[-1].turns[-1].by_house


async def test_im_back_works_while_the_house_holds_the_dice(server: Server) -> None:
    away, there = await kept(server, "clockwise")
    table = await server.table()
    while table.game is None or table.game.seat != 1:
        if table.game is not None and 0 in table.game.may_act:
            await play_turn(server, there)
        await wait(server, seconds=31)
        table = await server.table()
    await press(server, away, Verb.BACK)
    table = await server.table()
    assert table.timing.house_at is None
    assert table.timing.deadline is not None
    await play_turn(server, away)


async def test_acting_is_as_good_as_saying_im_back(server: Server) -> None:
    away, _there = await kept(server)
    table = await server.table()
    assert table.game is not None
    assert 1 in table.game.may_act
    await press(server, away, Verb.TAKE)
    table = await server.table()
    assert (table.seats[1].house, table.seats[1].misses) == (None, 0)
    assert table.game is not None
    assert table.game.seat == 1


async def test_nobody_comes_back_for_somebody_else(server: Server) -> None:
    _away, there = await kept(server)
    version = (await server.table()).version
    assert private(await press(server, there, Verb.BACK))
    assert private(await press(server, server.members[4], Verb.BACK))
    table = await server.table()
    assert (table.version, table.seats[1].house is None) == (version, False)


async def test_who_is_away_is_neither_called_nor_reminded(server: Server) -> None:
    away, there = await kept(server)
    before = len(calls(server))
    await play_turn(server, there)
    await wait(server, minutes=5)
    await wait(server, minutes=70)
    assert away.id not in {call.user_id for call in calls(server)[before:]}


async def test_what_the_house_played_for_the_absent_is_marked_and_the_houses_own_turns_are_not(server: Server) -> None:
    await server.seat(1, order="clockwise", house=1)
    await press(server, server.members[0], Verb.START)
    while (table := await server.table()).game is None or not table.game.finished:
        if table.timing.house_at is not None:
            await wait(server, seconds=31)
        else:
            await miss(server)
    assert table.game is not None
    assert {turn.seat: turn.by_house for turn in table.game.finished[0].turns} == {0: True, 1: False}


async def test_a_round_that_only_the_house_still_plays_has_no_deadline(server: Server) -> None:
    await server.seat(1, order="open", house=1)
    await press(server, server.members[0], Verb.START)
    table = await server.table()
    await press(server, server.members[0], Verb.TAKE)
    await play_turn(server, server.members[0])
    table = await server.table()
    assert table.timing.deadline is None
    assert table.timing.house_at is not None
    assert not remarks(server, table)
