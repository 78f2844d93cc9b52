"""The helper process, which computes what takes long: luck and skill, hints, the house's decisions, large pictures.

Threads share Python's lock, so a thread that computes for a second would slow down every click. The helper process
handles one request after the other. It starts and ends with the bot, and is replaced if it dies. It computes only pure
functions of values, so that results can be remembered.
"""

import asyncio
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar, TypeVarTuple

from bot.domain.errors import Refused
from bot.domain.recent import Recent
from bot.locales import _
from bot.observing.in_flight import run_to_the_end

Result = TypeVar("Result")
Value = TypeVar("Value")
Values = TypeVarTuple("Values")

log = logging.getLogger(__name__)

RESULTS_REMEMBERED = 32
"""The number of remembered results. They are useful because several people look at the same finished game repeatedly.
More of them would slow down garbage collection, because a report consists of a thousand objects.
"""
PEOPLE_REMEMBERED = 1000
LONGEST_SECONDS = 60.0
"""A computation that takes longer than this has hung, even on a busy machine and including the start of the process."""
NICENESS = 5
"""The lower priority of the helper process, so that the bot goes first if they share a processor."""


class HelperError(Exception):
    """The helper process has died twice, or the bot is stopping. The request itself is valid."""


@dataclass
class _Turns:
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    asked: int = 0
    """The number of the person's requests that run or wait."""
    free_at: float = 0.0
    """When the person's next request may run, on the monotonic clock."""


class Helper:
    """Computes in a thread of this process, for programs that have nobody to answer at the same time."""

    def __init__(self) -> None:
        self._results: Recent[object, Any] = Recent(RESULTS_REMEMBERED)
        self._turns: Recent[int, _Turns] = Recent(PEOPLE_REMEMBERED)
        self._turn = asyncio.Lock()
        self.large = asyncio.Lock()
        """Held while a large file is made, so that there is one at a time for all people."""

    async def run(self, work: Callable[[*Values], Result], *values: *Values) -> Result:
        """Compute a pure function of values that can be hashed and pickled. Raise what it raises, or HelperError."""
        # If the caller is cancelled, the computation continues. Otherwise the next caller would receive its result.
        result: Result = await run_to_the_end(asyncio.create_task(self._run(work, values)), "helper")
        return result

    async def warm_up(self, work: Callable[[Value], object], values: Iterable[Value]) -> None:
        """Compute results that people may soon ask for. Here do nothing, because it would delay the start."""

    @asynccontextmanager
    async def one_at_a_time(self, user_id: int) -> AsyncIterator[None]:
        """Run one costly request of a person at a time. A second one waits. Raise Refused for a third one.

        The person's next request has to wait for as long as this one takes, so nobody uses more than half of the time.
        """
        if user_id not in self._turns:
            self._turns[user_id] = _Turns()
        turns = self._turns[user_id]
        if turns.asked > 1:
            raise Refused(_("I'm still working on your last request. Please wait a moment, then try again."))
        turns.asked += 1
        try:
            async with turns.turn:
                await asyncio.sleep(turns.free_at - time.monotonic())
                began = time.monotonic()
                try:
                    yield
                finally:
                    turns.free_at = 2 * time.monotonic() - began
        finally:
            turns.asked -= 1

    def forget(self) -> None:
        """Forget all results, including those being computed, because they may contain names."""
        self._results = Recent(RESULTS_REMEMBERED)

    async def close(self) -> None:
        """Stop computing, and accept nothing new. Here do nothing."""

    async def _run(self, work: Callable[..., Any], values: tuple[object, ...]) -> Any:
        async with self._turn:
            # ``forget`` may replace the results during the computation.
            results = self._results
            if (work, values) not in results:
                results[work, values] = await self._compute(work, values)
            return results[work, values]

    async def _compute(self, work: Callable[..., Any], values: tuple[object, ...]) -> Any:
        return await asyncio.to_thread(work, *values)


class HelperProcess(Helper):
    def __init__(self) -> None:
        super().__init__()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._closed = False

    async def warm_up(self, work: Callable[[Value], object], values: Iterable[Value]) -> None:
        """Start the process, and let it compute one value after the other. Other requests wait for at most one."""
        with suppress(HelperError):
            for value in values:
                await self.run(work, value)

    async def close(self) -> None:
        """Kill the process, whatever it is computing."""
        self._closed = True
        if self._process is not None:
            self._process.kill()
        async with self._turn:
            self._end()

    async def _compute(self, work: Callable[..., Any], values: tuple[object, ...]) -> Any:
        for level in (logging.WARNING, logging.ERROR):
            if self._closed:
                raise HelperError("the bot is stopping")
            try:
                succeeded, result = await asyncio.to_thread(self._ask, work, values)
            except (EOFError, OSError) as error:
                self._end()
                if not self._closed:
                    log.log(
                        level,
                        "the helper process died while computing %s; it is started again when needed: %r",
                        work.__qualname__,
                        error,
                    )
            else:
                if succeeded:
                    return result
                raise result
        raise HelperError("the helper process has died twice")

    def _ask(self, work: Callable[..., Any], values: tuple[object, ...]) -> tuple[bool, Any]:
        connection = self._connection or self._start()
        if self._closed:
            raise EOFError
        connection.send((work, values))
        if not connection.poll(LONGEST_SECONDS):
            raise TimeoutError(f"no result after {LONGEST_SECONDS:.0f} s")
        answer: tuple[bool, Any] = connection.recv()
        return answer

    def _start(self) -> Connection:
        # A fork would inherit locks that other threads hold at that time, and every open file.
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), name="helper", daemon=True)
        process.start()
        # The death of the process can be noticed only if this process has closed the other end.
        theirs.close()
        # Set these after the start, because ``close`` in another thread can kill only a running process.
        self._process, self._connection = process, ours
        return ours

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _serve(connection: Connection) -> None:
    """Answer requests in the helper process until the bot has ended. Ignore signals, because the bot handles them."""
    for stopping in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stopping, signal.SIG_IGN)
    with suppress(OSError, AttributeError):  # not available or not allowed on every system
        os.nice(NICENESS)
    with suppress(EOFError, OSError):
        while True:
            work, values = connection.recv()
            answer: tuple[bool, Any]
            try:
                answer = True, work(*values)
            except Exception as error:
                answer = False, error
            connection.send(answer)
