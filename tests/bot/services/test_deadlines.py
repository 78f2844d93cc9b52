import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pydantic import SecretStr

from bot.config import Settings
from bot.domain.errors import Refused
from bot.domain.table import Status, Table
from bot.services import away, deadlines
from bot.services.core import Person
from highscore import TakeDice, TurnOrder, errors, list_decisions
from tests.bot.cores import EVE, game_of, opened
from tests.bot.databases import empty_sqlite
from tests.bot.services.clocked import Clocked
from tests.bot.ui.tables import ORDERS

SECOND = timedelta(seconds=1)


async def test_in_rulebook_order_the_house_plays_a_turn_whose_time_is_up(play: Clocked) -> None:
    table = await play.begin(3)
    slow = game_of(table).to_play[0]
    assert table.timing.remind_at == play.now + timedelta(minutes=20)
    assert table.timing.deadline == play.now + timedelta(minutes=40)
    assert await play.wait_until(table.timing.deadline - SECOND) == replace(table, timing=(await play.table()).timing)
    after = await play.wait(seconds=1)
    assert [(turn.seat, turn.by_house) for turn in game_of(after).played] == [(slow, True)]
    assert after.timing.deadline == play.now + timedelta(minutes=40)
    assert await play.remarks() == [f"the time of seat {slow} was up"]


async def test_in_open_order_the_house_plays_for_everybody_who_has_let_the_round_pass(play: Clocked) -> None:
    await play.begin(3, TurnOrder.OPEN)
    table = await play.turn(1)
    assert table.timing.deadline is not None
    assert game_of(await play.wait_until(table.timing.deadline - SECOND)).round == 1
    after = await play.wait(seconds=1)
    assert game_of(after).round == 2
    turns = {turn.seat: turn.by_house for turn in game_of(after).finished[0].turns}
    assert (turns, next(iter(turns))) == ({0: True, 1: False, 2: True}, 1)
    assert after.timing.deadline == play.now + timedelta(hours=2)


async def test_dice_held_for_too_long_are_played_by_the_house_and_free_for_the_next(play: Clocked) -> None:
    await play.begin(3, TurnOrder.OPEN)
    table = await play.decide(1, TakeDice())
    hold = table.timing.hold_deadline
    assert hold == play.now + timedelta(minutes=15)
    with pytest.raises(errors.NotYourTurn):
        await play.decide(2, TakeDice())
    assert (await play.wait_until(hold - SECOND)).version == table.version
    after = await play.wait(seconds=1)
    assert [(turn.seat, turn.by_house) for turn in game_of(after).played] == [(1, True)]
    assert after.timing.deadline == table.timing.deadline
    with pytest.raises(errors.NotYourTurn, match="already"):
        await play.decide(1, TakeDice())
    await play.turn(2)


async def absent(play: Clocked) -> Table:
    """Return a game in which seat 0 plays and seat 1 lets its time pass until the house keeps it."""
    table = await play.begin(2, TurnOrder.OPEN)
    while table.seats[1].house is None:
        if table.timing.asleep_until is not None:
            table = await play.press(0)
        game = game_of(table)
        plays = 0 in game.may_act and (game.seat is not None or 0 in game.to_play)
        table = await play.turn(0) if plays else await play.miss()
    return table


async def test_after_two_missed_turns_in_a_row_the_house_keeps_the_seat(play: Clocked) -> None:
    table = await absent(play)
    played = [*(turn for ended in game_of(table).finished for turn in ended.turns), *game_of(table).played]
    assert [turn.by_house for turn in played if turn.seat == 1] == [True, True]
    assert (table.seats[1].misses, table.seats[1].present) == (2, True)


@pytest.mark.parametrize("order", ORDERS)
async def test_where_nobody_comes_each_turn_is_played_once_and_then_the_table_sleeps(
    play: Clocked, order: TurnOrder
) -> None:
    await play.begin(3, order)
    table = await play.wait(days=13)
    assert [turn.by_house for turn in game_of(table).finished[0].turns] == [True] * 3
    assert (game_of(table).round, game_of(table).played, table.timing.deadline) == (2, (), None)
    assert (await play.wait(days=2)).status is Status.ABANDONED
    await play.check_replay()


@pytest.mark.parametrize("order", ORDERS)
async def test_nobody_is_played_for_while_nobody_else_waits(play: Clocked, order: TurnOrder) -> None:
    table = await play.begin(1, order, house=1)
    if table.timing.deadline is None:
        table = await play.wait(minutes=5)
    due = table.timing.deadline
    assert due is not None
    shown = (await play.wait_until(due - timedelta(seconds=1))).version
    table = await play.wait_until(due)
    assert 0 not in [turn.seat for turn in game_of(table).played]
    assert table.timing.asleep_until == play.now + timedelta(days=14)
    assert table.timing.wake_at == table.timing.asleep_until
    assert table.version == shown + 1, "it says so only where its picture is drawn anew"


