"""Claims: the work that is due, shared out among processes; on SQLite as on PostgreSQL.

A claim is a moment in the row itself, its lease. Until then the row belongs to one process, and the others pass it
over; when a process dies its leases run out, and the others take over. Rows are claimed with FOR UPDATE SKIP LOCKED, so
that two processes that look at the same moment get different ones. Each process looks after the servers of its shards;
only what is overdue there, because that process is dead or stuck, is done by another one.

Times are the processes' own, so their machines' clocks have to agree to within seconds (``doctor`` looks).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.domain.share import Share
from bot.store.models import (
    IS_UNSHOWN,
    REVIEW_PENDING,
    absences,
    attempts,
    cup_posts,
    cups,
    dailies,
    finished_games,
    games,
    guilds_left,
    old_messages,
    reminders,
    seasons,
    shared_messages,
)
from bot.store.table import DisplayLease

DUE = timedelta(seconds=60)
"""The lease for acting on what is due at a table, which may mean asking Discord about people first."""
SHOW = timedelta(seconds=30)
"""The lease for showing a table, stored with the change to show; its sender prolongs it after each try that fails."""
SHOW_PROGRESS = timedelta(minutes=3)
"""The lease for showing progress in own pace: Discord takes few edits of a message that is older than an hour."""
SEND = timedelta(seconds=45)
"""The lease for reminders, and for deleting a message; shorter than the wait before that is tried again."""
PURGE = timedelta(seconds=60)
"""The lease for deleting a part of a server's rows."""
REVIEW = timedelta(minutes=10)
"""The lease for luck and loss of a game: half a second, on a busy machine some more."""
POST = timedelta(seconds=90)
"""The lease for posting, short enough for Discord to know the nonce of a message sent just before the bot was killed.
"""
TAKE_OVER = timedelta(seconds=30)
"""The delay after which any process may do what is due in another one's servers."""
_SHARD_BITS: sa.ColumnElement[int] = sa.literal_column("22")
"""A literal: PostgreSQL takes a bound parameter for another kind of number, by which it does not shift."""


@dataclass(frozen=True, slots=True)
class Claimable:
    """A kind of rows that wait to be claimed."""

    due: sa.Column[datetime]
    """The moment from which something is to be done; the column of the partial index."""
    until: sa.Column[datetime | None]
    lease: timedelta
    guild: sa.ColumnElement[int] | None = None
    """The server, or None for rows that belong to no process before they are claimed."""
    waits: sa.ColumnElement[bool] | None = None
    """The condition for something to be done, where the moment alone does not say so."""
    taken_over: bool = True
    """True if another process does what is overdue. A table's clock stands still while nobody can press there."""
    whole: sa.Column[Any] | None = None
    """The column that rows have in common which are claimed together."""

    @property
    def waiting(self) -> sa.ColumnElement[bool]:
        return self.due.is_not(None) if self.waits is None else self.waits

    @property
    def key(self) -> tuple[sa.Column[Any], ...]:
        return tuple(self.due.table.primary_key) if self.whole is None else (self.whole,)

    def match(self, keys: Sequence[Any]) -> sa.ColumnElement[bool]:
        """Return the condition of the rows with these keys: values, or tuples for a key of several columns."""
        key: sa.ColumnElement[Any] = self.key[0] if len(self.key) == 1 else sa.tuple_(*self.key)
        return key.in_(keys)


def _guild_of(game_id: sa.Column[str]) -> sa.ColumnElement[int]:
    return sa.select(games.c.guild_id).where(games.c.id == game_id).scalar_subquery()


def _make_posts(table: sa.Table) -> Claimable:
    return Claimable(table.c.post_at, table.c.post_until, POST)


