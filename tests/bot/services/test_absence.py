from dataclasses import replace

import pytest

from bot.domain.errors import Refused, Stale
from bot.domain.table import Table
from bot.services import cancelling, coaching
from bot.services.away import kick_player, leave_game, skip_turn, take_seat_back
from bot.services.lobby import join_table, send_house_player_off
from bot.store.reminders import mark_sent
from highscore import TakeDice, TurnOrder
from tests.bot.cores import ADA, BEN, CEM, DOT, MOD, begun, game_of, on_turn
from tests.bot.services.clocked import Clocked
from tests.bot.services.test_deadlines import absent
from tests.bot.ui.tables import ORDERS


async def test_who_comes_back_plays_on(play: Clocked) -> None:
    table = await absent(play)
    while 1 not in game_of(table).may_act:  # so that the house is about to play for them
        table = await play.turn(0) if 0 in game_of(table).may_act else await play.wait(seconds=1)
    back = await take_seat_back(play.core, table.id, BEN)
    assert (back.seats[1].house, back.seats[1].misses) == (None, 0)
    assert (await play.remarks())[-1] == "seat 1 is back"
    assert back.timing.house_plays_at is None
    assert back.timing.deadline is not None
    after = await play.turn(1)
    turns = [*(turn for round_ in game_of(after).finished for turn in round_.turns), *game_of(after).played]
    assert not [turn for turn in turns if turn.seat == 1][-1].by_house
    with pytest.raises(Stale):
        await take_seat_back(play.core, table.id, BEN)


@pytest.mark.parametrize("order", ORDERS)
async def test_who_leaves_hands_the_seat_to_the_house_for_good(play: Clocked, order: TurnOrder) -> None:
    table = await play.begin(3, order)
    table = await leave_game(play.core, table.id, BEN)
    assert (table.seats[1].left, table.seats[1].house is not None) == (True, True)
    assert await play.remarks() == ["seat 1 left"]
    for again in (
        take_seat_back(play.core, table.id, BEN),
        leave_game(play.core, table.id, BEN),
        kick_player(play.core, table.id, ADA, BEN.user_id),
        play.decide(1, TakeDice()),
    ):
        with pytest.raises(Refused, match=r"no longer in this game|not sitting"):
            await again
    while not game_of(table).finished:
        people = [seat for seat in game_of(table).may_act if seat != 1]
        table = await play.turn(people[0]) if people else await play.wait(seconds=31)
    assert {turn.seat: turn.by_house for turn in game_of(table).finished[0].turns} == {0: False, 1: True, 2: False}


@pytest.mark.parametrize("order", ORDERS)
async def test_skip_lets_the_house_play_this_turn_now(play: Clocked, order: TurnOrder) -> None:
    table = await play.begin(3, order)
    seat = game_of(table).to_play[0]
    after = await skip_turn(play.core, table.id, MOD)
    assert [(turn.seat, turn.by_house) for turn in game_of(after).played] == [(seat, True)]
    assert await play.remarks() == [f"the turn of seat {seat} was skipped by user {MOD.user_id}"]
    # Nobody is blamed for it.
    assert after.seats[seat].misses == 0


async def until_bens_turn(play: Clocked) -> Table:
    """Let Ada play whenever Ben cannot."""
    while 1 not in game_of(table := await play.table()).may_act:
        await play.turn(0)
    return table


@pytest.mark.parametrize("order", [TurnOrder.CLOCKWISE, TurnOrder.OPEN])
async def test_a_host_skips_and_removes_whoever_is_absent_and_no_rival(play: Clocked, order: TurnOrder) -> None:
    """Six skips at once of somebody who is there were as many turns that they did not make (R9.6)."""
    await play.begin(2, order)
    table = await until_bens_turn(play)
    if order is TurnOrder.OPEN:
        table = await play.turn(0)
    for by in (ADA, replace(ADA, moderator=True)):
        for way in (skip_turn(play.core, table.id, by), kick_player(play.core, table.id, by, BEN.user_id)):
            with pytest.raises(Refused, match="still has time left"):
                await way
    assert await play.table() == table
    assert (await play.miss()).seats[1].misses == 1
    await until_bens_turn(play)
    if order is TurnOrder.OPEN:
        await play.turn(0)
    await skip_turn(play.core, table.id, ADA)
    assert await play.remarks() == ["the time of seat 1 was up", "the turn of seat 1 was skipped by user 1001"]
    await until_bens_turn(play)
    await play.turn(1)
    with pytest.raises(Refused, match="still has time left"):
        await kick_player(play.core, table.id, ADA, BEN.user_id)


@pytest.mark.both_databases
async def test_in_own_pace_a_host_removes_nobody_before_their_reminder(play: Clocked) -> None:
    table = await play.begin(3, TurnOrder.OWN_PACE)
    await play.cards(CEM, 7)
    with pytest.raises(Refused, match="still has time left"):
        await kick_player(play.core, table.id, ADA, BEN.user_id)
    await play.wait_until(table.timing.remind_at)
    for user_id in (BEN.user_id, CEM.user_id):  # Ben's is due, but waits while he plays.
        with pytest.raises(Refused, match="still has time left"):
            await kick_player(play.core, table.id, ADA, user_id)
    await play.core.database.write(mark_sent, table.id, [BEN.user_id], play.now)
    assert (await kick_player(play.core, table.id, ADA, BEN.user_id)).seats[1].left


async def test_kick_in_the_lobby_frees_the_seat_and_leaves_the_game_provable(play: Clocked) -> None:
    table = await play.seat(3)
    table = await kick_player(play.core, table.id, MOD, ADA.user_id)
    assert [seat.user_id for seat in table.seats] == [BEN.user_id, CEM.user_id]
    assert table.host_id == BEN.user_id
    assert await play.remarks() == [f"user {ADA.user_id} was removed by user {MOD.user_id}"]
    await join_table(play.core, table.id, DOT)
    await begun(play.core, table.id, BEN)
    await skip_turn(play.core, table.id, MOD)
    await cancelling.cancel_table(play.core, table.id, MOD)
    await play.check_replay()


async def test_what_is_not_allowed_is_refused_and_changes_nothing(play: Clocked) -> None:
    lobby = await play.seat(2)
    with pytest.raises(Refused, match="not started"):
        await skip_turn(play.core, lobby.id, ADA)
    assert await send_house_player_off(play.core, lobby.id, ADA) == lobby, "there is none"
    table = await begun(play.core, lobby.id)
    for by in (BEN, DOT):
        for moderation in (skip_turn, cancelling.cancel_table):
            with pytest.raises(Refused, match="host"):
                await moderation(play.core, table.id, by)
    for by, whom, reason in ((BEN, ADA, "host"), (ADA, ADA, "leave"), (ADA, DOT, "not sitting")):
        with pytest.raises(Refused, match=reason):
            await kick_player(play.core, table.id, by, whom.user_id)
    for stranger in (leave_game, take_seat_back):
        with pytest.raises(Refused, match="not playing"):
            await stranger(play.core, table.id, DOT)
    with pytest.raises(Refused, match="nothing to decide"):
        await coaching.advise_player(play.core, table, on_turn(table), None)
    assert await play.table() == table
    await cancelling.cancel_table(play.core, table.id, ADA)
    with pytest.raises(Stale):
        await cancelling.cancel_table(play.core, table.id, ADA)
