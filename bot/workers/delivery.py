"""Shows committed changes in the channels.

A change is committed first and shown afterwards, usually by the answer to the press itself. If the answer does not show
it (``Table.is_unshown``), this worker shows the newest content, and repeats that until Discord accepts it. A commit is
never undone because it could not be shown.

Answers and this worker both take the steps of ``domain.display``. Each table has a lane, in which one step runs at a
time. Tables do not wait for each other.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.messages import Offer
from bot.domain.deadlines import PAUSED_DAYS, resume_timing
from bot.domain.display import NOTHING, BeginGame, SimpleStep, Step, Wait
from bot.domain.table import Table
from bot.observing.logs import set_log_fields
from bot.observing.metrics import Where
from bot.services.away import close_table
from bot.services.core import Core, get_server_settings
from bot.services.deadlines import pause_table, resume_table
from bot.services.facts import TableChanged
from bot.services.lobby import begin_game
from bot.store.claims import SHOW_LEASE, UNSHOWN_TABLES, claim_display, claim_unshown, release_unshown
from bot.store.history import load_finished_at
from bot.store.table import NOBODY, DisplayLease, Shown, TableToShow, mark_shown
from bot.workers.sharing import Tidying
from bot.workers.steps import Steps
from bot.workers.worker import DRAIN_SECONDS, Client, Clock, Worker, as_running

log = logging.getLogger(__name__)

FIRST_RETRY = 2.0
LAST_RETRY = 300.0
"""The pauses in seconds between two tries to show a table: doubled each time, between these two."""
REQUEST_SECONDS = 10.0
"""The time limit in seconds for one step, with all retries. It is short, because the table's next step has to wait."""
LOOK_AGAIN_SECONDS = 0.3
"""The seconds between two checks whether another process has stored what it was sending."""
GIVEN_UP = timedelta(hours=6)
"""No process tries again for this long to show a table that was given up, unless it changes."""
ASKED_AGAIN = timedelta(hours=1)
"""The time between two tries to show the end of a game where the bot may not post."""
_OBSTACLES = {
    Trouble.ARCHIVED: SimpleStep.REOPEN_THREAD,
    Trouble.FORBIDDEN: SimpleStep.PAUSE_TABLE,
    Trouble.CHANNEL_GONE: SimpleStep.CLOSE_TABLE,
}
_TROUBLES = {step: trouble for trouble, step in _OBSTACLES.items()}


@dataclass(slots=True)
class _Lane:
    """The tasks that wait for a turn while a step of the table is running."""

    waiting: dict[int | None, asyncio.Future[bool]] = field(default_factory=dict)
    """The key of an answer is the id of the message that it can edit, or a negative number if it sends a message. The
    worker has at most one task for a table, whose key is None.
    """
    newest: Table | None = None
    """The newest version of the table that this process has committed since the lane was made."""

    def queue(self, key: int | None) -> asyncio.Future[bool]:
        """Return a future. Its result becomes True when the turn has come, or False when a newer answer with the same
        key has replaced this one.
        """
        if (earlier := self.waiting.pop(key, None)) is not None and not earlier.done():
            earlier.set_result(False)
        self.waiting[key] = mine = asyncio.get_running_loop().create_future()
        return mine


class Lanes:
    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}
        """The lanes of the tables at which a step is running."""

    def note_committed(self, table: Table) -> None:
        """Note a table that was committed, so that the next step shows at least this version."""
        if (lane := self._lanes.get(table.id)) is not None and (
            lane.newest or table
        ).content_version <= table.content_version:
            lane.newest = table

    def is_free(self, table_id: str) -> bool:
        return table_id not in self._lanes

    @asynccontextmanager
    async def turn(self, table_id: str, key: int | None = None, table: Table | None = None) -> AsyncIterator[bool]:
        """Wait for a turn at a table. The turn lasts until the block ends. Yield False if there is no turn, because a
        newer answer for the same message has replaced this one.

        ``key`` is a key of ``_Lane.waiting``. ``table`` is the oldest version that the answer may show.
        """
        if table is not None:
            self.note_committed(table)
        lane = self._lanes.get(table_id)
        if lane is None:
            self._lanes[table_id] = _Lane()
        else:
            mine = lane.queue(key)
            try:
                has_turn = await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled() and mine.result():
                    self._leave(table_id)
                raise
            if not has_turn:
                yield False
                return
        try:
            yield True
        finally:
            self._leave(table_id)

    def _leave(self, table_id: str) -> None:
        """Give the turn to the answer that has waited longest or, if none waits, to the worker's task."""
        lane = self._lanes[table_id]
        while lane.waiting:
            key = next((key for key in lane.waiting if key is not None), None)
            waiting = lane.waiting.pop(key)
            if not waiting.done():
                waiting.set_result(True)
                return
        del self._lanes[table_id]

    def newest(self, table: Table) -> Table:
        """Return the newest version of a table that its lane knows."""
        lane = self._lanes.get(table.id)
        known = None if lane is None else lane.newest
        return table if known is None or known.content_version < table.content_version else known


