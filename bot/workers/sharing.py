"""Redraws messages that are not a table's own, and deletes messages that are no longer needed.

The copy of a thread's lobby in the parent channel is redrawn when the lobby changes, and the list of a game's dares
when one of them changes. Standings and shared reports are redrawn when a player's data was deleted; if Discord does not
allow the edit, they are deleted. When a message was deleted, its row is deleted too.

Old messages are deleted so that a channel shows a readable history. Each is a row, which is added by the transaction
that stores the next screen, so a kill loses none.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

import discord
from sqlalchemy import Connection, RowMapping

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, is_our_mistake, trouble_of
from bot.discord_api.messages import edit_message
from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.locales import speaking_in
from bot.observing.logs import set_log_fields
from bot.observing.metrics import Where
from bot.services.coaching import report_game
from bot.services.core import Core, get_table
from bot.services.dare import save_message
from bot.store.claims import OLD_MESSAGES, SHARED_MESSAGES
from bot.store.dare import load_dares
from bot.store.sharing import forget_old_message, forget_shared, mark_lobby_shown
from bot.store.table import load_table
from bot.ui.coaching import render_report
from bot.ui.dare import render_dares
from bot.ui.lobby import render_lobby_copy
from bot.ui.message import Rendered
from bot.ui.table import render_standings, render_table
from bot.workers.worker import ChannelPosts, Client, Clock, Posts

log = logging.getLogger(__name__)

DELETE_SECONDS = 30.0
"""The time limit for deleting a message. Shorter than its lease."""

WORTH_ANOTHER_TRY = (Trouble.FORBIDDEN, Trouble.PASSING, Trouble.ARCHIVED, Trouble.TOO_OLD)
"""After these troubles, another try to edit or delete a message may succeed later."""


async def run_in_open_thread(client: Client, channel_id: int, work: Callable[[], Awaitable[None]]) -> None:
    """Run ``work``, which changes something in a channel. If that is an archived thread, reopen it and run it again."""
    try:
        await work()
    except discord.HTTPException as error:
        if trouble_of(error) is not Trouble.ARCHIVED:
            raise
        await client.reopen(channel_id)
        await work()


class Tidying(Posts):
    """Deletes old messages of the bot, for which it needs no permission."""

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
        """Delete a message, unless the table uses it again."""
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
            log.log(level, "the old message %s of table %s could not be deleted: %s", message_id, table.id, error)
            # A missing permission may be given later, for example to see the channel.
            return reason not in (Trouble.PASSING, Trouble.FORBIDDEN, Trouble.ARCHIVED)
        return True

    def mark_done(self, connection: Connection, item: int, due: datetime) -> None:
        forget_old_message(connection, item)


async def redraw_message(client: Client, channel_id: int, message_id: int, rendered: Rendered) -> bool:
    """Edit a message and return True. If Discord does not allow edits of it any more, delete it and return False.
    Raise Discord's other errors.
    """
    channel = client.get_partial_messageable(channel_id)
    try:
        await run_in_open_thread(client, channel_id, partial(edit_message, channel, message_id, rendered))
    except discord.HTTPException as error:
        if trouble_of(error) is not Trouble.TOO_OLD:
            raise
        await channel.get_partial_message(message_id).delete()
        return False
    return True


class SharedMessages(ChannelPosts):
    name = "shared messages"
    rows = SHARED_MESSAGES
    slots = 2
    """Few, because they are not urgent, and Discord limits edits of old messages."""
    patience = timedelta(days=4)

    async def post(self, row: RowMapping) -> bool:
        message_id = row["message_id"]
        set_log_fields(game=row["game_id"], channel=row["channel_id"])
        try:
            exists = await self._draw(row)
        except DISCORD_ERRORS as error:
            self._core.metrics.count_failure(Where.POST, error)
            log.warning("message %s, which is not its table's own, could not be redrawn: %s", message_id, error)
            if trouble_of(error) in WORTH_ANOTHER_TRY:
                return False
            exists = False
        if not exists:
            await self._core.database.write(forget_shared, message_id)
        return True

    async def _draw(self, shared: RowMapping) -> bool:
        """Edit, delete or replace a message. Return whether it still exists."""
        channel = self._client.get_partial_messageable(shared["channel_id"])
        if shared["what"] == Shared.THREAD.value:
            table = await get_table(self._core, shared["game_id"])
            await edit_message(channel, shared["message_id"], render_lobby_copy(table))
            await self._core.database.write(mark_lobby_shown, shared["message_id"], channel.id, table, self._core.now())
            return True
        if shared["what"] == Shared.DARES.value:
            return await self._draw_dares(channel, shared)
        return await redraw_message(self._client, channel.id, shared["message_id"], await self._render(shared))

    async def _draw_dares(self, channel: discord.PartialMessageable, shared: RowMapping) -> bool:
        """Redraw the dares of a game. Delete the message if no dare is left; replace it if it cannot be edited. Return
        whether the old message still exists.
        """
        message_id, table = shared["message_id"], await get_table(self._core, shared["game_id"])
        dares = await self._core.database.read(load_dares, table)
        if not dares.dares:
            await run_in_open_thread(self._client, channel.id, channel.get_partial_message(message_id).delete)
            return False
        with speaking_in(table.locale):
            rendered = render_dares(dares)
        exists = await redraw_message(self._client, channel.id, message_id, rendered)
        if not exists:
            posted, _trouble = await self.send(channel.id, f"dares:{table.id}:{message_id}", rendered)
            if posted is not None:
                await save_message(self._core, dares, posted)
        return exists

    async def _render(self, shared: RowMapping) -> Rendered:
        if shared["what"] == Shared.REPORT.value:
            table, made = await report_game(self._core, shared["game_id"])
            with speaking_in(table.locale):
                return render_report(table, made)
        table = await get_table(self._core, shared["game_id"])
        return render_table(table) if table.message_id == shared["message_id"] else render_standings(table)
