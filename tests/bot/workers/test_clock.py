from datetime import timedelta

import pytest

from bot.workers.worker import GAP, LONGEST_NAP, LONGEST_SLEEP, Clock
from tests.bot.workers.turned import START, Time, rest

HOUR = 3600.0


class Sleeper:
    def __init__(self, time: Time) -> None:
        self.time = time
        self.woken: list[float] = []
        self.behind = 0.0
        time.clock.add(self)

    def wake(self) -> None:
        self.woken.append((self.time.now - START).total_seconds())

    def late(self) -> float:
        return self.behind


Sleepers = tuple[Sleeper, Sleeper]


@pytest.fixture
async def sleepers(time: Time) -> Sleepers:
    """Make two sleepers, both of which were woken by the start."""
    both = Sleeper(time), Sleeper(time)
    time.clock.start()
    assert [each.woken for each in both] == [[0], [0]]
    for each in both:
        each.woken.clear()
    return both


async def test_a_sleeper_is_woken_at_its_time_and_no_other(time: Time, sleepers: Sleepers) -> None:
    one, other = sleepers
    time.clock.note_due(START + timedelta(seconds=100), one)
    time.clock.note_due(START + timedelta(seconds=200), other)
    await time.turn(99)
    assert (one.woken, other.woken) == ([], [])
    await time.turn(1)
    assert (one.woken, other.woken) == ([100], [])
    await time.turn(400)
    assert (one.woken, other.woken) == ([100], [200])


async def test_an_earlier_moment_wakes_earlier_and_a_later_one_changes_nothing(time: Time, sleepers: Sleepers) -> None:
    one, _other = sleepers
    for seconds in (1000, 2000, 10):
        time.clock.note_due(START + timedelta(seconds=seconds), one)
    time.clock.note_due(None, one)
    assert time.next_in == 10
    await time.turn(5000)
    assert one.woken == [10]


@pytest.mark.parametrize("seconds", [None, 10 * LONGEST_SLEEP])
async def test_everybody_looks_again_after_hours(time: Time, sleepers: Sleepers, seconds: float | None) -> None:
    time.clock.note_due(None if seconds is None else START + timedelta(seconds=seconds))
    await time.turn(LONGEST_SLEEP - 1)
    assert [each.woken for each in sleepers] == [[], []]
    await time.turn(1)
    assert [each.woken for each in sleepers] == [[LONGEST_SLEEP], [LONGEST_SLEEP]]


async def test_a_clock_is_as_late_as_its_timer_or_the_worker_that_is_furthest_behind(
    time: Time, sleepers: Sleepers
) -> None:
    time.clock.note_due(START + timedelta(seconds=100), sleepers[0])
    await time.turn(50)
    assert time.clock.late() == 0
    time.now += timedelta(seconds=70)
    assert time.clock.late() == 60, "its timer has not rung"
    sleepers[1].behind = 70.0
    assert time.clock.late() == 70
    sleepers[1].behind = 0.0
    await time.turn(0)
    assert time.clock.late() == 0


async def test_after_the_stop_nobody_is_woken(time: Time, sleepers: Sleepers) -> None:
    time.clock.close()
    assert time.pending == []
    sleepers[0].behind = 1.0
    time.clock.note_due(START)
    await time.turn(10 * LONGEST_SLEEP)
    await rest()
    assert [each.woken for each in sleepers] == [[], []]
    assert time.clock.late() == 0


@pytest.mark.parametrize("hours", [7, 1, -7, 24 * 400, -24 * 400])
async def test_what_is_due_soon_after_a_jump_is_done_then(time: Time, sleepers: Sleepers, hours: float) -> None:
    one, other = sleepers
    time.clock.note_due(START + timedelta(hours=6), other)
    time.jump(hours * HOUR)
    time.clock.note_due(time.now + timedelta(seconds=0.2), one)
    await time.turn(0.2)
    assert one.woken[-1] == pytest.approx(hours * HOUR + 0.2)
    assert bool(other.woken), "everybody looks again after a jump"


@pytest.mark.parametrize("hours", [7, 1, -7, 24 * 400, -24 * 400])
async def test_a_jump_is_noticed_within_a_nap_although_nobody_says_anything(
    time: Time, sleepers: Sleepers, hours: float
) -> None:
    time.clock.note_due(START + timedelta(hours=6), sleepers[0])
    time.jump(hours * HOUR)
    await time.turn(LONGEST_NAP.total_seconds())
    assert [bool(each.woken) for each in sleepers] == [True, True]
    assert time.clock.late() == 0


async def test_the_safety_look_is_not_put_off_by_a_clock_that_was_wrong(time: Time, sleepers: Sleepers) -> None:
    time.jump(-1000 * HOUR)
    await time.turn(LONGEST_NAP.total_seconds())
    for each in sleepers:
        each.woken.clear()
    await time.turn(LONGEST_SLEEP)
    assert [len(each.woken) for each in sleepers] == [1, 1]


@pytest.mark.parametrize("seconds", [-HOUR, -9, 9, 41, HOUR])
async def test_a_jump_counts_as_an_outage_and_a_busy_loop_does_not(time: Time, seconds: float) -> None:
    gaps: list[float] = []
    clock = Clock(lambda: time.now, on_gap=lambda: gaps.append((time.now - START).total_seconds()))
    clock.start()
    await time.turn(1000)
    assert gaps == []
    time.jump(seconds)
    clock.note_due(time.now + timedelta(seconds=0.1))
    await time.turn(1000)
    jumped = abs(seconds) > GAP.total_seconds()
    assert gaps == ([1000 + seconds] if jumped else [])
