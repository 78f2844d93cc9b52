"""The moments of the daily challenges: the ends of days, and messages that are owed since somebody finished."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.services.core import Core
from bot.store.daily import OwedDailyPost, claim, next_post

AT_ONCE = 100
"""Messages of each kind that are claimed before the clock looks again."""


class DailyMoments:
    """What the clock calls for the daily challenges. It claims what is due; ``post`` does it in its own time."""

    def __init__(self, core: Core, post: Callable[[OwedDailyPost], None]) -> None:
        self._core = core
        self._post = post

    async def next_moment(self) -> datetime | None:
        """The earliest moment at which anything is to be posted."""
        async with self._core.database.read() as connection:
            return await next_post(connection)

    async def run_due(self, now: datetime) -> None:
        """Claim what is due and hand it on. What is not posted comes again by itself."""
        async with self._core.database.read() as connection:
            first = await next_post(connection)
        if first is None or first > now:
            return
        for owed in await self._core.database.write(lambda connection: claim(connection, now, AT_ONCE)):
            self._post(owed)
