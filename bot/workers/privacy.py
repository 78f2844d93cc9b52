"""Deletes the data of servers that have removed the bot, and marks (hashes of user ids) whose key has expired."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import discord
from sqlalchemy import Connection

from bot.observing.logs import set_log_fields
from bot.services.core import Core
from bot.services.privacy import purge_some
from bot.store.claims import GUILDS_LEFT
from bot.store.marks import delete_ended_marks, next_end_of_marks
from bot.workers.worker import Clock, Worker


class Purges(Worker[int]):
    """Deletes a server's data in small transactions, so that other writers do not wait long."""

    name = "purges"
    rows = GUILDS_LEFT
    slots = 1

    def __init__(self, core: Core, clock: Clock, client: discord.Client, days: float) -> None:
        super().__init__(core, clock)
        self._client = client
        self._after = timedelta(days=days)

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """Return when the next server's data is due to be deleted, or None until the bot knows its servers."""
        first = super().next_moment(connection, now - self._after) if self._client.is_ready() else None
        return None if first is None else first + self._after

    def claim(self, connection: Connection, now: datetime, limit: int) -> Sequence[int]:
        return super().claim(connection, now - self._after, limit)

    def put_off(self, connection: Connection, item: int, until: datetime, begun: datetime) -> None:
        """Keep a server claimed. The time in its row is when it removed the bot, not when its data is due for deletion.
        So all times are moved by the days in between.
        """
        super().put_off(connection, item, until - self._after, begun - self._after)

    async def handle(self, item: int) -> None:
        """Delete some rows. If more are left, continue after other servers have had their turn."""
        set_log_fields(guild=item)
        if not await purge_some(self._core, item, is_present=self._client.get_guild(item) is not None):
            self.wake(item)


class EndedMarks(Worker[str]):
    """Deletes expired keys and their marks. Claiming deletes the rows; handling truncates SQLite's log, in which they
    would remain.
    """

    name = "marks"
    slots = 1

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        return next_end_of_marks(connection)

    def claim(self, connection: Connection, now: datetime, limit: int) -> Sequence[str]:
        """Delete some expired keys of any servers. Return one item if there were any. Several processes may do this at
        the same time.
        """
        return [self.name] if delete_ended_marks(connection, now) else []

    def put_off(self, connection: Connection, item: str, until: datetime, begun: datetime) -> None:
        """Do nothing: the rows are deleted already."""

    async def handle(self, item: str) -> None:
        await self._core.database.truncate_log()
