from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

import bot.domain.deadlines
from bot.domain import deadlines
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status, Table
from bot.domain.timing import NO_TIMING, Timing
from bot.services.away import play_due_house_turns
from bot.store.rows import TIMING
from highscore.deck import ROUNDS
from highscore.turn_order import TurnOrder
from tests.bot.cores import game_of
from tests.bot.domain.tables import (
    ALLOWED,
    HOLD,
    HOUSE,
    NOW,
    SETTINGS,
    after,
    make_lobby,
    plan_table,
    play_whole_turn,
    roll_again,
    start_game,
    take_dice,
    timing_of,
    with_timing,
)

OPEN, CLOCKWISE = TurnOrder.OPEN, TurnOrder.CLOCKWISE
BOTH = pytest.mark.parametrize("order", [OPEN, CLOCKWISE])
NIGHT = ServerSettings(quiet_from=time(23), quiet_to=time(8), zone="Europe/Berlin")
REAL_HOUSE_SECONDS = bot.domain.deadlines.HOUSE_SECONDS
LATE = datetime(2026, 6, 1, 20, 30, tzinfo=UTC)
"""Half past ten in the evening in Berlin."""


def plan_span(begun: float) -> Timing:
    """Return the moments of a turn, or a round, that begins after so many seconds."""
    return timing_of(deadline=after(begun + ALLOWED), remind_at=after(begun + ALLOWED / 2))


def plan_house(begun: float) -> Timing:
    """Return the moments of a turn of the house, which moves after a visible pause."""
    return timing_of(house_plays_at=after(begun + bot.domain.deadlines.HOUSE_SECONDS))


def test_a_lobby_closes_a_day_after_it_was_opened_whoever_sits_down() -> None:
    table = plan_table(None, make_lobby())
    assert table.timing == timing_of(deadline=after(24 * 3600))
    assert plan_table(table, replace(table, seats=table.seats[:2]), after(3600)).timing == table.timing


@BOTH
def test_a_started_game_has_a_deadline_and_a_reminder_when_the_server_wants_it(order: TurnOrder) -> None:
    assert start_game(order).timing == plan_span(0)
    assert start_game(order, settings=ServerSettings(remind_percent=75)).timing.remind_at == after(ALLOWED * 0.75)
    assert start_game(order, settings=ServerSettings(remind_percent=0)).timing == timing_of(deadline=after(ALLOWED))


def test_in_rulebook_order_each_turn_has_a_time_of_its_own_and_no_dice_are_held() -> None:
    table = start_game(CLOCKWISE)
    assert take_dice(table, now=after(600)).timing == table.timing
    assert play_whole_turn(table, now=after(600)).timing == plan_span(600)


def test_in_open_order_each_round_has_a_time_of_its_own() -> None:
    table = start_game(OPEN)
    assert play_whole_turn(table, 2, now=after(600)).timing == table.timing
    for seconds in (100, 200, 300):
        table = play_whole_turn(table, now=after(seconds))
    assert table.game is not None
    assert table.game.round == 2
    assert table.timing == plan_span(300)


def test_in_open_order_the_dice_are_held_for_a_while_and_no_longer_than_turn_and_round() -> None:
    table = take_dice(start_game(OPEN), 1, now=after(60))
    assert table.timing.hold_deadline == after(60 + HOLD)
    assert table.timing.wake_at == table.timing.hold_deadline
    looking = plan_table(table, replace(table, version=9), after(120))
    assert looking.timing.hold_deadline == table.timing.hold_deadline
    rolled = roll_again(table, after(120))
    assert rolled.timing.hold_deadline == after(120 + HOLD)
    assert roll_again(rolled, after(ALLOWED - 60)).timing.hold_deadline == rolled.timing.deadline
    assert play_whole_turn(table, now=after(120)).timing.hold_deadline is None
    late = take_dice(start_game(OPEN), 1, now=after(ALLOWED - 60))
    assert late.timing.hold_deadline == late.timing.deadline == after(ALLOWED)


@BOTH
def test_the_house_moves_after_a_visible_pause(order: TurnOrder) -> None:
    drawn = start_game(order, players=4).game
    assert drawn is not None
    table = start_game(order, players=4, house=drawn.may_act[:1])
    assert table.timing.house_plays_at == plan_house(0).house_plays_at
    assert take_dice(table, now=after(60)).timing.house_plays_at == plan_house(60).house_plays_at


def test_where_one_person_plays_the_house_takes_a_second_a_turn_and_at_most_eight_between_two_of_their_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", REAL_HOUSE_SECONDS)
    for person in (0, 3):
        table, now, waited, longest = start_game(CLOCKWISE, 5, [*{*range(5)} - {person}]), NOW, 0, 0
        while not (game := game_of(table)).over:
            if table.timing.house_plays_at is None:
                longest, waited, now = max(longest, waited), 0, now + timedelta(minutes=1)
                table = play_whole_turn(table, now=now)
                continue
            # Each move comes a little late; the next one makes up for that.
            assert table.timing.house_plays_at - now == timedelta(seconds=0.8 if waited else 1)
            waited, now = waited + 1, table.timing.house_plays_at + timedelta(seconds=0.2)
            after_it, _events = play_due_house_turns(table, game)
            assert len(after_it.seats_of_finished_turns) == len(game.seats_of_finished_turns) + 1
            status = Status.FINISHED if after_it.complete else table.status
            table = plan_table(table, replace(table, game=after_it, status=status), now)
        assert 4 <= longest <= 8, "a second each"


