"""The base of workers that ask Discord for what a row owes, once.

A program that dies in between asks again when its claim has run out; by the nonce Discord recognizes a message it has
already.
"""

import logging
from abc import abstractmethod
from datetime import timedelta
from typing import Any, ClassVar

from sqlalchemy import Connection, RowMapping

from bot.store.claims import load_claimed_row, mark_done
from bot.workers.worker import FIRST_RETRY, LAST_RETRY, PutOff, Worker

log = logging.getLogger(__name__)


class Posts(Worker[Any]):
    """Posts what rows owe, or does something else with a message."""

    patience: ClassVar[timedelta] = timedelta.max
    """The time after which a post that is due is given up."""
    longest: ClassVar[float] = LAST_RETRY
    """The most seconds between two tries."""

    @abstractmethod
    async def post(self, row: RowMapping) -> bool:
        """Post a message. Return whether there is nothing more to do about it."""

    def mark_done(self, connection: Connection, item: Any) -> None:
        mark_done(connection, self.rows, item)

    async def handle(self, item: Any) -> None:
        """Post a message, unless it is not owed any more; try again after as long as it has been due."""
        row = await self._core.database.read(load_claimed_row, self.rows, item)
        if row is None:
            return
        if not await self.post(row):
            late = self._core.now() - row[self.rows.due.name]
            if late < self.patience:
                raise PutOff(min(max(late.total_seconds(), FIRST_RETRY), self.longest))
            log.warning("%s: %s is given up", self.name, item)
        await self._core.database.write(self.mark_done, item)
