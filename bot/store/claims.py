"""Claims: who does what is to be done, on SQLite as on PostgreSQL.

A claim is a moment in the row itself, its lease. Until then the row is somebody's, and the others pass it over; a
process that dies lets its leases run out and the others take over. Rows are claimed with FOR UPDATE SKIP LOCKED, so
that two who look at the same moment get different ones. Servers of another process (their shard is its) are left to it
until what is to be done there is overdue: only then is that process dead or stuck.

Times are the processes' own, so their machines' clocks have to agree to within seconds (``doctor`` looks).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    RowMapping,
    Table,
    func,
    literal_column,
    or_,
    select,
    true,
    tuple_,
    update,
)

from bot.domain.share import Share
from bot.store.models import (
    IS_OWED,
    REVIEW_OWED,
    absences,
    chores,
    dailies,
    daily_plays,
    finished_games,
    games,
    guilds_left,
    old_messages,
    reminders,
    seasons,
    shared_messages,
)
from bot.store.rows import insert_or_ignore
from bot.store.table import DisplayLease

DUE = timedelta(seconds=60)
"""For acting on what is due at a table, which may mean asking Discord about people first."""
SHOW = timedelta(seconds=30)
"""For showing a table; its sender has more after each try that fails."""
SHOW_PROGRESS = timedelta(minutes=3)
"""For showing how far everybody is in own pace: Discord takes few edits of a message that is older than an hour."""
SEND = timedelta(seconds=45)
"""For reminders, and for deleting a message; shorter than the wait before that is tried again."""
PURGE = timedelta(seconds=60)
"""For deleting some of what is stored of a server."""
REVIEW = timedelta(minutes=10)
"""For luck and loss of a game: half a second, on a busy machine some more."""
POST = timedelta(seconds=90)
"""For posting: soon enough for Discord to know the nonce of a message that was sent just before the bot was killed."""
CHORE = timedelta(minutes=2)
"""For what is done once for all processes, such as registering the commands."""
TAKE_OVER = timedelta(seconds=30)
"""What is overdue by so much in another process's servers is done by whoever comes first."""
_SHARD_BITS: ColumnElement[int] = literal_column("22")
"""Written out: bound, PostgreSQL takes it for another kind of number, by which it does not shift."""


@dataclass(frozen=True, slots=True)
class Claimable:
    """Rows that are waiting, each for somebody who claims it."""

    due: Column[datetime]
    """Since when, or from when on, something is to be done; the column of the partial index."""
    until: Column[datetime | None]
    """The lease."""
    lease: timedelta
    guild: ColumnElement[int] | None = None
    """None for what is nobody's before it is claimed."""
    waits: ColumnElement[bool] | None = None
    """Whether anything is to be done, where the moment alone does not say so."""
    taken_over: bool = True
    """Whether another process does what is overdue."""
    whole: Column[Any] | None = None
    """Of rows that are claimed together, what they have in common."""

    @property
    def waiting(self) -> ColumnElement[bool]:
        """The condition of the partial index."""
        return self.due.is_not(None) if self.waits is None else self.waits

    @property
    def key(self) -> tuple[Column[Any], ...]:
        """What an item is known by."""
        return tuple(self.due.table.primary_key) if self.whole is None else (self.whole,)

    def among(self, keys: Sequence[Any]) -> ColumnElement[bool]:
        """The condition of the rows with these keys: values, or tuples of them where a key has several columns."""
        key: ColumnElement[Any] = self.key[0] if len(self.key) == 1 else tuple_(*self.key)
        return key.in_(keys)


def _guild_of(game_id: Column[str]) -> ColumnElement[int]:
    return select(games.c.guild_id).where(games.c.id == game_id).scalar_subquery()


def _posts(table: Table) -> Claimable:
    return Claimable(table.c.post_at, table.c.post_until, POST)