def test_who_comes_back_in_an_open_round_gets_what_is_left_of_it_and_no_dice() -> None:
    table = start_game(OPEN)
    kept = plan_table(table, table.with_seat(0, house=HOUSE), after(60))
    assert plan_table(kept, kept.with_seat(0, house=None), after(70)).timing == table.timing
    held = take_dice(table, 1)
    kept = plan_table(held, held.with_seat(1, house=HOUSE), after(60))
    assert (kept.timing.hold_deadline, kept.timing.house_plays_at) == (None, plan_house(60).house_plays_at)


@pytest.mark.parametrize("status", [Status.FINISHED, Status.ABANDONED])
def test_nothing_is_due_at_a_table_that_is_closed(status: Status) -> None:
    table = take_dice(start_game())
    assert plan_table(table, replace(table, status=status)).timing == NO_TIMING
    assert NO_TIMING.wake_at is None


@BOTH
def test_something_is_due_at_every_moment_of_a_game_until_it_is_over(order: TurnOrder) -> None:
    """Or a table would stall: whoever is waited for, a person or the house, there is a moment at which it ends."""
    table = start_game(order, house=(1,))
    turns = 0
    while table.status.open:
        for moment in (table, take_dice(table, now=after(turns))):
            assert moment.timing.wake_at is not None
            assert (deadlines.find_house_seat(moment) is not None) == (moment.timing.house_plays_at is not None)
            assert bool(deadlines.seats_waited_for(moment)) == (moment.timing.deadline is not None)
        turns += 1
        table = play_whole_turn(table, now=after(turns))
    assert turns == ROUNDS * 3
    assert table.timing == NO_TIMING


def test_quiet_hours_stand_between_a_turn_and_its_deadline() -> None:
    table = start_game(now=LATE, settings=NIGHT)
    # Half an hour before the night, the other hour and a half after it; half time half an hour after it.
    assert table.timing.deadline == datetime(2026, 6, 2, 7, 30, tzinfo=UTC)
    assert table.timing.remind_at == datetime(2026, 6, 2, 6, 30, tzinfo=UTC)
    held = take_dice(table, now=LATE + timedelta(minutes=25), settings=NIGHT)
    assert held.timing.hold_deadline == datetime(2026, 6, 2, 6, 10, tzinfo=UTC)


def test_whoever_presses_waits_for_the_turns_from_then_on_and_wakes_the_table() -> None:
    begun = start_game()
    assert deadlines.mark_waiting(begun, 101) == begun, "they wait from the beginning"
    waiting = deadlines.mark_waiting(table := play_whole_turn(begun), 101)
    assert waiting.timing == replace(table.timing, turns_at_last_press=(0, 1, 0))
    assert deadlines.mark_waiting(waiting, 101) == waiting, "a second press changes nothing"
    sleeping = replace(waiting, timing=deadlines.fall_asleep(waiting.timing, NOW))
    assert deadlines.mark_waiting(sleeping, 101).timing == replace(sleeping.timing, asleep_until=None)


def pause_for(table: Table, seconds: float) -> Table:
    return with_timing(table, paused_at=after(seconds), retry_at=after(seconds + 600))


@pytest.mark.parametrize(("order", "late"), [(CLOCKWISE, [0]), (OPEN, [0, 1, 2])])
def test_at_a_table_that_sleeps_the_time_of_those_it_waits_for_has_run_out(order: TurnOrder, late: list[int]) -> None:
    table = start_game(order)
    game = replace(game_of(table), start_seat=0)
    for asleep_until, expected in ((None, []), (after(3600), late)):
        sleeping = with_timing(replace(table, game=game), asleep_until=asleep_until)
        assert [at for at in range(3) if deadlines.has_run_out_of_time(sleeping, at)] == expected


def test_a_game_that_goes_on_has_what_was_left_when_the_clock_stopped() -> None:
    table = pause_for(take_dice(start_game(OPEN), 1), 60)
    assert table.timing.wake_at == after(660), "only the next look is due"
    days = 3 * 24 * 3600
    assert deadlines.resume_timing(table, after(60 + days), SETTINGS) == timing_of(
        deadline=after(days + ALLOWED), hold_deadline=after(days + HOLD), remind_at=after(days + ALLOWED / 2)
    )
    running = start_game()
    assert deadlines.resume_timing(running, after(60), SETTINGS) == running.timing, "it was not paused"


def test_what_was_due_when_the_clock_stopped_gets_some_time_again() -> None:
    back = deadlines.resume_timing(pause_for(start_game(), ALLOWED + 5), after(9 * ALLOWED), SETTINGS)
    assert back.deadline == after(9 * ALLOWED + ALLOWED / 4)


@pytest.mark.parametrize(("allowed", "again"), [(ALLOWED, ALLOWED / 4), (120, 60)])
def test_a_deadline_that_passed_in_an_outage_is_put_off_by_a_quarter(allowed: int, again: float) -> None:
    table = start_game()
    table = replace(table, options=replace(table.options, allowed_seconds=allowed))
    late = after(ALLOWED + 500)
    assert deadlines.postpone_due(table, late, SETTINGS).deadline == late + timedelta(seconds=again)
    late = after(deadlines.LOBBY_SECONDS + 500)
    assert deadlines.postpone_due(plan_table(None, make_lobby()), late, SETTINGS).deadline == late + timedelta(hours=6)


def test_moments_survive_being_stored() -> None:
    timing = deadlines.plan_timing(
        None, take_dice(start_game(OPEN, house=(2,)), 1), NOW + timedelta(microseconds=123_457), SETTINGS
    )
    full = replace(
        timing, paused_at=after(1.000001), retry_at=after(2.5), pause_warnings=2, house_plays_at=after(3.000002)
    )
    for each in (NO_TIMING, timing, full):
        assert TIMING.read(TIMING.write(each)) == each
    assert TIMING.write(NO_TIMING) == "{}"
