"""The bases of all workers, and the clock that wakes them.

A worker claims rows that are due, and handles each in its own task. A row that fails, or that waits for Discord,
neither stops nor delays the others. Unfinished work stays in its row. It is claimed again when its lease has run out,
by this process, a later one, or another one.

``Posts`` send each message once. If the program dies after sending a message and before storing that, the next claim
sends the message again, and Discord recognizes the repetition by its nonce. When Discord may have forgotten the nonce,
podiums and messages about cups are first searched for in the channel (``ChannelPosts.send``).

The clock is a timer that wakes workers when something is due for them. A timer of asyncio counts seconds and does not
know the time of day: it stops while the machine sleeps, and ignores changes of the machine's clock. So the clock
compares its timer with the time of day twice a minute.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import discord
from sqlalchemy import Connection, RowMapping

from bot.discord_api import messages
from bot.discord_api.errors import DISCORD_ERRORS, Trouble, is_our_mistake, trouble_of
from bot.domain.recent import Recent
from bot.domain.shards import Share
from bot.observing.logs import set_log_fields
from bot.observing.metrics import Where
from bot.services.core import Core
from bot.store.claims import Claimable, claim_due, find_next_moment, hold_claimed, load_claimed_row, mark_done
from bot.ui.message import Rendered

log = logging.getLogger(__name__)

LONGEST_SLEEP = 6 * 3600.0
"""Every worker looks for work at least this often, in seconds."""
LOOK_AGAIN = 5.0
"""The same for a database that several processes share. They do not announce work that they leave unfinished."""
LONGEST_NAP = timedelta(seconds=30)
"""The longest time between two looks at the time of day."""
GAP = timedelta(seconds=10)
"""If the timer and the time of day differ by more than this, the machine slept, the process was stopped, or the time of
day was set.
"""

Item = TypeVar("Item", bound=Hashable)
REMEMBERED = 1000
"""A worker remembers at most this many items that wait, that rest before another try, or that have failed. Others are
found again by their rows.
"""
FIRST_RETRY = 60.0
LAST_RETRY = 3600.0
"""The pauses in seconds before a failed item is tried again: doubled each time, between these two."""
LOCKED_SECONDS = 1.0
"""The seconds until a worker looks again if rows are due but another process has locked all of them."""
LONGEST_HELD = timedelta(days=1)
"""No item is put off for longer than this."""
AFTER_ERROR = 30.0
"""The seconds until a worker looks again if looking for work has failed, usually by an error of the database."""
DRAIN_SECONDS = 4.0
"""The default time limit of ``close`` in seconds. A graceful stop has ten seconds in total."""
PATIENCE = timedelta(days=2)
"""A message about something older than this is not news any more and is not posted."""


class Wakeable(Protocol):
    """What the clock needs of a worker."""

    def wake(self) -> None:
        pass

    def late(self) -> float:
        pass


class Clock:
    """Wakes workers. ``on_look`` is called before all workers look, ``on_gap`` after a jump of the time of day."""

    def __init__(
        self,
        now: Callable[[], datetime],
        longest_sleep: float = LONGEST_SLEEP,
        on_look: Callable[[], None] = lambda: None,
        *,
        on_gap: Callable[[], None] = lambda: None,
    ) -> None:
        self._now = now
        self._longest_sleep = timedelta(seconds=longest_sleep)
        self._on_look = on_look
        self._on_gap = on_gap
        self._workers: list[Wakeable] = []
        self._moments: dict[Wakeable, datetime] = {}
        self._look_at = now()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_set_at = self._timer_at = now()

    def add(self, worker: Wakeable) -> None:
        self._workers.append(worker)

    def start(self) -> None:
        """Wake all workers for what became due while the bot was down, and start the timer."""
        self._look_at = self._timer_set_at = self._timer_at = self._now()
        self._ring()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def note_due(self, moment: datetime | None, *workers: Wakeable) -> None:
        """Wake these workers, or all if none are given, at a time when something is due. Do nothing for None."""
        if moment is None:
            return
        for worker in workers or self._workers:
            self._moments[worker] = min(moment, self._moments.get(worker, moment))
        if self._timer is not None and not self._timer_set_at <= self._now() < self._timer_at <= moment:
            self._sleep()

    def late(self) -> float:
        """Return by how many seconds the timer, or the worker that is furthest behind, is late. 0 before the start."""
        if self._timer is None:
            return 0.0
        late = (self._now() - self._timer_at).total_seconds()
        return max(late, 0.0, *(worker.late() for worker in self._workers))

    def _ring(self) -> None:
        now = self._now()
        due = [worker for worker, moment in self._moments.items() if moment <= now]
        for worker in due:
            del self._moments[worker]
        if now >= self._look_at:
            self._look_at = now + self._longest_sleep
            self._on_look()
            due = self._workers
        self._sleep()
        for worker in due:
            worker.wake()

    def _sleep(self) -> None:
        now = self._now()
        if not self._timer_set_at - GAP <= now <= self._timer_at + GAP:
            self._look_at = now
            self._on_gap()
        if self._timer is not None:
            self._timer.cancel()
        moment = min(self._look_at, now + LONGEST_NAP, *self._moments.values())
        self._timer_set_at, self._timer_at = now, max(moment, now)
        seconds = (self._timer_at - now).total_seconds()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._ring)


class PutOff(Exception):
    """Raised by ``handle`` to have the item tried again in this many seconds, although nothing is wrong."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:.0f} s")
        self.seconds = seconds


