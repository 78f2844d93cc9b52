"""Deletes the data of servers that removed the bot, and marks of deletions that have expired."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from bot.observing.logs import set_log_fields
from bot.services.core import Core
from bot.services.privacy import purge_some
from bot.store.claims import GUILDS_LEFT
from bot.store.marks import delete_ended_marks, next_end_of_marks
from bot.workers.worker import Clock, Worker


class Purges(Worker[int]):
    """Deletes a server's data in small transactions, between which others get their turn."""

    name = "purges"
    rows = GUILDS_LEFT
    slots = 1

    def __init__(
        self, core: Core, clock: Clock, days: float, *, connected: Callable[[], bool], present: Callable[[int], bool]
    ) -> None:
        super().__init__(core, clock)
        self._after = timedelta(days=days)
        self._connected = connected
        self._present = present

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """Return the moment the next server is due, or None while the bot's servers are not known."""
        first = super().next_moment(connection, now - self._after) if self._connected() else None
        return None if first is None else first + self._after

    def claim(self, connection: Connection, now: datetime, limit: int) -> Sequence[int]:
        return super().claim(connection, now - self._after, limit)

    def put_off(self, connection: Connection, item: int, until: datetime, begun: datetime) -> None:
        """Hold a server, whose moment is some days before it is due."""
        super().put_off(connection, item, until - self._after, begun - self._after)

    async def handle(self, item: int) -> None:
        """Delete some rows, and go on when others had their turn."""
        set_log_fields(guild=item)
        if not await purge_some(self._core, item, self._present):
            self.wake(item)


class EndedMarks(Worker[str]):
    """Claims keys by deleting them, and handles them by overwriting what was deleted."""

    name = "marks"
    slots = 1

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        return next_end_of_marks(connection)

    def claim(self, connection: Connection, now: datetime, limit: int) -> Sequence[str]:
        """Delete some keys of all servers. Several processes may do it."""
        return [self.name] if delete_ended_marks(connection, now) else []

    def put_off(self, connection: Connection, item: str, until: datetime, begun: datetime) -> None:
        """Do nothing: the rows are gone."""

    async def handle(self, item: str) -> None:
        await self._core.database.truncate_log()
