"""Deletes messages that are over, so that a channel keeps a log that people can follow.

They are rows, written in the transaction that notes the next screen; so none is forgotten by a kill.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import discord
from sqlalchemy import Connection, RowMapping

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, is_our_mistake, trouble_of
from bot.domain.table import Table
from bot.observing.logs import set_log_fields
from bot.services.core import Core
from bot.store.claims import OLD_MESSAGES
from bot.store.sharing import forget_old_message
from bot.store.table import load_table
from bot.workers.worker import Client, Clock, Posts

log = logging.getLogger(__name__)

DELETE_SECONDS = 30.0
"""The seconds for a deletion by Discord; shorter than the lease."""


async def run_in_open_thread(client: Client, channel_id: int, work: Callable[[], Awaitable[None]]) -> None:
    """Do something in a channel; if that is an archived thread, open it and do it again."""
    try:
        await work()
    except discord.HTTPException as error:
        if trouble_of(error) is not Trouble.ARCHIVED:
            raise
        await client.reopen(channel_id)
        await work()


class Tidying(Posts):
    """Deletes the messages that are to be deleted, for which the bot needs no permission."""

    name = "old messages"
    rows = OLD_MESSAGES
    slots = 32
    patience = timedelta(days=14)
    longest = 6 * 3600.0

    def __init__(self, core: Core, clock: Clock, client: Client, current: Callable[[Table], Table]) -> None:
        super().__init__(core, clock)
        self._client = client
        self._current = current

    async def post(self, row: RowMapping) -> bool:
        """Delete a message, unless the table has come back to it."""
        message_id, channel_id = row["message_id"], row["channel_id"]
        table = await self._core.database.read(load_table, row["game_id"])
        if table is None:
            return True
        set_log_fields(game=table.id, guild=table.guild_id, channel=channel_id)
        current = self._current(table)
        if message_id == current.message_id or message_id in current.permanent_messages:
            return True
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            async with asyncio.timeout(DELETE_SECONDS):
                await run_in_open_thread(self._client, channel_id, message.delete)
        except DISCORD_ERRORS as error:
            reason = trouble_of(error)
            level = logging.ERROR if is_our_mistake(error) else logging.INFO
            log.log(level, "message %s of table %s cannot be deleted: %s", message_id, table.id, error)
            # The bot may not see the channel just now.
            return reason not in (Trouble.PASSING, Trouble.FORBIDDEN, Trouble.ARCHIVED)
        return True

    def mark_done(self, connection: Connection, item: int, due: datetime) -> None:
        forget_old_message(connection, item)
