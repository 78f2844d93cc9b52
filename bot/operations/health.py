"""Whether the bot is well: connected, able to read its database, and with a clock that goes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from sqlalchemy import text

from bot.observing.errors import safe_message
from bot.observing.gateway import Gateway
from bot.store.database import Database

Answer = TypeVar("Answer")

OK = "ok"
DATABASE_SECONDS = 1.0
"""A database that does not answer within so long is ill; a press waits for it, too."""
FRESH_SECONDS = 1.0
"""So long the database is not asked again."""
GATEWAY_SECONDS = 60.0
"""So long a shard may be cut off: Discord has every connection made anew now and then, which takes some seconds."""
CLOCK_SECONDS = 300.0
"""So long the clock may be late, or be at work at the same things."""


class Ticking(Protocol):
    """What is needed of the clock."""

    def late(self) -> float:
        """Seconds by which it is late."""


class Cached(Generic[Answer]):
    """A question to the database that is asked once at a time, however many want to know, and never waited for long.

    The answer is kept for ``fresh`` seconds: whoever asks often does not keep the database busy.
    """

    def __init__(self, ask: Callable[[], Awaitable[Answer]], fresh: float) -> None:
        self._ask = ask
        self._fresh = fresh
        self._task: asyncio.Task[Answer] | None = None
        self._ended = 0.0

    async def answer(self, within: float = DATABASE_SECONDS) -> Answer:
        """The answer. Raises TimeoutError when there is none in time, and whatever asking raises."""
        task = self._task
        if task is None or (task.done() and time.monotonic() - self._ended >= self._fresh):
            task = self._task = asyncio.ensure_future(self._timed())
        done, _waiting = await asyncio.wait({task}, timeout=within)
        if not done:
            raise TimeoutError(f"no answer within {within:g} s")
        return task.result()

    async def _timed(self) -> Answer:
        try:
            return await self._ask()
        finally:
            self._ended = time.monotonic()

    async def close(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=DATABASE_SECONDS)


class Health:
    """Looks at the parts of the bot."""

    def __init__(self, database: Database, clock: Ticking, gateway: Gateway, ready: Callable[[], bool]) -> None:
        self._clock = clock
        self._gateway = gateway
        self._ready = ready
        self._database = database
        self._asked = Cached(self._ask, FRESH_SECONDS)

    async def parts(self, patience: float = GATEWAY_SECONDS) -> dict[str, str]:
        """Each part with ``ok`` or what ails it. A shard may be cut off for ``patience`` seconds."""
        return {
            "gateway": self._gateways(patience),
            "database": await self._databases(),
            "clock": self._clocks(),
        }

    async def close(self) -> None:
        """Look at nothing any more."""
        await self._asked.close()

    def _gateways(self, patience: float) -> str:
        if not self._ready():
            return "not connected to Discord yet"
        cut_off = [(shard, seconds) for shard, seconds in self._gateway.down.items() if seconds >= patience]
        if not cut_off:
            return OK
        return ", ".join(f"shard {shard} has been cut off for {seconds:.0f} s" for shard, seconds in sorted(cut_off))

    async def _databases(self) -> str:
        try:
            await self._asked.answer()
        except Exception as error:
            return safe_message(error)
        return OK

    def _clocks(self) -> str:
        late = self._clock.late()
        return OK if late < CLOCK_SECONDS else f"{late:.0f} s late"

    async def _ask(self) -> None:
        async with self._database.read() as connection:
            await connection.execute(text("SELECT 1"))
