"""The clock: one timer, no polling, and no way to stop it but to stop it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.workers.clock import AFTER_ERROR, LONGEST_SLEEP, Clock

START = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Timer:
    """What ``loop.call_later`` would have made."""

    def __init__(self, at: datetime, call: Callable[[], None]) -> None:
        self.at = at
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Time:
    """Virtual time: the clock's own timers ring when it is turned."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = START
        self.timers: list[Timer] = []
        loop = asyncio.get_running_loop()
        real = loop.call_later

        def call_later(delay: float, callback: Any, *arguments: Any, **options: Any) -> Any:
            if getattr(callback, "__self__", None).__class__ is not Clock:
                return real(delay, callback, *arguments, **options)
            self.timers.append(Timer(self.now + timedelta(seconds=delay), callback))
            return self.timers[-1]

        monkeypatch.setattr(loop, "call_later", call_later)

    @property
    def pending(self) -> list[Timer]:
        return [timer for timer in self.timers if not timer.cancelled]

    @property
    def next_in(self) -> float:
        """Seconds until the one timer rings; there is never more than one."""
        (timer,) = self.pending
        return (timer.at - self.now).total_seconds()

    async def turn(self, seconds: float) -> None:
        end = self.now + timedelta(seconds=seconds)
        await rest()
        while due := [timer for timer in self.pending if timer.at <= end]:
            self.now = due[0].at
            due[0].cancel()
            due[0].call()
            await rest()
        self.now = end


async def rest() -> None:
    """Let everything that can go on go on."""
    for _ in range(20):
        await asyncio.sleep(0)


class Part:
    """Something with moments, which are gone when they were worked off."""

    def __init__(self, *seconds: float) -> None:
        self.moments = [START + timedelta(seconds=each) for each in seconds]
        self.worked: list[datetime] = []
        self.asked = 0
        self.broken = 0
        self.slow: asyncio.Event | None = None

    async def next_moment(self) -> datetime | None:
        self.asked += 1
        return min(self.moments, default=None)

    async def run_due(self, now: datetime) -> None:
        if self.slow is not None:
            await self.slow.wait()
        if self.broken:
            self.broken -= 1
            raise RuntimeError("no database")
        self.worked += [moment for moment in self.moments if moment <= now]
        self.moments = [moment for moment in self.moments if moment > now]


@pytest.fixture
async def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def clock_of(time: Time, *parts: Part) -> Clock:
    clock = Clock(lambda: time.now)
    for part in parts:
        clock.add(part)
    clock.start()
    return clock


async def test_what_came_due_before_the_start_is_worked_off_at_once(time: Time) -> None:
    part = Part(-3600, -1, 0)
    clock_of(time, part)
    await rest()
    assert len(part.worked) == 3


async def test_the_clock_sleeps_until_the_next_moment_and_no_longer(time: Time) -> None:
    part, other = Part(100, 500), Part(200)
    clock_of(time, part, other)
    await time.turn(99)
    assert (part.worked, other.worked) == ([], [])
    assert time.next_in == 1
    await time.turn(1)
    assert part.worked == [START + timedelta(seconds=100)]
    assert time.next_in == 100
    await time.turn(400)
    assert len(part.worked) == 2
    assert len(other.worked) == 1


async def test_nothing_is_asked_while_nothing_is_due(time: Time) -> None:
    part = Part(5 * 3600)
    clock_of(time, part)
    await rest()
    asked = part.asked
    await time.turn(5 * 3600 - 1)
    assert part.asked == asked
    assert len(time.timers) == 1


async def test_without_any_moment_the_clock_looks_again_after_hours(time: Time) -> None:
    part = Part()
    clock_of(time, part)
    await rest()
    assert time.next_in == LONGEST_SLEEP
    part.moments = [START + timedelta(seconds=60)]  # it was told nothing: a suspended machine, another process
    await time.turn(LONGEST_SLEEP)
    assert len(part.worked) == 1


async def test_a_far_moment_does_not_make_a_longer_sleep(time: Time) -> None:
    clock_of(time, Part(10 * 24 * 3600))
    await rest()
    assert time.next_in == LONGEST_SLEEP


