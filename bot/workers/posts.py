"""What the workers have in common that post what a row owes, once.

Claiming a message puts it off until the next try. So a program that dies in between posts it then; the nonce lets
Discord recognise a message it has already.
"""

import logging
from abc import abstractmethod
from collections.abc import Hashable, Sequence
from datetime import datetime
from typing import ClassVar

import discord
from sqlalchemy import Connection, Table

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import post
from bot.observing.metrics import Where
from bot.store.posts import OwedPost, claim_posts, next_post, posted, still_owed
from bot.ui.message import Rendered
from bot.workers.worker import Worker

log = logging.getLogger(__name__)


class Posts(Worker[OwedPost]):
    """Posts what the rows of some tables owe."""

    tables: ClassVar[Sequence[Table]]

    @abstractmethod
    async def post(self, item: OwedPost) -> bool:
        """Post a message. Returns whether there is nothing more to do about it."""

    def key(self, item: OwedPost) -> Hashable:
        """One message, whichever try it is."""
        return item.key

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """When the next of them is due."""
        return next_post(connection, *self.tables)

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[OwedPost]:
        """Claim what is to be posted."""
        return claim_posts(connection, self.tables, now, limit)

    def put_off(self, connection: Connection, item: OwedPost, until: datetime, begun: datetime) -> None:
        """Its claim has put it off."""

    async def handle(self, item: OwedPost) -> None:
        """Post a message, unless that is over and done with."""
        if await self._core.database.read(still_owed, item) and await self.post(item):
            await self._core.database.write(posted, item)

    async def _send(
        self, channel: discord.PartialMessageable, key: str, rendered: Rendered, item: OwedPost
    ) -> Trouble | None:
        """Send a message, of which Discord takes one of the same key. Returns why it was not sent."""
        try:
            await post(channel, key, **await rendered.sending())
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.POST, error)
            reason = trouble(error)
            if reason is Trouble.REFUSED:
                log.exception("Discord does not take %s", item)
            else:
                log.warning("%s could not be posted in channel %s: %s", item, channel.id, error)
            return reason
        return None
