"""Telling tables that one of their players is away, or is back."""

from collections.abc import Callable, Hashable
from datetime import datetime

from sqlalchemy import Connection

from bot.observing.context import work_on
from bot.services.away import tell_tables
from bot.services.core import Core
from bot.store.away import Absence, claim
from bot.store.claims import next_post
from bot.store.models import absences
from bot.workers.clock import Clock
from bot.workers.worker import Worker


class Absences(Worker[Absence]):
    """Looks after who is away: from when they say so, and when they are back."""

    name = "absences"
    slots = 2

    def __init__(self, core: Core, clock: Clock, show: Callable[[str], None]) -> None:
        super().__init__(core, clock)
        self._show = show
        core.came_back = self.wake

    def key(self, item: Absence) -> Hashable:
        """One person on one server, until whenever they are away."""
        return item.guild_id, item.user_id

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """When somebody has said something, or is back."""
        return next_post(connection, absences)

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[Absence]:
        """Claim people whose tables are to be told."""
        return claim(connection, now, limit)

    def put_off(self, connection: Connection, item: Absence, until: datetime, begun: datetime) -> None:
        """Its claim has put it off."""

    async def handle(self, item: Absence) -> None:
        """Tell their tables, and show what has changed."""
        work_on(guild=item.guild_id)
        for table in await tell_tables(self._core, item):
            self._show(table.id)
