"""The moments at which the data of servers that removed the bot is deleted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.services.core import Core
from bot.services.purges import next_purge, purge


class DepartureMoments:
    """What the clock calls for servers that left."""

    def __init__(
        self, core: Core, days: float, *, connected: Callable[[], bool], present: Callable[[int], bool]
    ) -> None:
        self._core = core
        self._days = days
        self._connected = connected
        self._present = present

    async def next_moment(self) -> datetime | None:
        """When the next server is due. Never before it is known which servers the bot is in."""
        return await next_purge(self._core, self._days) if self._connected() else None

    async def run_due(self, now: datetime) -> None:
        """Delete what is due."""
        moment = await self.next_moment()
        if moment is not None and moment <= now:
            await purge(self._core, self._days, self._present)