async def test_an_earlier_moment_wakes_the_clock_earlier(time: Time) -> None:
    part = Part(1000)
    clock = clock_of(time, part)
    await rest()
    part.moments.append(START + timedelta(seconds=10))
    clock.notice(part.moments[-1])
    assert time.next_in == 10
    await time.turn(10)
    assert len(part.worked) == 1
    assert time.next_in == 990


@pytest.mark.parametrize("seconds", [1000, 2000, None])
async def test_a_later_moment_changes_nothing(time: Time, seconds: float | None) -> None:
    clock = clock_of(time, Part(1000))
    await rest()
    clock.notice(None if seconds is None else START + timedelta(seconds=seconds))
    assert len(time.timers) == 1
    assert time.next_in == 1000


async def test_a_moment_noticed_while_the_clock_works_is_not_missed(time: Time) -> None:
    part, other = Part(0), Part()
    other.slow = asyncio.Event()
    clock = clock_of(time, part, other)
    await rest()
    part.moments = [START]  # due at once, but this part has had its turn
    clock.notice(START)
    other.slow.set()
    await rest()
    assert len(part.worked) == 2


async def test_an_error_does_not_stop_the_clock(
    time: Time, caplog: pytest.LogCaptureFixture, error_log: list[logging.LogRecord]
) -> None:
    part = Part(0)
    part.broken = 2
    clock_of(time, part)
    await rest()
    assert part.worked == []
    assert "trying again" in caplog.text
    assert time.next_in == AFTER_ERROR
    await time.turn(AFTER_ERROR)
    assert part.worked == []
    await time.turn(AFTER_ERROR)
    assert len(part.worked) == 1
    assert len(error_log) == 2
    error_log.clear()


async def test_a_clock_that_keeps_up_is_not_late(time: Time) -> None:
    clock = clock_of(time, Part(0, 100))
    assert clock.late() == 0
    await time.turn(50)
    assert clock.late() == 0
    await time.turn(100)
    assert clock.late() == 0


async def test_a_clock_whose_timer_does_not_ring_is_late(time: Time) -> None:
    clock = clock_of(time, Part(100))
    await rest()
    time.now += timedelta(seconds=160)
    assert clock.late() == 60
    await time.turn(0)
    assert clock.late() == 0


async def test_a_clock_that_is_at_work_for_long_is_late(time: Time) -> None:
    part = Part(0)
    part.slow = asyncio.Event()
    clock = clock_of(time, part)
    await time.turn(70)
    assert clock.late() == 70
    part.slow.set()
    await rest()
    assert clock.late() == 0


async def test_a_clock_that_fails_is_late_since_it_failed_first(time: Time, error_log: list[logging.LogRecord]) -> None:
    part = Part(0)
    part.broken = 2
    clock = clock_of(time, part)
    await time.turn(AFTER_ERROR + 10)
    assert clock.late() == AFTER_ERROR + 10
    await time.turn(AFTER_ERROR)
    assert len(part.worked) == 1
    assert clock.late() == 0
    error_log.clear()


async def test_a_clock_that_stands_still_on_purpose_is_not_late(time: Time) -> None:
    clock = clock_of(time, Part(100))
    await rest()
    await clock.close()
    time.now += timedelta(seconds=1000)
    assert clock.late() == 0


async def test_after_the_stop_nothing_is_worked_off(time: Time) -> None:
    part = Part(60)
    clock = clock_of(time, part)
    await rest()
    await clock.close()
    assert time.pending == []
    clock.notice(START)
    await time.turn(3600)
    assert part.worked == []


async def test_a_stop_lets_what_is_being_worked_off_finish(time: Time) -> None:
    part = Part(0)
    part.slow = asyncio.Event()
    clock = clock_of(time, part)
    await rest()
    closing = asyncio.create_task(clock.close())
    await rest()
    assert not closing.done()
    part.slow.set()
    await closing
    assert len(part.worked) == 1
    assert time.pending == []


async def test_a_stop_does_not_wait_for_ever(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.workers.clock.STOP_SECONDS", 0.01)
    part = Part(0)
    part.slow = asyncio.Event()
    clock = clock_of(time, part)
    await rest()
    await clock.close()
    part.slow.set()
    await rest()
    assert part.worked == []
