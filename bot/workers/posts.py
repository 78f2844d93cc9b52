"""The base of workers that ask Discord for what a row owes, once.

A program that dies in between asks again when its claim has run out; by the nonce Discord recognizes a message it has
already.
"""

import asyncio
import logging
from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

from sqlalchemy import Connection, RowMapping

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, is_our_mistake, trouble_of
from bot.discord_api.messages import POST_SECONDS, post_quietly
from bot.observing.metrics import Where
from bot.services.core import Core
from bot.store.claims import load_claimed_row, mark_done
from bot.ui.message import Rendered
from bot.workers.clock import Clock
from bot.workers.worker import FIRST_RETRY, LAST_RETRY, Client, PutOff, Worker

log = logging.getLogger(__name__)

PATIENCE = timedelta(days=2)
"""The time after which a message in a channel is no news any more."""


class Posts(Worker[Any]):
    """Posts what rows owe, or does something else with a message."""

    patience: ClassVar[timedelta] = timedelta.max
    """The time after which a post that is due is given up."""
    longest: ClassVar[float] = LAST_RETRY
    """The most seconds between two tries."""

    @abstractmethod
    async def post(self, row: RowMapping) -> bool:
        """Post a message. Return whether there is nothing more to do about it."""

    async def give_up(self, row: RowMapping) -> None:
        """Return what was used up for a post that will not be sent. By default nothing was."""

    def mark_done(self, connection: Connection, item: Any, due: datetime) -> None:
        mark_done(connection, self.rows, item, due)

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
            await self.give_up(row)
        await self._core.database.write(self.mark_done, item, row[self.rows.due.name])


class ChannelPosts(Posts):
    """Posts into channels of servers."""

    patience = PATIENCE

    def __init__(self, core: Core, clock: Clock, client: Client) -> None:
        super().__init__(core, clock)
        self._client = client

    async def send(
        self, channel_id: int, key: str, rendered: Rendered, users: Sequence[int] = ()
    ) -> tuple[int | None, Trouble | None]:
        """Send a message that notifies ``users``, of which Discord takes one with this key.

        Return its id, or the trouble that prevented it.
        """
        channel = self._client.get_partial_messageable(channel_id)
        try:
            message = await post_quietly(channel, key, *users, **await rendered.sending())
        except DISCORD_ERRORS as error:
            self._core.metrics.count_failure(Where.POST, error)
            reason = trouble_of(error)
            if is_our_mistake(error):
                log.exception("%s: Discord does not take %s", self.name, key)
            else:
                log.warning("%s: %s could not be posted in channel %s: %s", self.name, key, channel_id, error)
            return None, reason
        return message.id, None

    async def tell(self, user_id: int, text: str, nonce: str, guild_id: int | None = None) -> bool:
        """Send a user a direct message, unless they have left this server. Return False if they take none."""
        try:
            async with asyncio.timeout(POST_SECONDS):
                if guild_id is None or await self._client.is_member(guild_id, user_id):
                    await self._client.send_directly(user_id, text, nonce)
        except DISCORD_ERRORS as error:
            log.info("%s: user %s takes no direct message: %s", self.name, user_id, error)
            return False
        return True
