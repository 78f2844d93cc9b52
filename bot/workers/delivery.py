"""Showing what was committed.

A move is committed first and shown afterwards, usually as the answer to the click itself. Whatever could not be shown
that way is *owed*: ``Table.owed`` says so in the database, and this worker shows the newest version, trying again while
Discord is out of order. Nothing that was committed is ever undone because its picture could not be delivered.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.domain.deadlines import PAUSED_DAYS, resumed
from bot.domain.pages import records_after
from bot.domain.table import Table
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.absence import close
from bot.services.core import Core, server_settings
from bot.services.deadlines import pause, resume
from bot.store.claims import OWED_TABLES, SHOW, claim_owed, may_show, release_owed
from bot.store.history import finished_at
from bot.store.pages import StoredPage
from bot.store.table import DisplayLease, Shown, load_table, mark_shown
from bot.workers.clock import Clock
from bot.workers.old_messages import Tidying
from bot.workers.pages import Client, Pages
from bot.workers.worker import Worker

log = logging.getLogger(__name__)

FIRST_RETRY = 2.0
LAST_RETRY = 300.0
"""Seconds between two tries at the same table: doubled each time, between these two."""
TRY_SECONDS = 60.0
"""How long Discord may take for one try."""
GIVEN_UP = timedelta(hours=6)
"""So long nobody tries again what was given up here, unless the table changes."""
ASKED_AGAIN = timedelta(hours=1)
"""So long nobody tries to show a game that has ended where the bot may not post."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A table that is to be shown."""

    table_id: str
    inherited: bool = False
    """Whether it was claimed when the lease of another process, or of nobody, had run out."""