def as_running(task: asyncio.Task[None] | None) -> set[asyncio.Task[None]]:
    """Return a set with the task, or an empty set if it is done.

    The task cannot remove itself from a set when it ends: if it is cancelled before it begins, none of its code runs.
    """
    return set() if task is None or task.done() else {task}


class Worker(ABC, Generic[Item]):
    """Claims as many items as it has free slots, and handles each in its own task. An item is the key of a row."""

    name: ClassVar[str]
    rows: ClassVar[Claimable]
    """The rows to claim. Not needed by a worker that overrides all methods that use them."""
    slots: ClassVar[int] = 8
    """How many items are handled at the same time, not counting those that rest."""

    def __init__(self, core: Core, clock: Clock) -> None:
        self._core = core
        self._clock = clock
        self._asked: dict[Item, None] = {}
        """Items that wait for a slot, in order. An item may also wait to be handled again while it is being handled."""
        self._tasks: dict[Item, asyncio.Task[None]] = {}
        self._resting: dict[Item, asyncio.Future[None]] = {}
        """For each item that waits for another try, the future that ends the wait."""
        self._failed: Recent[Item, int] = Recent(REMEMBERED)
        """The number of failures of each item that was put off."""
        self._cut_off: list[Item] = []
        self._look = False
        self._looking: asyncio.Task[None] | None = None
        self._behind_since: datetime | None = None
        self._stopping = False
        clock.add(self)

    # ------------------------------------------------------------------------------------ what each worker gives

    @property
    def share(self) -> Share:
        """The servers that this process works for. It claims the rows of other servers only if they are overdue."""
        return self._core.share

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """Return the next time at which anything can be claimed, or None."""
        return find_next_moment(connection, self.rows, now, self.share)

    def claim(self, connection: Connection, now: datetime, limit: int) -> Sequence[Item]:
        """Claim up to ``limit`` items that are due, the longest waiting first."""
        return claim_due(connection, self.rows, now, limit, self.share)

    @abstractmethod
    async def handle(self, item: Item) -> None:
        """Do the work of an item, so that it is not due any more. Doing it twice must be harmless."""

    def put_off(self, connection: Connection, item: Item, until: datetime, begun: datetime) -> None:
        """Keep an item claimed until a time. A time in the past gives it back. Do nothing if its row has changed since
        ``begun``, when this worker began to handle it.
        """
        hold_claimed(connection, self.rows, item, until, begun)

    # ----------------------------------------------------------------------------------------------- what all share

    def wake(self, item: Item | None = None) -> None:
        """Look for work soon. If an item is given, handle it without claiming it. If it is being handled now, handle it
        once more afterwards.

        The item is ignored if too many wait already. Then it is found when it is due, or when its lease has run out.
        """
        if self._stopping:
            return
        if item is None:
            self._look = True
            self._behind_since = self._behind_since or self._core.now()
        elif item in self._tasks or len(self._asked) < REMEMBERED:
            self._asked[item] = None
        self._go_on()

    def notice(self, _fact: Any, /) -> None:
        """Look for work, because a fact was published to which this worker has subscribed."""
        self.wake()

    def late(self) -> float:
        """Return for how many seconds no item has been finished although work is, or may be, waiting."""
        since = self._behind_since
        return 0.0 if since is None or self._stopping else (self._core.now() - since).total_seconds()

    async def settle(self) -> None:
        """Wait until no item is being handled. Resting items count as being handled."""
        while pending := self._pending():
            await asyncio.wait(pending)

    async def close(self, seconds: float = DRAIN_SECONDS) -> None:
        """Finish what is being handled within ``seconds``. Give back unfinished items."""
        self._stopping = True
        for item in self._resting:
            self._tasks[item].cancel()
        time = asyncio.get_running_loop().time
        until = time() + seconds
        # Repeated, because the last task may have left something to write.
        while pending := self._pending():
            _done, late = await asyncio.wait(pending, timeout=max(0.0, until - time()))
            for task in late:
                # Cancelling does not stop a transaction, only what follows it.
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if undone := [*self._cut_off, *self._failed]:
            await self._core.database.write(self._give_back, undone)

    async def _rest(self, item: Item, seconds: float) -> bool:
        """Wait before another try without using a slot, and return True. Return False immediately during a stop, or if
        too many items rest. Then the item is claimed again when its lease has run out.
        """
        if self._stopping or len(self._resting) >= REMEMBERED:
            return False
        self._resting[item] = resting = asyncio.ensure_future(asyncio.sleep(seconds))
        self._go_on()
        try:
            await asyncio.wait({resting})
        finally:
            resting.cancel()
            del self._resting[item]
        self._asked.pop(item, None)
        return True

    def end_rest(self, item: Item) -> None:
        """If an item waits for another try, try it now."""
        if (resting := self._resting.get(item)) is not None:
            resting.cancel()

    def _pending(self) -> set[asyncio.Task[None]]:
        return {*self._tasks.values(), *as_running(self._looking)}

    def _count_free(self) -> int:
        return 0 if self._stopping else self.slots - len(self._tasks) + len(self._resting)

    def _go_on(self) -> None:
        waiting = [item for item in self._asked if item not in self._tasks]
        for item in waiting[: max(self._count_free(), 0)]:
            del self._asked[item]
            self._begin(item)
        if self._look and not as_running(self._looking) and self._count_free() > 0:
            self._looking = asyncio.create_task(self._look_up(), name=f"look for {self.name}")

    def _begin(self, item: Item) -> None:
        self._tasks[item] = task = asyncio.create_task(self._handle_safely(item), name=f"{self.name} {item}")
        task.add_done_callback(partial(self._note_end, item))

    def _note_end(self, item: Item, task: asyncio.Task[None]) -> None:
        del self._tasks[item]
        if task.cancelled() or (self._stopping and item in self._asked):
            self._cut_off.append(item)
        if self._behind_since is not None:
            self._behind_since = self._core.now()
        self._go_on()

    async def _handle_safely(self, item: Item) -> None:
        set_log_fields()
        failures = self._failed.get(item, 0)
        begun = self._core.now()
        try:
            await self.handle(item)
        except PutOff as later:
            seconds = later.seconds
        except Exception:
            failures += 1
            seconds = min(FIRST_RETRY * 2 ** min(failures - 1, 10), LAST_RETRY)
            log.exception("%s: handling %s failed; it is tried again in %.0f s", self.name, item, seconds)
        else:
            self._failed.pop(item, None)
            return
        self._failed[item] = failures
        until = self._core.now() + timedelta(seconds=seconds)
        try:
            await self._core.database.write(self.put_off, item, until, begun)
        except Exception:
            log.exception(
                "%s: %s could not be put off, so it is tried again when its lease has run out", self.name, item
            )
        self._clock.note_due(until, self)

    async def _look_up(self) -> None:
        # The caller, perhaps a press, has log fields that do not belong here.
        set_log_fields()
        try:
            while self._look and (free := self._count_free()) > 0:
                self._look = False
                now = self._core.now()
                moment = await self._core.database.read(self.next_moment, now)
                if moment is not None and moment <= now:
                    moment = await self._claim(now, free)
                if moment is None or moment > now:
                    self._clock.note_due(moment, self)
                    self._behind_since = None
                else:
                    self._look, self._behind_since = True, now
        except Exception:
            log.exception("%s: looking for due work failed; next try in %.0f s", self.name, AFTER_ERROR)
            self._clock.note_due(self._core.now() + timedelta(seconds=AFTER_ERROR), self)

    async def _claim(self, now: datetime, free: int) -> datetime | None:
        """Claim due items and begin to handle them. Return the next time at which the worker has to look for work."""
        items, moment = await self._core.database.write(
            lambda connection: (self.claim(connection, now, free), self.next_moment(connection, now))
        )
        begun = 0
        for item in items:
            if self._stopping:
                self._cut_off.append(item)
            elif item not in self._tasks:
                self._asked.pop(item, None)
                self._begin(item)
                begun += 1
            else:
                # The item has changed, which ended its claim, or it takes longer than its lease. Handle it again
                # afterwards.
                self._asked[item] = None
        # If nothing was begun, other processes have locked the rows, or they are being handled here already.
        return moment if begun else now + timedelta(seconds=LOCKED_SECONDS)

    def _give_back(self, connection: Connection, items: Sequence[Item]) -> None:
        now = self._core.now()
        for item in items:
            self.put_off(connection, item, now, now + LONGEST_HELD)


