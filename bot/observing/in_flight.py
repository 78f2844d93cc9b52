"""Interactions in flight: what each came to, how long it took, and waiting for them at a stop.

discord.py runs each interaction in a task of its own. ``InFlightInteractions.begin`` is called first in that task: from
then on the log carries its ids (bot.observing.context), and a stop waits for the task. Times are measured from the
moment at which the event arrived, by this machine's monotonic clock: the interaction's own time is by Discord's, which
differs from ours by some milliseconds, as long as a move takes.
"""

from __future__ import annotations

import asyncio
import time
from contextvars import ContextVar
from functools import partial
from typing import Any

from bot.observing.context import Value, work_on
from bot.observing.metrics import InteractionKind, InteractionResult, Metrics, Where

BREAK_OFF_SECONDS = 0.2
"""How long a flight that is broken off may take to notice it."""

_flight: ContextVar[InFlight | None] = ContextVar("flight", default=None)


class Stopping(Exception):
    """The bot is stopping, and begins nothing new."""


class InFlight:
    """One press or command that is being worked on."""

    def __init__(self, asked: InteractionKind, arrived: float, metrics: Metrics, task: asyncio.Task[Any]) -> None:
        self._metrics = metrics
        self._arrived = arrived
        self._committed = False
        self._answered = False
        self.asked = asked
        self.task = task
        self.outcome = InteractionResult.DONE

    def committed(self) -> None:
        """What it changes is in the database. Of several commits the first counts: it is the one that was asked for."""
        if not self._committed:
            self._committed = True
            self._metrics.to_commit.observe(time.perf_counter() - self._arrived)

    def answered(self) -> None:
        """Discord has taken the answer: what was asked for, or why not. To have put it off is none."""
        if not self._answered:
            self._answered = True
            self._metrics.answered(self.asked, time.perf_counter() - self._arrived)

    def failed(self, error: BaseException) -> None:
        """A call of Discord that was to answer it has failed."""
        self._metrics.failed(Where.ANSWER, error)

    def finished(self) -> None:
        """It is over."""
        if self.outcome is InteractionResult.DONE:
            # Where nobody has noted it: an autocompletion ends with its answer.
            self.answered()
        self._metrics.handled(self.asked, self.outcome)


class InFlightInteractions:
    """All presses and commands that are being worked on."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._tasks: dict[asyncio.Task[Any], InFlight] = {}
        self._stopping = False

    def begin(self, asked: InteractionKind, arrived: float, **fields: Value) -> None:
        """The current task begins to work on an interaction. Raises Stopping when nothing new is to be begun.

        ``arrived`` is a moment of ``time.perf_counter``; ``fields`` are for the log.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("an interaction is handled in a task")
        work_on(**fields)
        flight = InFlight(asked, arrived, self._metrics, task)
        _flight.set(flight)
        self._tasks[task] = flight
        self._metrics.in_flight.set(len(self._tasks))
        task.add_done_callback(partial(self._landed, flight))
        if self._stopping:
            flight.outcome = InteractionResult.STOPPING
            raise Stopping

    def stop(self) -> None:
        """Begin nothing new."""
        self._stopping = True

    async def drain(self, seconds: float) -> int:
        """Wait until nothing is in flight. What takes longer is broken off; returns how many that were.

        What they have committed stays, and transactions go on to their end by themselves.
        """
        if not self._tasks:
            return 0
        _landed, late = await asyncio.wait(set(self._tasks), timeout=max(seconds, 0.0))
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=BREAK_OFF_SECONDS)
        return len(late)

    def __len__(self) -> int:
        return len(self._tasks)

    def _landed(self, flight: InFlight, task: asyncio.Task[Any]) -> None:
        del self._tasks[task]
        self._metrics.in_flight.set(len(self._tasks))
        if task.cancelled() and flight.outcome is InteractionResult.DONE:
            flight.outcome = InteractionResult.UNANSWERED
        flight.finished()


def current() -> InFlight | None:
    """The flight of the current task. Tasks that it has started inherit the context, but are not the flight."""
    flight = _flight.get()
    return flight if flight is not None and flight.task is asyncio.current_task() else None


def committed() -> None:
    """What the current flight changes, if this is one, is in the database."""
    if (flight := current()) is not None:
        flight.committed()


def answered() -> None:
    """Discord has taken the answer of the current flight, if this is one."""
    if (flight := current()) is not None:
        flight.answered()


def failed(error: BaseException) -> None:
    """A call of Discord that was to answer a click has failed."""
    if (flight := _flight.get()) is not None:
        flight.failed(error)


def note_result(outcome: InteractionResult) -> None:
    """What becomes of the current flight, if this is one."""
    if (flight := current()) is not None:
        flight.outcome = outcome
