"""How one table gets onto its channel: its page is edited, or sent as a new message, once."""

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

import discord

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import custom_ids, edit, edited, mentions
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.services.core import Core, server_settings
from bot.services.lobby import begin
from bot.store.table import Shown, load_table
from bot.ui.table import render_page
from bot.workers.display_state import REMEMBERED, DisplayState

log = logging.getLogger(__name__)

NONCE_KNOWN = timedelta(minutes=2)
"""So long Discord surely knows a nonce; it says "the past few minutes"."""
LOOKED_BACK = 20
"""Messages among which one that was sent before would be."""


class Channels(Protocol):
    """What is needed of the client."""

    @property
    def user(self) -> discord.ClientUser | None:
        """The bot."""

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        """A channel by its id."""

    def may_post(self, channel_id: int) -> bool:
        """Whether the bot has every permission it needs there, as far as it knows."""

    async def reopen(self, channel_id: int) -> None:
        """Open an archived thread again."""


class Pages:
    """Sends and edits the messages of tables, and knows what it has sent."""

    def __init__(self, core: Core, channels: Channels, redraw: Callable[[str], None]) -> None:
        self.state = DisplayState(core)
        self._core = core
        self._channels = channels
        self._redraw = redraw
        self._tried: Recent[str, datetime] = Recent(REMEMBERED)
        self._inherited: set[str] = set()
        self._closed: Recent[str, int] = Recent(REMEMBERED)
        self._unclosed: Recent[str, dict[int, int | None]] = Recent(REMEMBERED)
        """Messages with buttons that they should not have any more, and the page that is over; None: only those go."""

    def inherit(self, table_id: str) -> None:
        """An earlier process, or another one, may have sent this table's page without noting it."""
        self._inherited.add(table_id)

    def note(self, table: Table, message_id: int, page: int | None = None) -> None:
        """Note that a table was shown on a message.

        ``page`` is the page the message shows, the table's own unless only an earlier one was closed. Two answers can
        cross on their way: when a newer version was shown before this one, the channel now has the older picture, and
        the newest is shown once more.
        """
        if self.state.newer(table) is not None:
            self._redraw(table.id)
            return
        self.state.note(Shown(table.id, table.version, table.page if page is None else page, message_id))

    def sending(self, table: Table) -> bool:
        """Whether a message that is to follow the table's was sent, as far as is known in vain."""
        return _nonce(table) in self._tried

    def closed(self, table: Table) -> None:
        """Note that the table's message has lost its buttons, so that it is not edited twice."""
        self._closed[table.id] = table.message_id or 0

    async def close_again(self, table: Table) -> None:
        """Close what Discord did not let us close when the table went on elsewhere. Raises what Discord answers."""
        channel = self._channels.get_partial_messageable(table.channel_id)
        for message_id, page in [*self._unclosed.get(table.id, {}).items()]:
            if page is not None:
                await edited(channel, message_id, render_page(table, page))
            elif message_id != self.state.current(table).message_id:
                await self._take_buttons(channel, message_id)
            self._unclosed[table.id].pop(message_id)
        self._unclosed.pop(table.id, None)

    def left_unclosed(self, table_id: str) -> bool:
        """Whether there is anything of that kind."""
        return table_id in self._unclosed

    def forget(self, table: Table) -> None:
        """Give a table's page up."""
        self._tried.pop(_nonce(table), None)
        self._inherited.discard(table.id)

    async def take_buttons(self, table: Table, message_id: int) -> None:
        """Take the buttons off a message that is not the table's any more. What opened a game has none."""
        if message_id == table.opening_id:
            return
        channel = self._channels.get_partial_messageable(table.channel_id)
        try:
            await self._take_buttons(channel, message_id)
        except DISCORD_ERRORS as error:
            _keeps_buttons(table, error)
            if trouble(error) is Trouble.PASSING:
                self._leave(table, message_id)
                self._redraw(table.id)

    async def _take_buttons(self, channel: discord.PartialMessageable, message_id: int) -> None:
        try:
            await channel.get_partial_message(message_id).edit(view=None)
        except discord.NotFound:
            return

    def _leave(self, table: Table, message_id: int, page: int | None = None) -> None:
        self._unclosed[table.id] = {**self._unclosed.get(table.id, {}), message_id: page}

    async def show(self, table: Table) -> None:
        """Show a table, after opening its thread again where that is archived."""
        try:
            await self._show(table)
        except discord.HTTPException as error:
            if trouble(error) is not Trouble.ARCHIVED:
                raise
            await self._channels.reopen(table.channel_id)
            await self._show(self.state.current(table))

    async def _show(self, table: Table) -> None:
        channel = self._channels.get_partial_messageable(table.channel_id)
        rendered = render_page(table, table.page)
        if table.message_id is not None and table.shown_page == table.page:
            # A table in own pace lives on one message all day: it owes nothing where Discord takes no more edits.
            if await edited(channel, table.message_id, rendered, too_old=not table.turn_order.shared):
                # An answer that has closed the page meanwhile may have been overtaken: it is closed once more.
                self._closed.pop(table.id, None)
                await self._arrived(table, table.message_id)
                return
        elif table.message_id not in (None, table.opening_id, self._closed.pop(table.id, None)):
            await self._close(channel, table.message_id, table)
        if (earlier := await self._sent_before(channel, table)) is not None:
            # What opened the game is never edited: Discord would mark it, see docs/fairness.md.
            if table.opening or await edited(channel, earlier, rendered):
                await self._arrived(table, earlier)
                return
            table = self._lost(table, earlier)
        # A page that was shown before, and whose message is gone, notifies nobody a second time.
        repeated = table.shown_page == table.page
        if _nonce(table) not in self._tried:
            self._tried[_nonce(table)] = self._core.now()
        message = await channel.send(
            **await rendered.sending(),
            nonce=_nonce(table),
            allowed_mentions=await self._mentions(table, () if repeated else rendered.notify),
        )
        # Where the buttons differ, Discord had taken an earlier try whose answer was lost, and the table has moved on.
        newest = [button.custom_id for button in rendered.buttons]
        if custom_ids(message) == newest:
            await self._arrived(table, message.id, new=True)
        elif await edited(channel, message.id, rendered):
            await self._arrived(table, message.id)
        else:
            self._lost(table, message.id)
            self._redraw(table.id)

    async def _arrived(self, table: Table, message_id: int, *, new: bool = False) -> None:
        if table.opening:
            # Before it is noted as shown: until its id is stored, the opening is owed.
            await begin(self._core, table.id, message_id)
            self.forget(table)
            self.note(table, message_id)
            self._redraw(table.id)
            return
        self.forget(table)
        known = self.state.current(table)
        elsewhere = known.message_id
        if elsewhere in (None, table.message_id, message_id):
            self.note(table, message_id)
        elif message_id == table.message_id or (known.shown_version >= table.version and (elsewhere or 0) > message_id):
            # `/highscore show` has moved the table meanwhile: there is one message too many.
            await self.take_buttons(table, message_id)
            if message_id == table.message_id:
                self._redraw(table.id)
            return
        else:
            # Noted first: whoever shows the table meanwhile has to know what to take the buttons off.
            self.note(table, message_id)
            await self.take_buttons(table, elsewhere or 0)
        if not new and not self.state.is_newest(table):
            # An answer with a newer picture may have been overtaken. None was before on a message that is new: whoever
            # changes the table shows it, and one more edit would put back the dice that were picked on it since.
            self._redraw(table.id)
        elif self._core.database.shared:
            await self._leave_closed(table, message_id)

    async def _leave_closed(self, table: Table, message_id: int) -> None:
        """Another process may have gone on meanwhile, and have closed this page before this picture came."""
        async with self._core.database.read() as connection:
            newest = await load_table(connection, table.id)
        if newest is not None and newest.page > table.page:
            await self.take_buttons(table, message_id)

    def _lost(self, table: Table, message_id: int) -> Table:
        """The table after a message that an earlier try had made, and that is gone or too old before it was noted.

        The next message follows that one, so it has another nonce, or Discord would answer with the lost one again.
        """
        before = replace(table, version=table.shown_version, message_id=message_id, shown_page=table.page)
        self._tried.pop(_nonce(table), None)
        self.note(before, message_id)
        return replace(before, version=table.version)

    async def _sent_before(self, channel: discord.PartialMessageable, table: Table) -> int | None:
        """A message of this table that Discord took from an earlier try, and would not know by the nonce."""
        first = self._tried.get(_nonce(table))
        known = first is None or self._core.now() - first < NONCE_KNOWN
        if known and table.id not in self._inherited:
            return None
        async for message in channel.history(limit=LOOKED_BACK):
            ours = message.author == self._channels.user and message.id > (table.message_id or 0)
            if ours and _is_page(message, table):
                return message.id
        return None

    async def _mentions(self, table: Table, user_ids: Collection[int]) -> discord.AllowedMentions:
        """These people, but nobody in the server's quiet hours."""
        quiet = (await server_settings(self._core, table.guild_id)).clock_rules.quiet
        if quiet is not None and quiet.holds(self._core.now()):
            return mentions()
        return mentions(*user_ids)

    async def _close(self, channel: discord.PartialMessageable, message_id: int, table: Table) -> None:
        try:
            await edit(channel, message_id, render_page(table, table.shown_page))
        except DISCORD_ERRORS as error:
            reason = trouble(error)
            if reason is Trouble.ARCHIVED:
                raise
            if reason is Trouble.PASSING:
                self._leave(table, message_id, table.shown_page)
            _keeps_buttons(table, error)


def _nonce(table: Table) -> str:
    """Makes Discord answer a repeated send of a page with the message it has already made, also of another process.

    As ``enforce_nonce`` is documented, which discord.py sets: https://discord.com/developers/docs/resources/message#create-message
    ("If another message was created by the same author with the same nonce, that message will be returned").
    Not the version: it may have grown since an attempt whose answer was lost. Nor the message before: another process
    may not know of it yet. Only a page whose message was lost has a further one. Discord takes 25 characters.
    """
    lost = table.message_id if table.shown_page == table.page else None
    return f"{table.id}.{table.page}.{(lost or 0) % 10**9}"


def _is_page(message: discord.Message, table: Table) -> bool:
    """Whether this is the opening of a table that waits for it, or for others, any page with buttons."""
    if table.opening:
        return any(table.seal in (field.value or "") for embed in message.embeds for field in embed.fields)
    return any(f":{table.id}:" in str(custom_id) for custom_id in custom_ids(message))


def _keeps_buttons(table: Table, error: BaseException) -> None:
    # Harmless: the buttons are stale, and say so when they are pressed.
    log.info("the old message of table %s keeps its buttons: %s", table.id, error)