class Client(Protocol):
    """What workers need of the bot's connection to Discord. Servers, channels and users are named by their ids."""

    @property
    def user(self) -> discord.ClientUser | None:
        """The bot's own user, or None before the login."""

    def get_guild(self, guild_id: int, /) -> discord.Guild | None:
        pass

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        pass

    def may_post(self, channel_id: int) -> bool:
        """Return whether the bot has every permission it needs to play in a channel. True if that is not known."""

    @property
    def connected_share(self) -> Share:
        """The servers from which this process receives presses now. May be read in any thread."""

    async def find_reachable_since(self, guild_id: int) -> datetime | None:
        """Return since when a server can be reached. None if it cannot, or if another process serves it."""

    async def reopen(self, channel_id: int) -> None:
        """Reopen an archived thread. Raise discord.Forbidden if a moderator has locked it."""

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Return whether a user is a member of a server. True if Discord does not answer."""

    async def send_directly(
        self, user_id: int, text: str, nonce: str, link: discord.ui.View | None = None
    ) -> discord.Message:
        """Send a direct message. Raise discord.HTTPException if the user accepts none or has no account any more."""


class Posts(Worker[Any]):
    """Calls ``post`` for each row, usually to send, edit or delete a message. A post that fails is tried again, and
    given up after ``patience``.
    """

    patience: ClassVar[timedelta] = timedelta.max
    longest: ClassVar[float] = LAST_RETRY
    """The longest pause between two tries in seconds."""

    @abstractmethod
    async def post(self, row: RowMapping) -> bool:
        """Send the message of a row, or do what else the row asks for. Return False to be called again later."""

    async def give_up(self, row: RowMapping) -> None:
        """Undo what was done for a message that will not be sent. By default do nothing."""

    def mark_done(self, connection: Connection, item: Any, due: datetime) -> None:
        mark_done(connection, self.rows, item, due)

    async def handle(self, item: Any) -> None:
        """Post a row, unless that is not pending any more. If it fails, try again after as long as it has been due
        already, at least ``FIRST_RETRY`` and at most ``longest``. After ``patience``, give it up.
        """
        row = await self._core.database.read(load_claimed_row, self.rows, item)
        if row is None:
            return
        if not await self.post(row):
            late = self._core.now() - row[self.rows.due.name]
            if late < self.patience:
                raise PutOff(min(max(late.total_seconds(), FIRST_RETRY), self.longest))
            log.warning("%s: the post of %s is given up after %.0f hours", self.name, item, late.total_seconds() / 3600)
            await self.give_up(row)
        await self._core.database.write(self.mark_done, item, row[self.rows.due.name])


class ChannelPosts(Posts):
    patience = PATIENCE

    def __init__(self, core: Core, clock: Clock, client: Client) -> None:
        super().__init__(core, clock)
        self._client = client

    async def send(
        self, channel_id: int, key: str, rendered: Rendered, users: Sequence[int] = (), due: datetime | None = None
    ) -> tuple[int | None, Trouble | None]:
        """Send a message that pings ``users``. Return its id and None, or None and what prevented the message.

        Discord creates only one message with this key within some minutes. ``due`` is the time at which the message was
        due; give it only if no other message in the channel looks the same. If it is longer ago than those minutes, an
        earlier try may have sent the message although its answer was lost. So the channel is searched first.
        """
        channel = self._client.get_partial_messageable(channel_id)
        try:
            if due is not None and (sent := await self._find_sent(channel, rendered, due)) is not None:
                return sent, None
            message = await messages.post_quietly(channel, key, *users, **await rendered.prepare_message())
        except DISCORD_ERRORS as error:
            self._core.metrics.count_failure(Where.POST, error)
            reason = trouble_of(error)
            if is_our_mistake(error):
                log.exception("%s: Discord refuses the message %s; this is a bug", self.name, key)
            else:
                log.warning("%s: %s could not be posted in channel %s: %s", self.name, key, channel_id, error)
            return None, reason
        return message.id, None

    async def _find_sent(self, channel: discord.PartialMessageable, rendered: Rendered, since: datetime) -> int | None:
        """Return the id of the message that an earlier try has sent, or None if none is found.

        It is the bot's message with the same buttons or, if it has no buttons, with the same text. If its buttons are
        the same but its text is not, it is edited. Nothing is searched while Discord knows the nonce, or if the bot may
        not read the channel.
        """
        if self._core.now() - since <= messages.NONCE_KNOWN:
            return None
        buttons = [button.custom_id for button in rendered.buttons]
        try:
            async with asyncio.timeout(messages.POST_SECONDS):
                async for message in channel.history(limit=messages.LOOKED_BACK, after=since - GAP):
                    if message.author != self._client.user or messages.custom_ids_of(message) != buttons:
                        continue
                    if message.content == (rendered.content or "") and messages.looks_like(message, rendered):
                        return message.id
                    if buttons:
                        await messages.edit_message(channel, message.id, rendered)
                        return message.id
        except discord.Forbidden:
            log.info(
                "%s: channel %s cannot be searched for an earlier try, because the bot may not read it",
                self.name,
                channel.id,
            )
        return None

    async def send_to_user(
        self, user_id: int, text: str, nonce: str, guild_id: int | None = None, link: discord.ui.View | None = None
    ) -> bool:
        """Send a user a direct message. Send none if a server is given that they have left.

        Return False if Discord has not accepted the message, for example because the user allows none.
        """
        try:
            async with asyncio.timeout(messages.POST_SECONDS):
                if guild_id is None or await self._client.is_member(guild_id, user_id):
                    await self._client.send_directly(user_id, text, nonce, link)
        except DISCORD_ERRORS as error:
            log.info("%s: user %s could not be sent a direct message: %s", self.name, user_id, error)
            return False
        return True