DUE_TABLES = Claimable(games.c.wake_at, games.c.due_until, DUE, games.c.guild_id, taken_over=False)
UNSHOWN_TABLES = Claimable(games.c.updated_at, games.c.show_until, SHOW, games.c.guild_id, IS_UNSHOWN)
PENDING_REVIEWS = Claimable(
    *(finished_games.c.finished_at, finished_games.c.review_until, REVIEW), finished_games.c.guild_id, REVIEW_PENDING
)
UNSENT_REMINDERS = Claimable(
    *(reminders.c.due_at, reminders.c.send_until, SEND, _guild_of(reminders.c.game_id)),
    waits=reminders.c.sent_at.is_(None),
    whole=reminders.c.game_id,
)
OLD_MESSAGES = Claimable(old_messages.c.due_at, old_messages.c.delete_until, SEND, _guild_of(old_messages.c.game_id))
GUILDS_LEFT = Claimable(
    *(guilds_left.c.left_at, guilds_left.c.purge_until, PURGE, guilds_left.c.guild_id), taken_over=False
)
CUP_POSTS, DUE_CUPS = _make_posts(cup_posts), Claimable(cups.c.wake_at, cups.c.due_until, DUE, cups.c.guild_id)
DAY_PODIUMS, SHARED_LINES, SEASON_PODIUMS = _make_posts(dailies), _make_posts(attempts), _make_posts(seasons)
SHARED_MESSAGES, ABSENCES = _make_posts(shared_messages), _make_posts(absences)
POSTS = (DAY_PODIUMS, SHARED_LINES, SEASON_PODIUMS, SHARED_MESSAGES, ABSENCES, CUP_POSTS)


def claim_due(connection: sa.Connection, rows: Claimable, now: datetime, limit: int, share: Share) -> list[Any]:
    """Claim what is due, longest waiting first, for the lease of these rows. Return the keys."""
    found = _find_free_rows(connection, rows, now, limit, share)
    keys = [row[0] if len(rows.key) == 1 else tuple(row) for row in found]
    _lease_rows(connection, rows, keys, now)
    return keys


def claim_unshown(
    connection: sa.Connection, now: datetime, limit: int, share: Share, process: str
) -> dict[str, str | None]:
    """Claim tables whose newest version nobody shows, for ``SHOW``. Return the process before, by table."""
    found = _find_free_rows(connection, UNSHOWN_TABLES, now, limit, share, games.c.show_by)
    claimed: dict[str, str | None] = dict(map(tuple, found))
    _lease_rows(connection, UNSHOWN_TABLES, list(claimed), now, show_by=process)
    return claimed