@pytest.mark.parametrize("order", ORDERS)
async def test_a_press_of_any_player_wakes_the_table_with_fresh_times(play: Clocked, order: TurnOrder) -> None:
    await play.begin(3, order)
    asleep = await play.wait(days=3)
    slow = game_of(asleep).to_play[0]
    with pytest.raises(Refused, match="not playing"):
        await away.wake_table(play.core, asleep.id, EVE)
    table = await play.press((slow + 1) % 3)
    assert (table.timing.asleep_until, table.version) == (None, asleep.version + 1)
    assert table.timing.deadline == play.now + timedelta(seconds=table.options.allowed_seconds)
    assert table.timing.remind_at is None, "they were reminded of this turn or round before"
    # One person waits: for the others, and nobody for them.
    after = await play.wait(days=1)
    turns = [turn.seat for turn in game_of(after).played]
    assert slow in turns
    assert (slow + 1) % 3 not in turns
    assert after.timing.asleep_until is not None


@asynccontextmanager
async def _random_table(settings: Settings, chance: random.Random) -> AsyncIterator[Clocked]:
    async with opened(settings) as core:
        play = Clocked(core)
        await play.begin(chance.randint(2, 4), chance.choice(ORDERS), house=chance.choice((0, 0, 1)))
        yield play


async def _somebody_presses(play: Clocked, chance: random.Random) -> None:
    """Let a person decide, wait, or leave for good, now and then."""
    table = await play.table()
    game, people = game_of(table), [at for at, seat in enumerate(table.seats) if seat.present]
    on = [at for at in people if at in game.may_act]
    if chance.random() < 0.05 and len(people) > 2:
        await away.leave_game(play.core, table.id, Person(table.seats[people[-1]].user_id or 0, ""))
    elif on and chance.random() < 0.7:
        at = chance.choice(on)
        await play.decide(at, chance.choice(list_decisions(game, at)))
    else:
        await play.press(chance.choice(people))


@hypothesis_settings(max_examples=2)
@given(seed=st.integers(0, 2**32), presses=st.integers(0, 20))
def test_after_the_last_press_at_most_one_more_turn_of_each_seat_is_played_and_one_person_can_end_the_game(
    tmp_path_factory: pytest.TempPathFactory, seed: int, presses: int
) -> None:
    """The house's own players may have a second one: they begin the next round when they have won gold."""
    chance = random.Random(seed)

    async def play_and_go() -> None:
        async with _random_table(_settings(tmp_path_factory), chance) as play:
            for _press in range(presses):
                await _somebody_presses(play, chance)
                if chance.random() < 0.3:
                    await play.wait(hours=chance.choice((0.01, 1, 3, 30)))
            before = await play.table()
            after = await play.wait(days=12)  # after 30 hours at most: less than the 14 days of a sleeping table
            for at, seat in enumerate(before.seats):
                more = game_of(after).count_finished(at) - game_of(before).count_finished(at)
                assert more <= (2 if seat.user_id is None else 1)
            for _step in range(300):
                if not (table := await play.table()).status.open:
                    break
                if 0 in game_of(table).may_act:
                    await play.decide(0, list_decisions(game_of(table), 0)[-1])
                elif table.timing.asleep_until is not None:
                    await play.press(0)
                else:
                    await play.wait_until(table.timing.wake_at)
            assert (await play.table()).status is Status.FINISHED, "however many are absent"

    asyncio.run(play_and_go())


def _settings(folders: pytest.TempPathFactory) -> Settings:
    return Settings(database_url=SecretStr(empty_sqlite(folders.mktemp("games"))))


@pytest.mark.parametrize("late", [0, 20])
async def test_a_deadline_that_passed_while_the_bot_was_down_is_put_off(play: Clocked, late: int) -> None:
    table = await play.begin(2)
    assert table.timing.deadline is not None
    play.now += timedelta(minutes=10)
    assert await deadlines.act_on_due(play.core, table, reachable_since=play.now) == table, (
        "nothing is put off that is still to come"
    )
    play.now = table.timing.deadline + timedelta(seconds=late)
    after = await deadlines.act_on_due(play.core, table, reachable_since=play.now)
    assert (after.game, [seat.misses for seat in after.seats]) == (table.game, [0, 0])
    assert after.timing.deadline == play.now + timedelta(seconds=table.options.allowed_seconds / 4)
    # It is a deadline like any other.
    assert any(seat.misses == 1 for seat in (await play.miss()).seats)


async def test_a_paused_game_is_looked_at_less_and_less_often_and_closed_after_two_weeks(play: Clocked) -> None:
    table = await deadlines.pause_table(play.core, (await play.begin()).id)
    looks = []
    while table.status.open:
        table = await play.wait_until(table.timing.retry_at)
        looks.append(
            (play.now - table.timing.paused_at, table.timing.pause_warnings) if table.timing.paused_at else None
        )
    assert 60 < len(looks) < 100
    assert looks[0] == (timedelta(0), 1), "the host is told at once"
    warned = [look[0] for look in looks if look is not None and look[1] == 2]
    assert timedelta(days=12) <= warned[0] <= timedelta(days=12, hours=6)
    assert table.status is Status.ABANDONED
