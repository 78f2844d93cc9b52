"""Deleting what is over, so that a channel keeps a log that people can follow.

Pages that others have followed are rows, written with the note of what follows them; so none is forgotten by a kill.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

import discord

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.domain.pages import OldMessage
from bot.domain.table import Table
from bot.observing.context import also, work_on
from bot.services.core import Core
from bot.store.claims import OLD_MESSAGES, claimed_row
from bot.store.old_messages import forget_old
from bot.store.rows import from_row
from bot.store.table import load_table
from bot.workers.clock import Clock
from bot.workers.worker import PutOff, Worker

log = logging.getLogger(__name__)

DELETE_SECONDS = 30.0
"""How long Discord may take; shorter than the lease."""
RETRY_SECONDS = 60.0
LAST_RETRY_SECONDS = 6 * 3600.0
"""Until what could not be deleted is tried again: half as long as it has been tried for, between these two."""
GIVEN_UP = timedelta(days=14)


class Channels(Protocol):
    """What is needed of the client."""

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        """A channel by its id."""

    async def reopen(self, channel_id: int) -> None:
        """Open an archived thread again."""


class Tidying(Worker[int]):
    """Deletes the messages that are to be deleted. Whose they are needs no permission."""

    name = "old messages"
    rows = OLD_MESSAGES
    slots = 32

    def __init__(self, core: Core, clock: Clock, channels: Channels, current: Callable[[Table], Table]) -> None:
        super().__init__(core, clock)
        self._channels = channels
        self._current = current

    async def handle(self, item: int) -> None:
        """Delete a message, unless the table has come back to it."""
        async with self._core.database.reading() as connection:
            row = await connection.run_sync(claimed_row, self.rows, item)
            table = None if row is None else await connection.run_sync(load_table, row["game_id"])
        if row is None or table is None:
            return
        old = from_row(OldMessage, row)
        work_on(game=table.id)
        also(guild=table.guild_id, channel=old.channel_id)
        current = self._current(table)
        if item != current.message_id and item not in current.kept:
            try:
                async with asyncio.timeout(DELETE_SECONDS):
                    await self._delete(old)
            except DISCORD_ERRORS as error:
                self._check(old, error)
        await self._core.database.write(forget_old, item)

    async def _delete(self, old: OldMessage) -> None:
        message = self._channels.get_partial_messageable(old.channel_id).get_partial_message(old.message_id)
        try:
            await message.delete()
        except discord.HTTPException as error:
            if trouble(error) is not Trouble.ARCHIVED:
                raise
            await self._channels.reopen(old.channel_id)
            await message.delete()

    def _check(self, old: OldMessage, error: BaseException) -> None:
        """Raises PutOff where another try may do better."""
        reason, since = trouble(error), self._core.now() - (old.due_at or self._core.now())
        log.log(
            logging.ERROR if reason is Trouble.REFUSED else logging.INFO,
            *("message %s of table %s cannot be deleted: %s", old.message_id, old.game_id, error),
        )
        # It may be that the bot does not see the channel just now.
        if reason in (Trouble.PASSING, Trouble.FORBIDDEN, Trouble.ARCHIVED) and since < GIVEN_UP:
            raise PutOff(min(max(RETRY_SECONDS, since.total_seconds() / 2), LAST_RETRY_SECONDS)) from error
