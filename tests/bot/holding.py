"""Transactions that a test holds up, and who waits for them.

A task waits if it does not end within ``AWHILE``, which is plenty of time for a task that does not have to wait.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

from sqlalchemy import Connection

from bot.store.database import Database

AWHILE = 0.15
PATIENCE = 30.0

Taking = Callable[[Connection], object]


class Halt:
    """A point at which a transaction stops until the block ends."""

    def __init__(self, database: Database) -> None:
        self._reached, self._go_on = asyncio.Event(), asyncio.Event()
        self._database = database

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._go_on.set()

    def __call__(self) -> None:
        self._database.await_within(self._wait())

    async def _wait(self) -> None:
        self._reached.set()
        await self._go_on.wait()

    async def reach(self, task: asyncio.Task[Any]) -> None:
        """Wait until the task has come to this point. Raise its error if it fails before."""
        waiting = asyncio.create_task(self._reached.wait())
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if task.done():
            await task


@asynccontextmanager
async def holding(database: Database, take: Taking) -> AsyncIterator[None]:
    """Hold something in a transaction of another process."""
    with Halt(database) as halt:

        def work(connection: Connection) -> None:
            take(connection)
            halt()

        holder = begin(database, work)
        await halt.reach(holder)
        yield
    await holder


async def waits(task: asyncio.Task[Any]) -> bool:
    done, _pending = await asyncio.wait({task}, timeout=AWHILE)
    return not done


def begin(database: Database, take: Taking) -> asyncio.Task[object]:
    return asyncio.create_task(_written(database, take))


async def _written(database: Database, take: Taking) -> object:
    return await database.write(take)
