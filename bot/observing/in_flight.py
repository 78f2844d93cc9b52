"""Interactions in flight: measures the result and the duration of each, and waits for them when the bot stops.

discord.py runs each interaction in its own task, which calls ``InFlightInteractions.begin`` first. Durations are
measured by this machine's monotonic clock, from the arrival of the event. The interaction's own time cannot be used,
because Discord's clock differs from ours by some milliseconds, which is as long as a move takes.
"""

import asyncio
import logging
import time
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from bot.observing.logs import Value, safe_message, set_log_fields
from bot.observing.metrics import InteractionKind, InteractionResult, Metrics, Where

Result = TypeVar("Result")

log = logging.getLogger(__name__)

BREAK_OFF_SECONDS = 0.2
"""The seconds that a cancelled interaction may take to end."""


class Stopping(Exception):
    """The bot is stopping and handles nothing new."""


@dataclass(slots=True)
class InFlight:
    asked: InteractionKind
    arrived: float
    metrics: Metrics
    task: asyncio.Task[Any]
    committed: bool = False
    answered: bool = False
    outcome: InteractionResult = InteractionResult.DONE

    def note_answer(self) -> None:
        if not self.answered:
            self.answered = True
            self.metrics.to_answer.labels(self.asked.value).observe(time.perf_counter() - self.arrived)


async def run_to_the_end(work: asyncio.Future[Result], what: str) -> Result:
    """Wait for ``work``, which continues if the caller is cancelled. Then its error, if any, is only logged."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        work.add_done_callback(partial(_log_failure, what))
        raise


def _log_failure(what: str, work: asyncio.Future[Any]) -> None:
    if not work.cancelled() and (error := work.exception()) is not None:
        log.info("%s failed after its caller had stopped waiting for it: %s", what, safe_message(error))


_in_flight: ContextVar[InFlight | None] = ContextVar("in_flight", default=None)


class InFlightInteractions:
    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._all: dict[asyncio.Task[Any], InFlight] = {}
        self._stopping = False

    def begin(self, asked: InteractionKind, arrived: float, **fields: Value) -> None:
        """Register an interaction that the current task handles. Raise Stopping if the bot is stopping.

        ``arrived`` is a time of ``time.perf_counter``. ``fields`` are the log's fields for this task.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("an interaction is handled in a task")
        set_log_fields(**fields)
        begun = InFlight(asked, arrived, self._metrics, task)
        _in_flight.set(begun)
        self._all[task] = begun
        self._metrics.in_flight.set(len(self._all))
        task.add_done_callback(self._finished)
        if self._stopping:
            begun.outcome = InteractionResult.STOPPING
            raise Stopping

    def stop(self) -> None:
        self._stopping = True

    async def drain(self, seconds: float) -> int:
        """Wait at most ``seconds`` until the interactions in flight are done. Cancel those that are left, but not their
        transactions, and return their number.
        """
        if not self._all:
            return 0
        _finished, late = await asyncio.wait(set(self._all), timeout=max(seconds, 0.0))
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=BREAK_OFF_SECONDS)
        return len(late)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        ended = self._all.pop(task)
        self._metrics.in_flight.set(len(self._all))
        if ended.outcome is InteractionResult.DONE:
            if task.cancelled():
                ended.outcome = InteractionResult.UNANSWERED
            else:
                # Autocompletions do not note their answer: they end with it.
                ended.note_answer()
        self._metrics.interactions.labels(ended.asked.value, ended.outcome.value).inc()


def current_in_flight() -> InFlight | None:
    """Return the interaction that the current task handles. None in a task that was started by one that
    handles an interaction, although it inherits the context.
    """
    flight = _in_flight.get()
    return flight if flight is not None and flight.task is asyncio.current_task() else None


def note_committed() -> None:
    """Measure the time to the interaction's first commit, which is the change that the user asked for."""
    flight = current_in_flight()
    if flight is not None and not flight.committed:
        flight.committed = True
        flight.metrics.to_commit.observe(time.perf_counter() - flight.arrived)


def note_answered() -> None:
    """Measure the time to the interaction's first answer. Call this when Discord has accepted an answer; an
    acknowledgement is none.
    """
    if (flight := current_in_flight()) is not None:
        flight.note_answer()


def note_failed(error: BaseException) -> None:
    """Count a request that failed to answer the interaction. Errors that are not Discord's or the network's are not
    counted.
    """
    if (flight := _in_flight.get()) is not None:
        flight.metrics.count_failure(Where.ANSWER, error)


def note_result(outcome: InteractionResult) -> None:
    if (flight := current_in_flight()) is not None:
        flight.outcome = outcome
