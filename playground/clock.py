"""Keeps the clock of the simulated Discord running. simcord's own clock stands still."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from playground.simulated import Engine

log = logging.getLogger(__name__)

_TICK = 0.2
#: A clock that is more than these seconds behind is still catching up after a fast-forward.
_MOST_BEHIND = 2.0


def real_now() -> datetime:
    return datetime.now(UTC)


class Ticker:
    """Keeps the simulated clock at the wall-clock time plus an offset, which only grows.

    Each tick computes the time that the clock should show. Adding the time since the last tick would be wrong, because
    the bot's timers may have moved the clock in the meantime, and a laptop may have been asleep.
    """

    def __init__(self, engine: Engine, acting: asyncio.Lock, offset: float) -> None:
        self.offset = offset
        self._engine = engine
        self._acting = acting
        self._caught_up = asyncio.Event()
        self.on_tick: Callable[[], None] = lambda: None

    def target(self) -> datetime:
        return real_now() + timedelta(seconds=self.offset)

    @property
    def behind(self) -> float:
        """The seconds that the clock still has to catch up after a fast-forward, or 0."""
        behind = (self.target() - self._engine.now()).total_seconds()
        return behind if behind > _MOST_BEHIND else 0.0

    async def run(self) -> None:
        while True:
            try:
                async with self._acting:
                    await self._engine.advance_to(self.target())
            except Exception:
                # The clock must continue even if one of the bot's timers fails.
                log.exception("The playground's clock could not advance; it tries again")
            if self.behind:
                self.on_tick()
                await asyncio.sleep(0)
                continue
            if not self._caught_up.is_set():
                self._caught_up.set()
                self.on_tick()
            await asyncio.sleep(_TICK)

    def fast_forward(self, seconds: float) -> None:
        """Start to move the clock ahead. Await `wait_until_caught_up` to know when it has arrived."""
        self.offset += seconds
        self._caught_up.clear()

    async def wait_until_caught_up(self, within: float) -> bool:
        """Wait at most `within` seconds for the clock. Return whether it has caught up."""
        try:
            await asyncio.wait_for(self._caught_up.wait(), within)
        except TimeoutError:
            return False
        return True
