"""Real time for a world whose clock stands still unless somebody moves it."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from playground.simulated import Engine

log = logging.getLogger(__name__)

_TICK = 0.2
#: Behind by more than this means that time is still being made up for after a fast-forward.
_IN_STEP = 2.0


def real_now() -> datetime:
    return datetime.now(UTC)


class Ticker:
    """Keeps the world's clock at the wall clock plus an offset, which only ever grows.

    It advances by the distance to where the clock should be, never by the time that passed since the last
    tick: timers of the bot may have moved the clock in between, and a laptop may have slept.
    """

    def __init__(self, engine: Engine, acting: asyncio.Lock, offset: float) -> None:
        self.offset = offset
        self._engine = engine
        self._acting = acting
        self._in_step = asyncio.Event()
        self.on_step: Callable[[], None] = lambda: None

    def target(self) -> datetime:
        return real_now() + timedelta(seconds=self.offset)

    @property
    def behind(self) -> float:
        """Seconds still to be made up for after a fast-forward; 0 when in step."""
        behind = (self.target() - self._engine.now()).total_seconds()
        return behind if behind > _IN_STEP else 0.0

    async def run(self) -> None:
        while True:
            try:
                async with self._acting:
                    await self._engine.advance_to(self.target())
            except Exception:
                # Whatever a timer of the bot did, time has to go on.
                log.exception("The playground's clock stumbled")
            if self.behind:
                self.on_step()
                await asyncio.sleep(0)
                continue
            if not self._in_step.is_set():
                self._in_step.set()
                self.on_step()
            await asyncio.sleep(_TICK)

    def fast_forward(self, seconds: float) -> None:
        """Put the clock ahead; `caught_up` tells when the world is there."""
        self.offset += seconds
        self._in_step.clear()

    async def caught_up(self, within: float) -> bool:
        """Wait until the world's clock shows the time it should."""
        try:
            await asyncio.wait_for(self._in_step.wait(), within)
        except TimeoutError:
            return False
        return True
