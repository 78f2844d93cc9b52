"""The ends of seasons."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.services.core import Core
from bot.store.season import OwedSeasonPost, claim, next_post

AT_ONCE = 50
"""Podiums claimed before the clock looks again."""


class SeasonMoments:
    """What the clock calls for the seasons. It claims the podiums that are due; ``post`` does it in its own time."""

    def __init__(self, core: Core, post: Callable[[OwedSeasonPost], None]) -> None:
        self._core = core
        self._post = post

    async def next_moment(self) -> datetime | None:
        """The earliest moment at which a podium is to be posted."""
        async with self._core.database.read() as connection:
            return await next_post(connection)

    async def run_due(self, now: datetime) -> None:
        """Claim what is due and hand it on. What is not posted comes again by itself."""
        first = await self.next_moment()
        if first is not None and first <= now:
            for owed in await self._core.database.write(lambda connection: claim(connection, now, AT_ONCE)):
                self._post(owed)