DUE_TABLES = Claimable(games.c.wake_at, games.c.due_until, DUE, games.c.guild_id)
OWED_TABLES = Claimable(games.c.updated_at, games.c.show_until, SHOW, games.c.guild_id, IS_OWED)
OWED_REVIEWS = Claimable(
    *(finished_games.c.finished_at, finished_games.c.review_until, REVIEW), finished_games.c.guild_id, REVIEW_OWED
)
OWED_REMINDERS = Claimable(
    *(reminders.c.due_at, reminders.c.send_until, SEND, _guild_of(reminders.c.game_id)),
    waits=reminders.c.sent_at.is_(None),
    whole=reminders.c.game_id,
)
OLD_MESSAGES = Claimable(old_messages.c.due_at, old_messages.c.delete_until, SEND, _guild_of(old_messages.c.game_id))
GUILDS_LEFT = Claimable(
    *(guilds_left.c.left_at, guilds_left.c.purge_until, PURGE, guilds_left.c.guild_id), taken_over=False
)
DAY_PODIUMS, SHARED_LINES, SEASON_PODIUMS = _posts(dailies), _posts(daily_plays), _posts(seasons)
SHARED_MESSAGES, ABSENCES = _posts(shared_messages), _posts(absences)
POSTS = (DAY_PODIUMS, SHARED_LINES, SEASON_PODIUMS, SHARED_MESSAGES, ABSENCES)


def claim_due(connection: Connection, rows: Claimable, now: datetime, limit: int, share: Share) -> list[Any]:
    """Claim what is due, longest waiting first, for as long as the lease of these rows lasts. Returns the keys."""
    found = _free_rows(connection, rows, now, limit, share)
    keys = [row[0] if len(rows.key) == 1 else tuple(row) for row in found]
    _take(connection, rows, keys, now)
    return keys


def claim_owed(connection: Connection, now: datetime, limit: int, share: Share, process: str) -> dict[str, str | None]:
    """Claim tables whose newest version nobody is showing, longest waiting first, for ``SHOW``.

    Returns them with the process whose lease has run out.
    """
    found = _free_rows(connection, OWED_TABLES, now, limit, share, games.c.show_by)
    claimed: dict[str, str | None] = dict(map(tuple, found))
    _take(connection, OWED_TABLES, list(claimed), now, show_by=process)
    return claimed


