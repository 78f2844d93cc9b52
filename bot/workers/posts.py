"""What the workers have in common that ask Discord for what a row owes, once.

A program that dies in between asks when its claim has run out; the nonce lets Discord recognise a message it has
already.
"""

import logging
from abc import abstractmethod
from datetime import timedelta
from typing import Any, ClassVar

import discord
from sqlalchemy import Connection, RowMapping

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.messages import post_quietly
from bot.observing.metrics import Where
from bot.store.claims import claimed_row, mark_done
from bot.ui.message import Rendered
from bot.workers.worker import FIRST_RETRY, LAST_RETRY, PutOff, Worker

log = logging.getLogger(__name__)


class Posts(Worker[Any]):
    """Posts what rows owe, or does something else with a message."""

    patience: ClassVar[timedelta] = timedelta.max
    """What could not be done for so long after it was due is given up."""
    longest: ClassVar[float] = LAST_RETRY
    """Seconds between two tries at most."""

    @abstractmethod
    async def post(self, row: RowMapping) -> bool:
        """Post a message. Returns whether there is nothing more to do about it."""

    def done(self, connection: Connection, item: Any) -> None:
        """Note that nothing is owed any more."""
        mark_done(connection, self.rows, item)

    async def handle(self, item: Any) -> None:
        """Post a message, unless that is over and done with; again after as long as it has been due."""
        row = await self._core.database.read(claimed_row, self.rows, item)
        if row is None:
            return
        if not await self.post(row):
            late = self._core.now() - row[self.rows.due.name]
            if late < self.patience:
                raise PutOff(min(max(late.total_seconds(), FIRST_RETRY), self.longest))
            log.warning("%s: %s is given up", self.name, item)
        await self._core.database.write(self.done, item)

    async def _send(self, channel: discord.PartialMessageable, key: str, rendered: Rendered) -> Trouble | None:
        """Send a message, of which Discord takes one of the same key. Returns why it was not sent."""
        try:
            await post_quietly(channel, key, **await rendered.sending())
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.POST, error)
            reason = trouble_of(error)
            if reason is Trouble.REFUSED:
                log.exception("%s: Discord does not take %s", self.name, key)
            else:
                log.warning("%s: %s could not be posted in channel %s: %s", self.name, key, channel.id, error)
            return reason
        return None