class Delivery(Worker[Owed]):
    """Shows tables in their channels. The change of a table is its claim, so a click needs no further transaction."""

    name = "delivery"
    rows = OWED_TABLES
    slots = 100
    """Nearly all of the time goes by waiting for Discord."""

    def __init__(self, core: Core, clock: Clock, channels: Client) -> None:
        super().__init__(core, clock)
        self._channels = channels
        self._answering: set[str] = set()
        self.tidying = Tidying(core, clock, channels, lambda table: self.current(table))
        core.tidy = self.tidying.wake
        self._pages = Pages(core, channels, self.request_redraw)
        self._state = self._pages.state
        self.note = self._pages.note
        self.note_record = self._pages.note_record
        self.discard = self._pages.discard
        self.current = self._state.current

    def key(self, item: Owed) -> Hashable:
        """The table, whoever had it before."""
        return item.table_id

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[Owed]:
        """Claim tables that nobody shows: whose process has died, or that were put off as progress in own pace is."""
        process = self._core.process
        claimed = claim_owed(connection, now, limit, self._core.share, process)
        return [Owed(table_id, inherited=before != process) for table_id, before in claimed.items()]

    def claimed(self, item: Owed) -> None:
        """Another process may have sent it, perhaps long ago, or as the answer to a command, which has no nonce."""
        if item.inherited:
            self._pages.inherit(item.table_id)

    def adopt(self, table_id: str) -> None:
        """Show a table that somebody may have sent without noting it."""
        self._pages.inherit(table_id)
        self.request_redraw(table_id)

    def request_redraw(self, table_id: str) -> None:
        """Show the newest version of a table soon, also when it was shown before.

        Where more wait than are kept in memory, it is shown as soon as its lease has run out.
        """
        self.wake(Owed(table_id))

    def committed(self, table: Table) -> None:
        """Called with every table that was changed: whoever changes it shows it, for as long as that lease lasts."""
        self._state.committed(table)
        self._clock.notice(self._core.now() + SHOW, self)

    async def newer(self, table: Table) -> Table | None:
        """The table as it is now, if it has moved on from the version that has just been shown.

        Whatever shows the newer one, perhaps another process, may have reached Discord before.
        """
        if self._state.is_newest(table) and not self._core.database.shared:
            return None
        newest = await self._core.database.read(load_table, table.id)
        return None if newest is None or newest.version <= table.version else self.current(newest)

    @contextmanager
    def answering(self, table_id: str) -> Iterator[None]:
        """Inside, an answer to a command is on its way that shows a table, perhaps for longer than a lease."""
        self._answering.add(table_id)
        try:
            yield
        finally:
            self._answering.discard(table_id)

    async def forget(self, table: Table) -> None:
        """A table that is over and that nobody can see any more is owed to nobody."""
        if not table.status.open:
            now_shown = Shown(table.id, table.version, table.page, table.message_id or 0)
            await self._core.database.write(mark_shown, [now_shown], self._core.now())

    async def move(self, table: Table, message_id: int) -> None:
        """Note that a table is shown on a new message from now on; the old one goes.

        Where a round has ended and its record is not there yet, it is the message that goes: a record comes before the
        page that follows it.
        """
        page = await self._pages.load(table.id)
        before = self.current(table)
        calls = await self._pages.calls(table, page.wishes) if page is not None and before.message_id is None else ()
        if page is not None and before.message_id is not None and before.message_id < message_id:
            shown = replace(table, message_id=before.message_id, shown_page=before.shown_page)
            await self._pages.close(shown, page.calling)
        # Asked again: while the page was closed, another answer may have been noted.
        before = self.current(table)
        if before.game is not None and records_after(before.game, before.shown_page):
            self.request_redraw(table.id)
        elif before.message_id is None or before.message_id < message_id:
            self.note(table, message_id, calls)
        # Of several commands at once, another one's answer is newer; or a newer version was shown meanwhile.
        if self.current(table).message_id != message_id:
            await self.discard(table, message_id)

    def restore(self, table: Table, message_id: int) -> None:
        """Put back a record that an older picture has come over."""
        self._pages.overwritten(table, message_id)
        self.request_redraw(table.id)

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is in flight, and its notes; the rest stays owed in the database, for whoever comes first."""
        self._state.write_soon()
        await super().close(seconds)
        await self._core.database.write(release_owed, self._core.process)

    def _pending(self) -> set[asyncio.Task[None]]:
        return super()._pending() | self._state.writing

    async def handle(self, item: Owed) -> None:
        """Show a table, trying again for as long as Discord is out of order."""
        try:
            await self._handle(item)
        finally:
            self._state.write_soon()

    async def _handle(self, item: Owed) -> None:
        table_id = item.table_id
        work_on(game=table_id)
        wait = FIRST_RETRY
        # A record that cannot be put back keeps nobody waiting for the next page.
        steps = [self._show, self._put_back]
        while steps:
            error = await self._try(steps[0], table_id)
            if error is None:
                steps.pop(0)
                continue
            reason = trouble(error) if isinstance(error, DISCORD_ERRORS) else None
            self._core.metrics.failed(Where.TABLE, error)
            if reason is not Trouble.PASSING or self._stopping:
                await self._give_up(table_id, error, reason)
                return
            log.warning("table %s cannot be shown now, again in %.0f s: %s", table_id, wait, error)
            with suppress(SQLAlchemyError, OSError):  # Without the lease another process may be the first.
                await self._mine(table_id, timedelta(seconds=wait) + SHOW)
            if not await self._rest(item, wait):
                return
            wait = min(2 * wait, LAST_RETRY)

    async def _try(self, step: Callable[[str], Awaitable[None]], table_id: str) -> Exception | None:
        try:
            async with asyncio.timeout(TRY_SECONDS):
                await step(table_id)
        except Exception as error:
            return error
        return None

    async def _show(self, table_id: str) -> None:
        page = await self._pages.load(table_id)
        if page is not None and not self._holds(page.lease):
            if not await self._mine(table_id, SHOW):
                return
            page = await self._pages.load(table_id)
        if page is not None and page.table.message_id is None and table_id in self._answering:
            # The answer is its first message, and has no nonce by which Discord would know that this is the same one.
            await self._mine(table_id, SHOW)
            self._clock.notice(self._core.now() + SHOW, self)
            return
        if page is not None:
            work_on(game=table_id, guild=page.table.guild_id, channel=page.table.channel_id)
            await self._show_or_pause(page)

    async def _put_back(self, table_id: str) -> None:
        if self._pages.has_overwritten(table_id):
            table = await self._core.database.read(load_table, table_id)
            if table is not None:
                await self._pages.put_back(table)

    def _holds(self, lease: DisplayLease) -> bool:
        """Whether this process has claimed the table, for long enough."""
        enough = self._core.now() + SHOW / 2
        return lease.process == self._core.process and lease.until is not None and lease.until >= enough

    async def _mine(self, table_id: str, lease: timedelta) -> bool:
        """Whether no other process is showing this table; for so long none of them will."""
        now = self._core.now()
        return await self._core.database.write(may_show, table_id, now, now + lease, self._core.process)

    async def _give_up(self, table_id: str, error: BaseException, reason: Trouble | None) -> None:
        """The table stays owed. Where the bot may not post, its clock stands still; where it cannot, it is closed."""
        lease = GIVEN_UP
        try:
            match reason:
                case Trouble.FORBIDDEN:
                    log.warning("table %s is paused: %s", table_id, error)
                    table = await pause(self._core, table_id)
                    if await self._has_just_ended(table):
                        lease = ASKED_AGAIN
                    else:
                        await self.forget(table)
                case Trouble.CHANNEL_GONE:
                    log.warning("table %s is closed: %s", table_id, error)
                    await self.forget(await close(self._core, table_id, "its channel is gone"))
                case Trouble.PASSING:
                    log.warning("table %s could not be shown before the stop: %s", table_id, error)
                case _:
                    log.error("table %s cannot be shown", table_id, exc_info=error)
            if reason is not Trouble.PASSING:
                # Another try, or another process, would fare no better.
                await self._mine(table_id, lease)
        except Exception:
            log.exception("table %s could not be paused or closed", table_id)

    async def _has_just_ended(self, table: Table) -> bool:
        """Whether a game has been played to its end in the last days: somebody may still wait for its standings."""
        ended = await self._core.database.read(finished_at, table.guild_id, table.id)
        return ended is not None and self._core.now() - ended < timedelta(days=PAUSED_DAYS)

    async def _show_or_pause(self, page: StoredPage) -> None:
        """Show a table, unless a permission is missing; one that was paused goes on."""
        table = page.table
        if table.status.open and not self._channels.may_post(table.channel_id):
            if table.timing.paused_at is None:
                log.warning("table %s is paused: a permission is missing", table.id)
            await pause(self._core, table.id)
            await self._mine(table.id, GIVEN_UP)
            return
        paused = table.timing.paused_at is not None
        if paused:
            rules = (await server_settings(self._core, table.guild_id)).clock_rules
            page = replace(page, table=replace(table, timing=resumed(table, self._core.now(), rules)))
        await self._pages.show(page)
        if paused:
            await resume(self._core, table.id)
            self.request_redraw(table.id)
