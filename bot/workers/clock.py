"""The clock: sleeps until the next due row, works it off, sleeps again. One timer, no polling."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from bot.observing.context import work_on

log = logging.getLogger(__name__)

LONGEST_SLEEP = 6 * 3600.0
"""Seconds after which the clock looks again in any case: a suspended machine's timers are late."""
AFTER_ERROR = 30.0
"""Seconds until the clock tries again after an error of its own."""
STOP_SECONDS = 4.0
"""How long a stop waits for what is being worked off; a graceful stop has ten seconds for everything."""


class Scheduled(Protocol):
    """Something that has moments at which it wants to be called."""

    async def next_moment(self) -> datetime | None:
        """The earliest moment at which anything is due; None for never."""

    async def run_due(self, now: datetime) -> None:
        """Do everything that is due. Doing a thing twice has to be harmless."""


class Clock:
    """Calls what is due when it is due."""

    def __init__(self, now: Callable[[], datetime], longest_sleep: float = LONGEST_SLEEP) -> None:
        self._now = now
        self._longest_sleep = longest_sleep
        self._parts: list[Scheduled] = []
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: datetime | None = None
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._running = False
        self._began: datetime | None = None
        """When it began what it is doing; None while it sleeps."""
        self._failing: datetime | None = None
        """When it failed first, if it has not got to an end since."""

    def add(self, part: Scheduled) -> None:
        """Look after one more thing."""
        self._parts.append(part)

    def start(self) -> None:
        """Work off what came due while the bot was down, and go on from there."""
        self._running = True
        self._wake()

    async def close(self) -> None:
        """Let what is being worked off finish, then stand still. What is cut off is due again at the next start."""
        self._running = False
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            _done, late = await asyncio.wait({self._task}, timeout=STOP_SECONDS)
            for task in late:
                # Transactions go on to their end by themselves: only the next step is not begun.
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def notice(self, moment: datetime | None) -> None:
        """Something is due at ``moment``, perhaps earlier than anything else so far."""
        if moment is None or not self._running:
            return
        if self._task is not None:
            self._again = True
        elif self._timer_at is None or moment < self._timer_at:
            self._sleep_until(moment)

    def late(self) -> float:
        """Seconds by which the clock is behind: late in waking up, or at work at the same things for so long."""
        since = [moment for moment in (self._timer_at, self._began, self._failing) if moment is not None]
        return max((self._now() - min(since)).total_seconds(), 0.0) if since and self._running else 0.0

    def _sleep_until(self, moment: datetime | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        now = self._now()
        seconds = self._longest_sleep
        if moment is not None:
            seconds = min((moment - now).total_seconds(), seconds)
        self._timer_at = moment
        self._timer = asyncio.get_running_loop().call_later(max(seconds, 0.0), self._wake)

    def _wake(self) -> None:
        if self._running and self._task is None:
            self._task = asyncio.create_task(self._run(), name="clock")

    async def _run(self) -> None:
        # Whatever noticed that something is due, perhaps a click, is over.
        work_on()
        next_moment: datetime | None = None
        try:
            while True:
                self._again = False
                self._began, self._timer_at = self._now(), None
                for part in self._parts:
                    await part.run_due(self._now())
                moments = [moment for part in self._parts if (moment := await part.next_moment()) is not None]
                next_moment = min(moments, default=None)
                due_now = next_moment is not None and next_moment <= self._now()
                if not self._running or not (self._again or due_now):
                    break
        except Exception:
            log.exception("the clock could not work something off; trying again in %.0f s", AFTER_ERROR)
            next_moment = None
            self._failing = self._failing or self._now()
            if self._running:
                self._timer = asyncio.get_running_loop().call_later(AFTER_ERROR, self._wake)
                self._timer_at = None
                return
        else:
            self._failing = None
        finally:
            self._task = self._began = None
        if self._running:
            self._sleep_until(next_moment)
