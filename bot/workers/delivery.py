"""Showing what was committed.

A move is committed first and shown afterwards, usually as the answer to the click itself. Whatever could not be shown
that way is *owed*: ``Table.owed`` says so in the database, and this worker shows the newest picture, trying again while
Discord is out of order. Nothing that was committed is ever undone because its picture could not be delivered.

Both take the steps of ``domain.display`` in turns, so that of one table one step is under way at a time.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.replies import Offer
from bot.domain.deadlines import PAUSED_DAYS, resume_timing
from bot.domain.display import NOTHING, Begin, Do, Nothing, Obstacle, Step, Wait
from bot.domain.happened import Happened
from bot.domain.table import Table
from bot.observing.context import set_log_fields
from bot.observing.metrics import Where
from bot.services.absence import close_table
from bot.services.core import Core, server_settings
from bot.services.deadlines import pause_table, resume_table
from bot.services.lobby import begin_game
from bot.store.claims import OWED_TABLES, SHOW, claim_display, claim_owed, release_owed
from bot.store.history import load_finished_at
from bot.store.pages import StoredPage
from bot.store.table import NOBODY, DisplayLease, Shown, mark_shown
from bot.workers.client import Client
from bot.workers.clock import Clock
from bot.workers.lanes import Lanes
from bot.workers.old_messages import Tidying
from bot.workers.pages import Pages
from bot.workers.worker import Worker

log = logging.getLogger(__name__)

FIRST_RETRY = 2.0
LAST_RETRY = 300.0
"""Seconds between two tries at the same table: doubled each time, between these two."""
REQUEST_SECONDS = 10.0
"""How long Discord may take for a request to a channel, with its repetitions. So long it keeps its table waiting."""
LOOK_AGAIN_SECONDS = 0.3
"""After so long it is looked whether another process has noted what it was just sending."""
GIVEN_UP = timedelta(hours=6)
"""So long nobody tries again what was given up here, unless the table changes."""
ASKED_AGAIN = timedelta(hours=1)
"""So long nobody tries to show a game that has ended where the bot may not post."""
_OBSTACLES = {
    Trouble.ARCHIVED: Obstacle.ARCHIVED,
    Trouble.FORBIDDEN: Obstacle.FORBIDDEN,
    Trouble.CHANNEL_GONE: Obstacle.GONE,
}
_TROUBLES = {Do.PAUSE: Trouble.FORBIDDEN, Do.CLOSE_TABLE: Trouble.CHANNEL_GONE}


class Delivery(Worker[str]):
    """Shows tables in their channels. The change of a table is its claim, so a click needs no further transaction."""

    name = "delivery"
    rows = OWED_TABLES
    slots = 100
    """Nearly all of the time goes by waiting for Discord."""

    def __init__(self, core: Core, clock: Clock, client: Client) -> None:
        super().__init__(core, clock)
        self._client = client
        self._inherited: set[str] = set()
        """What has just been claimed when the lease of another process, or of nobody, had run out."""
        self._lanes = Lanes()
        self.tidying = Tidying(core, clock, client, lambda table: self.current(table))
        core.listeners[Happened.MESSAGES_OVER] = self.tidying.wake
        self._pages = Pages(core, client)
        self._state = self._pages.state
        core.overtook = self._state.wait_for_other
        self.current = self._state.current
        self.is_free = self._lanes.is_free

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[str]:
        """Claim tables that nobody shows: whose process has died, or that were put off as progress in own pace is."""
        process = self._core.process
        claimed = claim_owed(connection, now, limit, self._core.share, process)
        self._inherited.update(table_id for table_id, before in claimed.items() if before != process)
        return list(claimed)

    def claimed(self, item: str) -> None:
        """Another process may have sent it, perhaps long ago, or as the answer to a command, which has no nonce."""
        if item in self._inherited:
            self._inherited.remove(item)
            self._state.begin_to_send(item)

    def committed(self, table: Table) -> None:
        """Called with every table that was changed: whoever changes it shows it, for as long as that lease lasts."""
        self._lanes.committed(table)
        self._clock.notice(self._core.now() + SHOW, self)

    def request_redraw(self, table_id: str) -> None:
        """Show what is owed of a table soon.

        Where more wait than are kept in memory, it is shown as soon as its lease has run out.
        """
        self.wake(table_id)

    async def look_at(self, table: Table, message_id: int) -> None:
        """Look after a message on which somebody has pressed an older picture, from whatever time or process."""
        table = self.current(table)
        if message_id == table.message_id or message_id in table.log:
            self._state.doubt(table.id, message_id)
        elif message_id > (table.message_id or 0):
            self._state.begin_to_send(table.id)
        else:
            await self._pages.discard(table, message_id)
        self.wake(table.id)

    async def forget(self, table: Table) -> None:
        """A table that is over and that nobody can see any more is owed to nobody."""
        if not table.status.open:
            now_shown = Shown(table.id, table.picture, table.page, table.message_id or 0)
            await self._core.database.write(mark_shown, [now_shown], self._core.now())

    # ---------------------------------------------------------------------------------------------------- by an answer

    async def offer(self, table: Table, offer: Offer) -> int | None:
        """Take a table's next step by an answer, if that can, when its turn has come. What is left is shown soon.

        Returns the message that shows the table then, or None where the answer has nothing to do: a newer one has, or
        all is there. Raises what Discord answers.
        """
        edits = offer.way.edits
        if edits is not None and edits > (self.current(table).message_id or 0):
            # Sent, but whoever sent it has not noted it, and perhaps never will: it is found by its buttons.
            self._state.begin_to_send(table.id)
        async with self._lanes.turn(table.id, -id(offer) if edits is None else edits, table) as has_turn:
            if not has_turn or self._stopping:
                # What has taken its place may be older, as where dice are picked, and sees to nothing newer.
                self._show_what_is_left(table)
                return None
            try:
                return await self._answer(table, offer)
            except BaseException as error:
                if edits is None and isinstance(error, DISCORD_ERRORS) and trouble_of(error) is not Trouble.PASSING:
                    self._state.has_arrived(table.id)
                raise
            finally:
                self._show_what_is_left(table)

    async def _answer(self, table: Table, offer: Offer) -> int | None:
        if offer.way.edits is None:
            page = await self._pages.load(table.id)
        else:
            page = StoredPage(self.current(self._lanes.newest(table)), NOBODY, {}, frozenset())
        if page is None:
            return None
        step = self._pages.step(page.table, page.calling, offer.way)
        return await self._pages.answer(step, page, offer)

    def _show_what_is_left(self, table: Table) -> None:
        """Wake this worker unless all is there; what was committed since is shown by whoever has committed it."""
        now = self.current(table)
        if now.shown_picture < table.picture or self._pages.in_doubt(now):
            self.wake(table.id)
        else:
            self.end_rest(table.id)

    # --------------------------------------------------------------------------------------------------- by the channel

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is in flight, and its notes; the rest stays owed in the database, for whoever comes first."""
        self._state.write_soon()
        await super().close(seconds)
        await self._core.database.write(release_owed, self._core.process)

    def _pending(self) -> set[asyncio.Task[None]]:
        return super()._pending() | self._state.writing

    async def handle(self, item: str) -> None:
        """Show a table, trying again for as long as Discord is out of order."""
        set_log_fields(game=item)
        wait = FIRST_RETRY
        while (error := await self._try(item)) is not None:
            reason = trouble_of(error) if isinstance(error, DISCORD_ERRORS) else None
            self._core.metrics.count_failure(Where.TABLE, error)
            if reason is not Trouble.PASSING or self._stopping:
                await self._give_up(item, error, reason)
                return
            log.warning("table %s cannot be shown now, again in %.0f s: %s", item, wait, error)
            with suppress(SQLAlchemyError, OSError):  # Without the lease another process may be the first.
                await self._mine(item, timedelta(seconds=wait) + SHOW)
            if not await self._rest(item, wait):
                return
            wait = min(2 * wait, LAST_RETRY)

    async def _try(self, item: str) -> Exception | None:
        try:
            await self._show(item)
        except Exception as error:
            return error
        finally:
            self._state.write_soon()
        return None

    async def _show(self, item: str) -> None:
        """Take the table's steps until what was committed before is there. Raises what Discord answers."""
        page: StoredPage | None = None
        least: int | None = None
        step: Step | None = None
        while not isinstance(step, Nothing):
            async with self._lanes.turn(item):
                if page is None and (page := await self._load(item)) is None:
                    return
                if least is None:
                    self._look_at_paused(page.table)
                if least is None or isinstance(step, Begin | Do):
                    least = page.table.picture
                step = self._step(page, least)
                if step in (Do.PAUSE, Do.CLOSE_TABLE):
                    await self._give_up(item, None, _TROUBLES[step])
                    return
                await self._take(step, page)
                page = replace(page, table=self.current(page.table))
                if isinstance(step, Wait | Begin | Do) or self._lanes.newest(page.table).picture > page.table.picture:
                    page = None
                elif step != NOTHING and step == self._step(page, least):
                    # Whatever is wrong with the table, Discord is not asked for the same again and again.
                    raise RuntimeError(f"{step} has changed nothing of what is to be done")
            if isinstance(step, Wait):
                await asyncio.sleep(LOOK_AGAIN_SECONDS)

    async def _load(self, item: str) -> StoredPage | None:
        """Return the table, if nobody else is showing it."""
        page = await self._pages.load(item)
        if page is not None and not self._holds(page.lease):
            if not await self._mine(item, SHOW):
                return None
            page = await self._pages.load(item)
        if page is not None:
            set_log_fields(game=item, guild=page.table.guild_id, channel=page.table.channel_id)
        return page

    def _look_at_paused(self, table: Table) -> None:
        """Draw the message of a paused table anew: that shows whether the bot may post again."""
        message = table.message_id
        if table.timing.cannot_post and message is not None and message not in table.kept:
            self._state.doubt(table.id, message)

    def _step(self, page: StoredPage, least: int) -> Step:
        """Return the next step to the picture that is to be shown at least; what is newer its committer shows."""
        table = page.table
        if table.status.open and not self._client.may_post(table.channel_id):
            return Do.PAUSE
        step = self._pages.step(table, page.calling)
        to_do = table.shown_picture < least or self._pages.in_doubt(table) or isinstance(step, Begin | Do)
        return step if to_do else NOTHING

    async def _take(self, step: Step, page: StoredPage) -> None:
        table = page.table
        match step:
            case Begin(opening_id):
                await begin_game(self._core, table.id, opening_id)
            case Do.RESUME:
                await resume_table(self._core, table.id)
            case Nothing() | Wait():
                pass
            case _:
                if table.timing.cannot_post:
                    rules = (await server_settings(self._core, table.guild_id)).clock_rules
                    page = replace(page, table=replace(table, timing=resume_timing(table, self._core.now(), rules)))
                try:
                    async with asyncio.timeout(REQUEST_SECONDS):
                        await self._pages.take(step, page)
                except DISCORD_ERRORS as error:
                    obstacle = _OBSTACLES.get(trouble_of(error))
                    if obstacle is None:
                        raise
                    self._core.metrics.count_failure(Where.TABLE, error)
                    self._state.note_there(table.id, obstacle=obstacle)

    def _holds(self, lease: DisplayLease) -> bool:
        """Whether this process has claimed the table, for long enough."""
        enough = self._core.now() + SHOW / 2
        return lease.process == self._core.process and lease.until is not None and lease.until >= enough

    async def _mine(self, table_id: str, lease: timedelta) -> bool:
        """Whether no other process is showing this table; for so long none of them will."""
        now = self._core.now()
        return await self._core.database.write(claim_display, table_id, now, now + lease, self._core.process)

    async def _give_up(self, table_id: str, error: BaseException | None, reason: Trouble | None) -> None:
        """The table stays owed. Where the bot may not post, its clock stands still; where it cannot, it is closed."""
        lease = GIVEN_UP
        self._state.note_there(table_id, obstacle=None)
        try:
            match reason:
                case Trouble.FORBIDDEN:
                    log.warning("table %s is paused: a permission is missing", table_id)
                    table = await pause_table(self._core, table_id)
                    if await self._has_just_ended(table):
                        lease = ASKED_AGAIN
                    else:
                        await self.forget(table)
                case Trouble.CHANNEL_GONE:
                    log.warning("table %s is closed: its channel is gone", table_id)
                    await self.forget(await close_table(self._core, table_id, "its channel is gone"))
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
        ended = await self._core.database.read(load_finished_at, table.guild_id, table.id)
        return ended is not None and self._core.now() - ended < timedelta(days=PAUSED_DAYS)
