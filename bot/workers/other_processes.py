"""What is left behind by other processes that share the database, and what they may have changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.services.core import Core
from bot.store.leases import claim_owed

LOOK_AGAIN = 5.0
"""Seconds after which the clock looks again where there are other processes: nobody tells it what they do."""
AT_ONCE = 50
"""Tables taken over before the clock looks again."""


class OtherProcesses:
    """What the clock calls, every few seconds, where several processes share a database."""

    def __init__(
        self, core: Core, *, show: Callable[[str], None], remind: Callable[[], None], review: Callable[[], None]
    ) -> None:
        self._core = core
        self._show = show
        self._remind = remind
        self._review = review

    async def next_moment(self) -> datetime | None:
        """Nothing has a moment here."""
        return None

    async def run_due(self, now: datetime) -> None:
        """Show what nobody shows any more, send and work out what nobody does."""
        core = self._core
        # An administrator may have changed them in another process.
        core.guilds.clear()
        owed = await core.database.write(lambda connection: claim_owed(connection, now, AT_ONCE, core.process))
        for table_id in owed:
            self._show(table_id)
        self._remind()
        self._review()