def _free_rows(
    connection: Connection, rows: Claimable, now: datetime, limit: int, share: Share, *columns: Column[Any]
) -> Sequence[Row[Any]]:
    query = (
        select(*rows.key, *columns)
        .where(*_due(rows, now, share))
        .order_by(rows.due, *rows.key)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    return connection.execute(query).all()


def _take(connection: Connection, rows: Claimable, keys: Sequence[Any], now: datetime, **by: object) -> None:
    if keys:
        lease = {rows.until.name: now + rows.lease, **by}
        connection.execute(update(rows.due.table).where(rows.among(keys)).values(lease))


def claim_reminders(connection: Connection, now: datetime, limit: int, share: Share) -> list[str]:
    """Claim the tables at which people are to be reminded, for ``SEND``, longest waiting first.

    All of a table together, by whoever holds the game's row: their reminder is one message.
    """
    due = _due(OWED_REMINDERS, now, share)
    since = select(func.min(reminders.c.due_at)).where(reminders.c.game_id == games.c.id).scalar_subquery()
    holding = (
        select(games.c.id)
        .where(games.c.id.in_(select(reminders.c.game_id).where(*due)))
        .order_by(since, games.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    if not (tables := connection.scalars(holding).all()):
        return []
    # Some may have been claimed before their game was held.
    taking = update(reminders).where(reminders.c.game_id.in_(tables), *due).values(send_until=now + SEND)
    claimed = set(connection.scalars(taking.returning(reminders.c.game_id)))
    return [table_id for table_id in tables if table_id in claimed]


def next_moment(connection: Connection, rows: Claimable, now: datetime, share: Share) -> datetime | None:
    """The next moment at which a row can be claimed: it is due then, or its lease runs out."""
    ours = _ours(rows, now, share)
    free = select(rows.due).where(rows.waiting, _free(rows.until, now), ours).order_by(rows.due).limit(1)
    held = select(func.min(rows.until)).where(rows.waiting, rows.due <= now, rows.until > now, ours)
    moments = [connection.scalar(free), connection.scalar(held)]
    return min((moment for moment in moments if moment is not None), default=None)


def hold_claimed(connection: Connection, rows: Claimable, key: object, until: datetime, begun: datetime) -> None:
    """Keep what was claimed until a moment, or with one that has passed, give it back.

    What has changed since the work on it was begun is nobody's, or somebody else's with a later lease: that stays.
    """
    waiting = rows.waiting, rows.among([key]), rows.until <= begun + rows.lease
    connection.execute(update(rows.due.table).where(*waiting).values({rows.until.name: until}))


def claimed_row(connection: Connection, rows: Claimable, key: object) -> RowMapping | None:
    """The row of what was claimed; None where nothing is to be done about it any more."""
    return connection.execute(select(rows.due.table).where(rows.among([key]), rows.waiting)).mappings().first()


def mark_done(connection: Connection, rows: Claimable, key: object) -> None:
    """Note that nothing is to be done any more, unless it is again since it was claimed."""
    claimed = rows.among([key]), rows.until.is_not(None)
    connection.execute(update(rows.due.table).where(*claimed).values({rows.due.name: None}))


def release_all(connection: Connection) -> None:
    """Where no other process is, what is claimed at the start was claimed by one that is gone."""
    for rows in (DUE_TABLES, OWED_TABLES, OWED_REVIEWS, OWED_REMINDERS, OLD_MESSAGES, GUILDS_LEFT, *POSTS):
        held = rows.waiting, rows.until.is_not(None)
        connection.execute(update(rows.due.table).where(*held).values({rows.until.name: None}))


# ------------------------------------------------------------------------------------------------------------- tables


def lease_display(process: str, now: datetime) -> DisplayLease:
    """The claim of a process to show what it is just changing: set by that very change."""
    return DisplayLease(process, now + SHOW)


def lease_display_later(process: str, now: datetime, running: DisplayLease | None) -> DisplayLease:
    """The same for what may wait for some minutes, and is then shown with all that has come to it.

    ``running`` is the lease under which something else waits to be shown, if anything does. A longer one is that of a
    table that rests after many tries, or was given up as it was.
    """
    if running is not None and running.until is not None and now < running.until <= now + SHOW_PROGRESS:
        return running
    return DisplayLease(process, now + SHOW_PROGRESS)


def claim_display(connection: Connection, table_id: str, now: datetime, until: datetime, process: str) -> bool:
    """Claim the showing of a table until a moment, or keep it. False when another process is at it."""
    taken = connection.execute(
        update(games)
        .where(games.c.id == table_id, or_(games.c.show_by == process, _free(games.c.show_until, now)))
        .values(show_by=process, show_until=until)
    )
    return taken.rowcount == 1


def release_owed(connection: Connection, process: str) -> None:
    """A process stops: the others need not wait for its leases to run out."""
    mine = OWED_TABLES.waiting, games.c.show_by == process
    connection.execute(update(games).where(*mine).values(show_by=None, show_until=None))


# ------------------------------------------------------------------------------------------------------------- chores


def claim_chore(connection: Connection, name: str, what: str, now: datetime) -> bool:
    """Claim a chore for ``CHORE``. False when somebody is at it, or has done just that not long ago."""
    connection.execute(insert_or_ignore(connection, chores), {"chore": name})
    # Of what is being done now nothing is noted as done: NULL, which is neither this nor something else.
    free = chores.c.chore == name, or_(_free(chores.c.until, now), chores.c.done != what)
    return connection.execute(update(chores).where(*free).values(done=None, until=now + CHORE)).rowcount == 1


def end_chore(connection: Connection, name: str, what: str | None, until: datetime | None) -> None:
    """Note what was done and until when that lasts, or with None that it failed, so that the next may try."""
    connection.execute(update(chores).where(chores.c.chore == name).values(done=what, until=until))


def _due(rows: Claimable, now: datetime, share: Share) -> tuple[ColumnElement[bool], ...]:
    return rows.waiting, rows.due <= now, _free(rows.until, now), _ours(rows, now, share)


def _free(until: Column[datetime | None], now: datetime) -> ColumnElement[bool]:
    return or_(until.is_(None), until <= now)


def _ours(rows: Claimable, now: datetime, share: Share) -> ColumnElement[bool]:
    if share.whole or rows.guild is None:
        return true()
    # As ``Share.holds``.
    ours = (rows.guild.bitwise_rshift(_SHARD_BITS) % share.count).in_(sorted(share.ids))
    return or_(ours, rows.due <= now - TAKE_OVER) if rows.taken_over else ours
