"""Deletes the keys of marks whose moment has come, such as those of a day that is over."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from bot.store.marks import delete_ended_marks, next_end_of_marks
from bot.workers.worker import Worker


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
