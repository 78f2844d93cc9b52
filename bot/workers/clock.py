"""The clock: one timer that wakes workers at the moments they are waiting for. It does nothing else.

A timer of asyncio counts seconds and knows nothing of the time of day: it stops while the machine sleeps, and is not
moved when the machine's clock is set. So the clock looks at the time of day twice a minute.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

LONGEST_SLEEP = 6 * 3600.0
"""The seconds after which every worker looks again in any case."""
LOOK_AGAIN = 5.0
"""The same for a shared database: nobody tells this process what the others leave behind."""
LONGEST_NAP = timedelta(seconds=30)
"""The longest time between two looks at the time of day."""
GAP = timedelta(seconds=10)
"""The clock is late by more only if the machine slept, the process was stopped, or the time of day was set."""


class Wakeable(Protocol):
    """The interface of a worker for the clock."""

    def wake(self) -> None:
        """Look for what is due, soon."""

    def late(self) -> float:
        """Return the seconds for which something that is due has waited."""


class Clock:
    """Wakes workers. ``on_look`` is called before all of them look, ``on_gap`` after a jump of the time of day."""

    def __init__(
        self,
        now: Callable[[], datetime],
        longest_sleep: float = LONGEST_SLEEP,
        on_look: Callable[[], None] = lambda: None,
        *,
        on_gap: Callable[[], None] = lambda: None,
    ) -> None:
        self._now = now
        self._longest_sleep = timedelta(seconds=longest_sleep)
        self._on_look = on_look
        self._on_gap = on_gap
        self._workers: list[Wakeable] = []
        self._moments: dict[Wakeable, datetime] = {}
        self._look_at = now()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_set_at = self._timer_at = now()

    def add(self, worker: Wakeable) -> None:
        self._workers.append(worker)

    def start(self) -> None:
        """Wake all workers for what came due while the bot was down, and go on from there."""
        self._look_at = self._timer_set_at = self._timer_at = self._now()
        self._ring()

    def close(self) -> None:
        """Wake nobody any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def note_due(self, moment: datetime | None, *workers: Wakeable) -> None:
        """Wake these workers, or all, at ``moment``, when something is due for them."""
        if moment is None:
            return
        for worker in workers or self._workers:
            self._moments[worker] = min(moment, self._moments.get(worker, moment))
        if self._timer is not None and not self._timer_set_at <= self._now() < self._timer_at <= moment:
            self._sleep()

    def late(self) -> float:
        """Return the seconds by which the clock, or the worker that is furthest behind, is late."""
        if self._timer is None:
            return 0.0
        late = (self._now() - self._timer_at).total_seconds()
        return max(late, 0.0, *(worker.late() for worker in self._workers))

    def _ring(self) -> None:
        now = self._now()
        due = [worker for worker, moment in self._moments.items() if moment <= now]
        for worker in due:
            del self._moments[worker]
        if now >= self._look_at:
            self._look_at = now + self._longest_sleep
            self._on_look()
            due = self._workers
        self._sleep()
        for worker in due:
            worker.wake()

    def _sleep(self) -> None:
        now = self._now()
        if not self._timer_set_at - GAP <= now <= self._timer_at + GAP:
            self._look_at = now
            self._on_gap()
        if self._timer is not None:
            self._timer.cancel()
        moment = min(self._look_at, now + LONGEST_NAP, *self._moments.values())
        self._timer_set_at, self._timer_at = now, max(moment, now)
        seconds = (self._timer_at - now).total_seconds()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._ring)
