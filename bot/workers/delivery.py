"""Showing what was committed.

A move is committed first and shown afterwards, usually as the answer to the click itself. Whatever could not be shown
that way is *owed*: ``Table.owed`` says so in the database, and one short-lived task a table shows the newest version,
trying again while Discord is out of order. Nothing that was committed is ever undone because its picture could not be
delivered.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

import discord
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import custom_ids, edit, edited, mentions
from bot.domain.deadlines import resumed
from bot.domain.table import Table
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.absence import close
from bot.services.core import Core, server_settings
from bot.services.deadlines import pause, resume
from bot.store.leases import SHOW, may_show, release_owed
from bot.store.table import Shown, load_table, mark_shown, owed_tables
from bot.ui.table import render_page
from bot.workers.display_state import DisplayState

log = logging.getLogger(__name__)

FIRST_RETRY = 2.0
LAST_RETRY = 300.0
"""Seconds between two tries at the same table: doubled each time, between these two."""
DRAIN_SECONDS = 8.0
"""How long ``close`` waits for deliveries in flight; a graceful stop has ten seconds."""
GIVEN_UP = timedelta(hours=6)
"""So long no other process tries what was given up here, unless the table changes."""
NONCE_KNOWN = timedelta(minutes=2)
"""So long Discord surely knows a nonce; it says "the past few minutes"."""
LOOKED_BACK = 20
"""Messages among which one that was sent before would be."""


class Channels(Protocol):
    """What is needed of the client."""

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        """A channel by its id."""

    def may_post(self, channel_id: int) -> bool:
        """Whether the bot has every permission it needs there, as far as it knows."""

    async def reopen(self, channel_id: int) -> None:
        """Open an archived thread again."""


class Delivery:
    """Shows tables in their channels."""

    def __init__(self, core: Core, places: Channels) -> None:
        self._core = core
        self._places = places
        self._asleep: set[str] = set()
        self._tried: dict[str, datetime] = {}
        self._inherited: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._shown = DisplayState(core)
        self._closed: dict[str, int] = {}
        self._stopping = False

    async def start(self) -> None:
        """Begin with everything that was owed when the bot stopped."""
        if self._core.database.shared:
            return  # Others may be showing it just now; bot.workers.other_processes finds what nobody shows.
        async with self._core.database.read() as connection:
            owed = await owed_tables(connection)
        for table_id in owed:
            self.adopt(table_id)
        if owed:
            log.info("showing %d tables that were owed", len(owed))

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is in flight, within ``seconds`` if they are given; the rest stays owed in the database."""
        self._stopping = True
        for table_id in self._asleep:
            # Waits for Discord to recover, perhaps for minutes: nothing is in flight.
            self._tasks[table_id].cancel()
        time = asyncio.get_running_loop().time
        until = time() + (DRAIN_SECONDS if seconds is None else seconds)
        # Again and again: what is shown last has to be noted, too, or it would be shown once more after the start.
        while pending := self._pending():
            _done, late = await asyncio.wait(pending, timeout=max(0.0, until - time()))
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self._core.database.shared:
            process = self._core.process
            await self._core.database.write(lambda connection: release_owed(connection, process))

    async def settled(self) -> None:
        """Wait until nothing is being delivered or noted."""
        while pending := self._pending():
            await asyncio.wait(pending)

    def current(self, table: Table) -> Table:
        """The table with what this process knows of its message, which may be newer than the database's note."""
        return self._shown.current(table)

    def adopt(self, table_id: str) -> None:
        """Show a table that another process has left owed, or an earlier one: it may have died before it noted what
        it had sent, perhaps long ago, or as the answer to a command, which has no nonce."""
        self._inherited.add(table_id)
        self.request_redraw(table_id)

    def request_redraw(self, table_id: str) -> None:
        """Show the newest version of a table soon, also when it was shown before."""
        self._again.add(table_id)
        running = self._tasks.get(table_id)
        # A task that has ended stays here until its callback runs; it looks at nothing any more.
        if (running is None or running.done()) and not self._stopping:
            task = asyncio.create_task(self._deliver(table_id), name=f"deliver table {table_id}")
            self._tasks[table_id] = task
            task.add_done_callback(partial(self._ended, table_id))

    def _ended(self, table_id: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(table_id) is task:
            del self._tasks[table_id]

    def note(self, table: Table, message_id: int, page: int | None = None) -> None:
        """Note that a table was shown on a message.

        ``page`` is the page the message shows, the table's own unless only an earlier one was closed. Two answers can
        cross on their way: when a newer version was shown before this one, the channel now has the older picture, and
        the newest is shown once more.
        """
        if self._shown.newer(table) is not None:
            self.request_redraw(table.id)
            return
        self._shown.note(Shown(table.id, table.version, table.page if page is None else page, message_id))

    def committed(self, table: Table) -> None:
        """Called with every table that was changed."""
        self._shown.committed(table)

    async def newer(self, table: Table) -> Table | None:
        """The table as it is now, if it has moved on from the version that has just been shown.

        Whatever shows the newer one may have reached Discord before.
        """
        if self._shown.is_newest(table):
            return None
        async with self._core.database.read() as connection:
            found = await load_table(connection, table.id)
        return None if found is None or found.version <= table.version else self.current(found)

    def sending(self, table: Table) -> bool:
        """Whether a message that is to follow the table's was sent, as far as is known in vain."""
        return _nonce(table) in self._tried

    def closed(self, table: Table) -> None:
        """Note that the page the table's message shows has lost its buttons, so that it is not edited twice."""
        self._closed[table.id] = table.shown_page

    async def forget(self, table: Table) -> None:
        """A table that is over and that nobody can see any more is owed to nobody."""
        self._tried.pop(_nonce(table), None)
        if not table.status.open:
            now_shown = Shown(table.id, table.version, table.page, table.message_id or 0)
            await self._core.database.write(lambda connection: mark_shown(connection, [now_shown]))

    async def move(self, table: Table, message_id: int) -> None:
        """Note that a table is shown on a new message from now on, and take the buttons off the old one."""
        before = self.current(table)
        self.note(table, message_id)
        if before.message_id is not None:
            # Where a newer version was shown meanwhile, the table stays where that is.
            moved = self.current(table).message_id == message_id
            await self.take_buttons(table, before.message_id if moved else message_id)

    async def take_buttons(self, table: Table, message_id: int) -> None:
        """Take the buttons off a message that is not the table's any more."""
        channel = self._places.get_partial_messageable(table.channel_id)
        try:
            await channel.get_partial_message(message_id).edit(view=None)
        except DISCORD_ERRORS as error:
            _keeps_buttons(table, error)

    def _pending(self) -> set[asyncio.Task[None]]:
        return self._shown.writing | set(self._tasks.values())

    async def _deliver(self, table_id: str) -> None:
        work_on(game=table_id)
        wait = FIRST_RETRY
        while table_id in self._again:
            self._again.discard(table_id)
            try:
                if not await self._mine(table_id, SHOW):
                    return
                async with self._core.database.read() as connection:
                    table = await load_table(connection, table_id)
                if table is not None:
                    work_on(game=table_id, guild=table.guild_id, channel=table.channel_id)
                    await self._show_somewhere(self.current(table))
            except Exception as error:
                reason = trouble(error) if isinstance(error, DISCORD_ERRORS) else None
                self._core.metrics.failed(Where.TABLE, error)
                if reason is not Trouble.PASSING or self._stopping:
                    await self._give_up(table_id, error, reason)
                    if self._stopping:
                        return
                    continue  # in case a newer version, which may be shown, was owed meanwhile
                log.warning("table %s cannot be shown now, again in %.0f s: %s", table_id, wait, error)
                self._again.add(table_id)
                self._asleep.add(table_id)
                try:
                    with suppress(SQLAlchemyError, OSError):  # Without the lease another process may be the first.
                        await self._mine(table_id, timedelta(seconds=wait) + SHOW)
                    await asyncio.sleep(wait)
                finally:
                    self._asleep.discard(table_id)
                wait = min(2 * wait, LAST_RETRY)

    async def _mine(self, table_id: str, lease: timedelta) -> bool:
        """Whether no other process is showing this table; for so long none of them will."""
        core = self._core
        if not core.database.shared:
            return True
        now = core.now()

        async def claim(connection: AsyncConnection) -> bool:
            return await may_show(connection, table_id, now, now + lease, core.process)

        return await core.database.write(claim)

    async def _give_up(self, table_id: str, error: BaseException, reason: Trouble | None) -> None:
        """The table stays owed. Where the bot may not post, its clock stands still; where it cannot, it is closed."""
        try:
            match reason:
                case Trouble.FORBIDDEN:
                    log.warning("table %s is paused: %s", table_id, error)
                    await self.forget(await pause(self._core, table_id))
                case Trouble.CHANNEL_GONE:
                    log.warning("table %s is closed: %s", table_id, error)
                    await self.forget(await close(self._core, table_id, "its channel is gone"))
                case Trouble.PASSING:
                    log.warning("table %s could not be shown before the stop: %s", table_id, error)
                case _:
                    log.error("table %s cannot be shown", table_id, exc_info=error)
            if reason is not Trouble.PASSING:
                # Other processes would fare no better.
                await self._mine(table_id, GIVEN_UP)
        except Exception:
            log.exception("table %s could not be paused or closed", table_id)

    async def _show_somewhere(self, table: Table) -> None:
        """Show a table, after opening its thread again where that is archived; one that was paused goes on."""
        if table.status.open and not self._places.may_post(table.channel_id):
            if table.timing.paused_at is None:
                log.warning("table %s is paused: a permission is missing", table.id)
            await pause(self._core, table.id)
            await self._mine(table.id, GIVEN_UP)
            return
        paused = table.timing.paused_at is not None
        if paused:
            rules = (await server_settings(self._core, table.guild_id)).clock_rules
            table = replace(table, timing=resumed(table, self._core.now(), rules))
        try:
            await self._show(table)
        except discord.HTTPException as error:
            if trouble(error) is not Trouble.ARCHIVED:
                raise
            await self._places.reopen(table.channel_id)
            await self._show(self.current(table))
        if paused:
            await resume(self._core, table.id)

    async def _show(self, table: Table) -> None:
        channel = self._places.get_partial_messageable(table.channel_id)
        rendered = render_page(table, table.page)
        if table.message_id is not None and table.shown_page == table.page:
            if await edited(channel, table.message_id, rendered):
                # An answer that has closed the page meanwhile may have been overtaken: it is closed once more.
                self._closed.pop(table.id, None)
                await self._arrived(table, table.message_id)
                return
        elif table.message_id is not None and self._closed.pop(table.id, None) != table.shown_page:
            await self._close(channel, table.message_id, table)
        if (earlier := await self._sent_before(channel, table)) is not None:
            if await edited(channel, earlier, rendered):
                await self._arrived(table, earlier)
                return
            table = self._lost(table, earlier)
        # A page that was shown before, and whose message is gone, notifies nobody a second time.
        repeated = table.shown_page == table.page
        self._tried.setdefault(_nonce(table), self._core.now())
        message = await channel.send(
            **await rendered.sending(),
            nonce=_nonce(table),
            allowed_mentions=await self._mentions(table, None if repeated else rendered.mention),
        )
        # Where the buttons differ, Discord had taken an earlier try whose answer was lost, and the table has moved on.
        wanted = [button.custom_id for button in rendered.buttons]
        if custom_ids(message) == wanted or await edited(channel, message.id, rendered):
            await self._arrived(table, message.id)
        else:
            self._lost(table, message.id)
            self.request_redraw(table.id)

    async def _arrived(self, table: Table, message_id: int) -> None:
        self._tried.pop(_nonce(table), None)
        self._inherited.discard(table.id)
        there = self.current(table).message_id
        if there is not None and there not in (table.message_id, message_id):
            # `/highscore show` has moved the table meanwhile: there is one message too many.
            edited_only = message_id == table.message_id
            await self.take_buttons(table, message_id if edited_only else there)
            if edited_only:
                self.request_redraw(table.id)
                return
        self.note(table, message_id)
        if not self._shown.is_newest(table):
            # An answer with a newer picture may have been overtaken.
            self.request_redraw(table.id)

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
            if message.id > (table.message_id or 0) and any(f":{table.id}:" in str(it) for it in custom_ids(message)):
                return message.id
        return None

    async def _mentions(self, table: Table, user_id: int | None) -> discord.AllowedMentions:
        """Whose turn it is, but nobody in the server's quiet hours."""
        quiet = (await server_settings(self._core, table.guild_id)).clock_rules.quiet
        if user_id is None or (quiet is not None and quiet.holds(self._core.now())):
            return mentions()
        return mentions(user_id)

    async def _close(self, channel: discord.PartialMessageable, message_id: int, table: Table) -> None:
        try:
            await edit(channel, message_id, render_page(table, table.shown_page))
        except discord.HTTPException as error:
            if trouble(error) is Trouble.ARCHIVED:
                raise
            _keeps_buttons(table, error)


def _nonce(table: Table) -> str:
    """Makes Discord answer a repeated send with the message it has already made: one message for each that it follows.

    Not the version: it may have grown since an attempt whose answer was lost. Discord takes 25 characters.
    """
    return f"{table.id}.{(table.message_id or 0) % 10**12}"


def _keeps_buttons(table: Table, error: BaseException) -> None:
    # Harmless: the buttons are stale, and say so when they are pressed.
    log.info("the old message of table %s keeps its buttons: %s", table.id, error)