def _find_free_rows(
    connection: sa.Connection, rows: Claimable, now: datetime, limit: int, share: Share, *columns: sa.Column[Any]
) -> Sequence[sa.Row[Any]]:
    query = (
        sa.select(*rows.key, *columns)
        .where(*_is_due(rows, now, share))
        .order_by(rows.due, *rows.key)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    return connection.execute(query).all()


def _lease_rows(connection: sa.Connection, rows: Claimable, keys: Sequence[Any], now: datetime, **by: object) -> None:
    if keys:
        lease = {rows.until.name: now + rows.lease, **by}
        connection.execute(sa.update(rows.due.table).where(rows.match(keys)).values(lease))


def claim_reminders(connection: sa.Connection, now: datetime, limit: int, share: Share) -> list[str]:
    """Claim the tables at which people are to be reminded, for ``SEND``, longest waiting first.

    One process gets all reminders of a table, by the lock on the game's row: they are one message.
    """
    due = _is_due(UNSENT_REMINDERS, now, share)
    since = sa.select(sa.func.min(reminders.c.due_at)).where(reminders.c.game_id == games.c.id).scalar_subquery()
    holding = (
        sa.select(games.c.id)
        .where(games.c.id.in_(sa.select(reminders.c.game_id).where(*due)))
        .order_by(since, games.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    if not (tables := connection.scalars(holding).all()):
        return []
    # Another process may have claimed some before their game was locked here.
    taking = sa.update(reminders).where(reminders.c.game_id.in_(tables), *due).values(send_until=now + SEND)
    claimed = set(connection.scalars(taking.returning(reminders.c.game_id)))
    return [table_id for table_id in tables if table_id in claimed]


def find_next_moment(connection: sa.Connection, rows: Claimable, now: datetime, share: Share) -> datetime | None:
    """Return the next moment at which a row can be claimed: it is due then, or its lease runs out."""
    ours = _is_ours(rows, now, share)
    free = sa.select(rows.due).where(rows.waiting, _is_free(rows.until, now), ours).order_by(rows.due).limit(1)
    held = sa.select(sa.func.min(rows.until)).where(rows.waiting, rows.due <= now, rows.until > now, ours)
    moments = [connection.scalar(free), connection.scalar(held)]
    return min((moment for moment in moments if moment is not None), default=None)


def hold_claimed(connection: sa.Connection, rows: Claimable, key: object, until: datetime, begun: datetime) -> None:
    """Keep what was claimed until a moment, or give it back with a moment that has passed.

    A row that has changed since ``begun`` belongs to nobody, or to a process with a later lease, and stays as it is.
    """
    waiting = rows.waiting, rows.match([key]), rows.until <= begun + rows.lease
    connection.execute(sa.update(rows.due.table).where(*waiting).values({rows.until.name: until}))


def load_claimed_row(connection: sa.Connection, rows: Claimable, key: object) -> sa.RowMapping | None:
    """Return the row of what was claimed, or None if nothing is to be done about it any more."""
    return connection.execute(sa.select(rows.due.table).where(rows.match([key]), rows.waiting)).mappings().first()


def mark_done(connection: sa.Connection, rows: Claimable, key: object, due: datetime) -> None:
    """Note that nothing is to be done any more about what was ``due``, unless that has changed since the claim.

    What is owed anew is due at another moment; another process may have claimed it already.
    """
    claimed = rows.match([key]), rows.until.is_not(None), rows.due == due
    connection.execute(sa.update(rows.due.table).where(*claimed).values({rows.due.name: None}))


def release_all(connection: sa.Connection) -> None:
    """Release all claims. For a start without other processes: the one that claimed is gone."""
    for rows in (
        DUE_TABLES,
        DUE_CUPS,
        UNSHOWN_TABLES,
        PENDING_REVIEWS,
        UNSENT_REMINDERS,
        OLD_MESSAGES,
        GUILDS_LEFT,
        *POSTS,
    ):
        held = rows.waiting, rows.until.is_not(None)
        connection.execute(sa.update(rows.due.table).where(*held).values({rows.until.name: None}))


# ------------------------------------------------------------------------------------------------------------- tables


def lease_display_later(process: str, now: datetime, running: DisplayLease | None) -> DisplayLease:
    """Return the lease for a change that may wait for some minutes and is then shown with all later ones.

    ``running`` is the present lease, which stays if it is such a one. A longer one is that of a table that rests after
    many tries, or was given up as it was.
    """
    if running is not None and running.until is not None and now < running.until <= now + SHOW_PROGRESS:
        return running
    return DisplayLease(process, now + SHOW_PROGRESS)


def claim_display(connection: sa.Connection, table_id: str, now: datetime, until: datetime, process: str) -> bool:
    """Claim the showing of a table until a moment, or prolong that claim. Return False if another process has it."""
    taken = connection.execute(
        sa.update(games)
        .where(games.c.id == table_id, sa.or_(games.c.show_by == process, _is_free(games.c.show_until, now)))
        .values(show_by=process, show_until=until)
    )
    return taken.rowcount == 1


def release_unshown(connection: sa.Connection, process: str) -> None:
    """Release the tables of a process that stops, for the others."""
    mine = UNSHOWN_TABLES.waiting, games.c.show_by == process
    connection.execute(sa.update(games).where(*mine).values(show_by=None, show_until=None))


def _is_due(rows: Claimable, now: datetime, share: Share) -> tuple[sa.ColumnElement[bool], ...]:
    return rows.waiting, rows.due <= now, _is_free(rows.until, now), _is_ours(rows, now, share)


def _is_free(until: sa.Column[datetime | None], now: datetime) -> sa.ColumnElement[bool]:
    return sa.or_(until.is_(None), until <= now)


def _is_ours(rows: Claimable, now: datetime, share: Share) -> sa.ColumnElement[bool]:
    if share.whole or rows.guild is None:
        return sa.true()
    # The same condition as ``Share.holds``.
    ours = (rows.guild.bitwise_rshift(_SHARD_BITS) % share.count).in_(sorted(share.ids))
    return sa.or_(ours, rows.due <= now - TAKE_OVER) if rows.taken_over else ours