class Delivery(Worker[str]):
    """Shows tables in their channels. The transaction that changes a table also claims it, so a press needs no second
    transaction.
    """

    name = "delivery"
    rows = UNSHOWN_TABLES
    slots = 100
    """Many, because tables wait for Discord nearly all of the time."""

    def __init__(self, core: Core, clock: Clock, client: Client) -> None:
        super().__init__(core, clock)
        self._client = client
        self._inherited: set[str] = set()
        """Tables that this process has claimed after another process, or none, had shown them."""
        self._lanes = Lanes()
        self._steps = Steps(core, client)
        self._state = self._steps.state
        self.current = self._state.current
        self.tidying = Tidying(core, clock, client, self.current)
        self.is_free = self._lanes.is_free

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[str]:
        """Claim tables that no process is showing: their process has stopped or died, or the change was progress in own
        pace, which is shown some minutes later.
        """
        process = self._core.process
        claimed = claim_unshown(connection, now, limit, self.share, process)
        self._inherited.update(table_id for table_id, before in claimed.items() if before != process)
        return list(claimed)

    def notice(self, fact: TableChanged) -> None:
        """Note a change. The code that committed it also shows it. When the lease ends, look whether it did."""
        if fact.before is not None and fact.other is not None:
            self._state.wait_for_other(fact.before, fact.other)
        self._lanes.note_committed(fact.after)
        self._clock.note_due(self._core.now() + SHOW_LEASE, self)

    def request_redraw(self, table_id: str) -> None:
        """Show a table soon if it has unshown changes or doubtful messages."""
        self.wake(table_id)

    async def look_at(self, table: Table, message_id: int) -> None:
        """Check a message on which somebody has pressed an old button: update it, find out what it is, or delete it.
        Any process may have sent it, at any time.
        """
        table = self.current(table)
        if message_id == table.message_id or message_id in table.log:
            self._state.mark_doubtful(table.id, message_id)
        elif message_id > (table.message_id or 0):
            self._state.note_sending(table.id)
        else:
            await self._steps.discard(table, message_id)
        self.wake(table.id)

    async def forget(self, table: Table) -> None:
        """Mark a table as shown although nobody can see it. Do nothing if it is open."""
        if not table.status.open:
            now_shown = Shown(table.id, table.content_version, table.screen, table.message_id or 0)
            await self._core.database.write(mark_shown, [now_shown], self._core.now())

    # ---------------------------------------------------------------------- showing a table by answering an interaction

    async def show_by_answer(self, table: Table, offer: Offer) -> int | None:
        """Take a table's next step by an answer to a press or command, if the answer can take it. The worker shows the
        rest soon.

        Return the id of the message that the answer has sent or edited, or whose buttons it has removed. Return None if
        a newer answer has replaced this one, if there is no step for it, if the table does not exist any more, if the
        new message's id is unknown, or during a stop. Raise Discord's errors.
        """
        edits = offer.request.edits
        if edits is not None and edits > (self.current(table).message_id or 0):
            # This process does not know the message: another one may have sent it without storing its id. A search of
            # the channel finds it by its buttons.
            self._state.note_sending(table.id)
        key = -id(offer) if edits is None else edits
        async with self._lanes.turn(table.id, key, table) as has_turn:
            try:
                if not has_turn or self._stopping:
                    return None
                newest = self.current(self._lanes.newest(table))
                to_show: TableToShow | None = TableToShow(newest, NOBODY, {}, frozenset())
                if edits is None:
                    to_show = await self._steps.load(table.id)
                if to_show is None:
                    return None
                step = self._steps.find_step(to_show.table, to_show.calling, offer.request)
                return await self._steps.take_by_answer(step, to_show, offer)
            finally:
                # Have the worker show the rest of this change, also if another answer has replaced this one: that may
                # be of an older version, for example if it only picks dice. Later changes are shown by the code that
                # commits them.
                current = self.current(table)
                if current.shown_content_version < table.content_version or self._steps.is_in_doubt(current):
                    self.wake(table.id)
                else:
                    self.end_rest(table.id)

    # --------------------------------------------------------------------------------------------------- by the channel

    async def close(self, seconds: float = DRAIN_SECONDS) -> None:
        """Finish the steps that are running, and store what was shown. Any process can show the tables that are still
        unshown.
        """
        self._state.write_soon()
        await super().close(seconds)
        await self._core.database.write(release_unshown, self._core.process)

    def _pending(self) -> set[asyncio.Task[None]]:
        return super()._pending() | as_running(self._state.writing)

    async def handle(self, item: str) -> None:
        """Show a table. While Discord is out of order, try again with growing pauses, unless the bot is stopping or too
        many tables wait already. Give up after any other error.
        """
        set_log_fields(game=item)
        wait = FIRST_RETRY
        while True:
            try:
                await self._show(item)
            except Exception as error:
                reason = trouble_of(error) if isinstance(error, DISCORD_ERRORS) else None
                self._core.metrics.count_failure(Where.TABLE, error)
                if reason is not Trouble.PASSING or self._stopping:
                    await self._give_up(item, error, reason)
                    return
                log.warning("table %s could not be shown; next try in %.0f s: %s", item, wait, error)
            else:
                return
            with suppress(SQLAlchemyError, OSError):  # Without the lease, another process may show the table first.
                await self._claim_display(item, timedelta(seconds=wait) + SHOW_LEASE)
            if not await self._rest(item, wait):
                return
            wait = min(2 * wait, LAST_RETRY)

    async def _show(self, item: str) -> None:
        """Take the table's steps until everything that was committed before is shown. Stop also if the table does not
        exist, if another process shows it, or if it has to be paused or closed. Raise any error of a step.
        """
        last_step: Step | None = None
        to_show: TableToShow | None = None
        # The content version to show at least. Newer ones are shown by the presses that make them.
        least = 0
        try:
            while True:
                async with self._lanes.turn(item):
                    to_show = to_show or await self._load(item)
                    if to_show is None:
                        return
                    if last_step is None:
                        self._look_at_paused(to_show.table)
                    if last_step is None or isinstance(last_step, BeginGame | SimpleStep):
                        least = to_show.table.content_version
                    step = self._find_step(to_show, least)
                    if step == NOTHING:
                        return
                    if step in (SimpleStep.PAUSE_TABLE, SimpleStep.CLOSE_TABLE):
                        await self._give_up(item, None, _TROUBLES[step])
                        return
                    await self._take_step(step, to_show)
                    to_show = replace(to_show, table=self.current(to_show.table))
                    has_changed = self._lanes.newest(to_show.table).content_version > to_show.table.content_version
                    if has_changed or isinstance(step, Wait | BeginGame | SimpleStep):
                        to_show = None
                    elif step == self._find_step(to_show, least):
                        # Do not ask Discord for the same thing again and again, whatever is wrong with the table.
                        raise RuntimeError(f"{step} has changed nothing, so the next step would be the same")
                    last_step = step
                if isinstance(step, Wait):
                    await asyncio.sleep(LOOK_AGAIN_SECONDS)
        finally:
            self._state.write_soon()

    async def _load(self, item: str) -> TableToShow | None:
        """Load the table, and claim it if this process has no lease for it. Return None if it does not exist or another
        process shows it.
        """
        to_show = await self._steps.load(item)
        if to_show is not None and not self._holds(to_show.lease):
            if not await self._claim_display(item, SHOW_LEASE):
                return None
            to_show = await self._steps.load(item)
        if to_show is not None:
            set_log_fields(game=item, guild=to_show.table.guild_id, channel=to_show.table.channel_id)
        return to_show

    def _look_at_paused(self, table: Table) -> None:
        """If a table is paused, have its message edited again, which shows whether the bot may post now."""
        message = table.message_id
        if table.timing.cannot_post and message is not None and message not in table.permanent_messages:
            self._state.mark_doubtful(table.id, message)

    def _find_step(self, to_show: TableToShow, least: int) -> Step:
        """Return the table's next step, or NOTHING if the content version ``least`` is shown and nothing is in doubt.
        Newer versions are shown by the presses that make them.
        """
        table = to_show.table
        if table.id in self._inherited:
            # The other process may have sent a message that this one does not know.
            self._inherited.discard(table.id)
            self._state.note_sending(table.id)
        if table.status.open and not self._client.may_post(table.channel_id):
            return SimpleStep.PAUSE_TABLE
        step = self._steps.find_step(table, to_show.calling)
        if (
            table.shown_content_version < least
            or self._steps.is_in_doubt(table)
            or isinstance(step, BeginGame | SimpleStep)
        ):
            return step
        return NOTHING

    async def _take_step(self, step: Step, to_show: TableToShow) -> None:
        table = to_show.table
        match step:
            case BeginGame(opening_id):
                await begin_game(self._core, table.id, opening_id)
            case SimpleStep.RESUME_TABLE:
                await resume_table(self._core, table.id)
            case Wait():
                pass
            case _:
                if table.timing.cannot_post:
                    settings = await get_server_settings(self._core, table.guild_id)
                    to_show = replace(
                        to_show, table=replace(table, timing=resume_timing(table, self._core.now(), settings))
                    )
                try:
                    async with asyncio.timeout(REQUEST_SECONDS):
                        await self._steps.take_step(step, to_show)
                except DISCORD_ERRORS as error:
                    obstacle = _OBSTACLES.get(trouble_of(error))
                    if obstacle is None:
                        raise
                    self._core.metrics.count_failure(Where.TABLE, error)
                    log.info("table %s: Discord refused %s: %s", table.id, step, error)
                    self._state.note_known(table.id, obstacle=obstacle)

    def _holds(self, lease: DisplayLease) -> bool:
        """Return whether this process has the lease for a table, and for at least half of ``SHOW_LEASE`` from now."""
        enough = self._core.now() + SHOW_LEASE / 2
        return lease.process == self._core.process and lease.until is not None and lease.until >= enough

    async def _claim_display(self, table_id: str, lease: timedelta) -> bool:
        """Claim the showing of a table. Return False if another process has it."""
        now = self._core.now()
        return await self._core.database.write(claim_display, table_id, now, now + lease, self._core.process)

    async def _give_up(self, table_id: str, error: BaseException | None, reason: Trouble | None) -> None:
        """Stop trying. Pause the table if the bot may not post there; close it if the channel was deleted.

        Otherwise it is tried again when it changes, after ``GIVEN_UP``, or, if the bot is stopping, at the next start.
        """
        lease = GIVEN_UP
        self._state.note_known(table_id, obstacle=None)
        try:
            match reason:
                case Trouble.FORBIDDEN:
                    log.warning(
                        "table %s is paused until the bot has the permissions to post in its channel",
                        table_id,
                    )
                    table = await pause_table(self._core, table_id)
                    if await self._has_just_ended(table):
                        lease = ASKED_AGAIN
                    else:
                        await self.forget(table)
                case Trouble.CHANNEL_GONE:
                    log.warning("table %s is closed, because its channel was deleted", table_id)
                    await self.forget(await close_table(self._core, table_id, "its channel is gone"))
                case Trouble.PASSING:
                    log.warning(
                        "table %s could not be shown before the stop; the next start shows it: %s", table_id, error
                    )
                case _:
                    level = logging.ERROR if reason in (None, Trouble.REFUSED) else logging.WARNING
                    log.log(
                        level,
                        "table %s could not be shown; it is tried again after six hours, or when it changes",
                        table_id,
                        exc_info=error,
                    )
            if reason is not Trouble.PASSING:
                # Keep the lease, so that no process tries again before it ends: it would fail for the same reason.
                await self._claim_display(table_id, lease)
        except Exception:
            log.exception("table %s can be shown nowhere, and could not be paused or closed", table_id)

    async def _has_just_ended(self, table: Table) -> bool:
        """Return whether the game has ended so recently that players may still wait for its standings."""
        ended = await self._core.database.read(load_finished_at, table.guild_id, table.id)
        return ended is not None and self._core.now() - ended < timedelta(days=PAUSED_DAYS)
