"""Claims: how processes divide the due work among themselves, on SQLite and on PostgreSQL.

A claim is a time in the row itself, the end of a lease. Until then the row belongs to one process, and the others skip
it. When a process dies, its leases run out and other processes claim the rows. Rows are claimed with FOR UPDATE SKIP
LOCKED, so two processes that look at the same time get different rows. Each process serves the servers of its shards.
It claims rows of other servers only if they are overdue, because then their process is dead or stuck.

Times come from the processes' own clocks, so the clocks of their machines must agree to within seconds (``doctor``
checks this).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.domain.shards import Share
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

DUE_LEASE = timedelta(seconds=60)
"""The lease for acting on what is due at a table or cup. That may include asking Discord who is still a member."""
SHOW_LEASE = timedelta(seconds=30)
"""The lease for showing a table. It is stored with the change, and extended after each try that fails. If the process
dies, another one searches the channel for the message and shows the table after this time. A search in other cases
waits for ``OTHER_PROCESS_PATIENCE`` (workers.steps) or ``NONCE_KNOWN`` (discord_api.messages).
"""
SHOW_PROGRESS_LEASE = timedelta(minutes=3)
"""The lease for showing progress in own pace. It is long, because Discord accepts few edits of a message that is older
than an hour.
"""
SEND_LEASE = timedelta(seconds=45)
"""The lease for sending reminders, and for deleting a message. It is shorter than the pause before the next try."""
PURGE_LEASE = timedelta(seconds=60)
"""The lease for deleting a part of a server's rows."""
REVIEW_LEASE = timedelta(minutes=10)
"""The lease for computing a game's luck and loss. That takes half a second, longer on a busy machine."""
POST_LEASE = timedelta(seconds=90)
"""The lease for a post. It is short, so after a kill Discord still knows the nonce of a message that was just sent."""
TAKE_OVER = timedelta(seconds=30)
"""Any process may claim a row that has been due for this long, also on servers of other processes."""
_SHARD_BITS: sa.ColumnElement[int] = sa.literal_column("22")
"""A literal, because PostgreSQL would take a bound parameter for a bigint, and cannot shift by a bigint."""


@dataclass(frozen=True, slots=True)
class Claimable:
    """A kind of rows that can be claimed."""

    due: sa.Column[datetime]
    """The column with the time from which the row is due. It has an index."""
    until: sa.Column[datetime | None]
    lease: timedelta
    guild: sa.ColumnElement[int] | None = None
    """The server of a row, or None if any process may claim it at any time."""
    waits: sa.ColumnElement[bool] | None = None
    """The condition for a row to be unfinished, if that is not simply ``due IS NOT NULL``."""
    taken_over: bool = True
    """True if other processes may claim an overdue row. False for the deadlines of tables, because they stand still
    while the process of their server cannot receive presses.
    """
    whole: sa.Column[Any] | None = None
    """If given, all rows with the same value in this column are claimed together."""

    @property
    def waiting(self) -> sa.ColumnElement[bool]:
        return self.due.is_not(None) if self.waits is None else self.waits

    @property
    def key(self) -> tuple[sa.Column[Any], ...]:
        return tuple(self.due.table.primary_key) if self.whole is None else (self.whole,)

    def match(self, keys: Sequence[Any]) -> sa.ColumnElement[bool]:
        """Return the condition for rows with these keys. A key of several columns is a tuple."""
        key: sa.ColumnElement[Any] = self.key[0] if len(self.key) == 1 else sa.tuple_(*self.key)
        return key.in_(keys)


def _guild_of(game_id: sa.Column[str]) -> sa.ColumnElement[int]:
    return sa.select(games.c.guild_id).where(games.c.id == game_id).scalar_subquery()


def _make_posts(table: sa.Table) -> Claimable:
    return Claimable(table.c.post_at, table.c.post_until, POST_LEASE)


DUE_TABLES = Claimable(games.c.wake_at, games.c.due_until, DUE_LEASE, games.c.guild_id, taken_over=False)
UNSHOWN_TABLES = Claimable(games.c.updated_at, games.c.show_until, SHOW_LEASE, games.c.guild_id, IS_UNSHOWN)
PENDING_REVIEWS = Claimable(
    due=finished_games.c.finished_at,
    until=finished_games.c.review_until,
    lease=REVIEW_LEASE,
    guild=finished_games.c.guild_id,
    waits=REVIEW_PENDING,
)
UNSENT_REMINDERS = Claimable(
    due=reminders.c.due_at,
    until=reminders.c.send_until,
    lease=SEND_LEASE,
    guild=_guild_of(reminders.c.game_id),
    waits=reminders.c.sent_at.is_(None),
    whole=reminders.c.game_id,
)
OLD_MESSAGES = Claimable(
    old_messages.c.due_at, old_messages.c.delete_until, SEND_LEASE, _guild_of(old_messages.c.game_id)
)
GUILDS_LEFT = Claimable(
    due=guilds_left.c.left_at,
    until=guilds_left.c.purge_until,
    lease=PURGE_LEASE,
    guild=guilds_left.c.guild_id,
    taken_over=False,
)
CUP_POSTS, DUE_CUPS = _make_posts(cup_posts), Claimable(cups.c.wake_at, cups.c.due_until, DUE_LEASE, cups.c.guild_id)
DAY_PODIUMS, SHARED_LINES, SEASON_PODIUMS = _make_posts(dailies), _make_posts(attempts), _make_posts(seasons)
SHARED_MESSAGES, ABSENCES = _make_posts(shared_messages), _make_posts(absences)
POSTS = (DAY_PODIUMS, SHARED_LINES, SEASON_PODIUMS, SHARED_MESSAGES, ABSENCES, CUP_POSTS)


def claim_due(connection: sa.Connection, rows: Claimable, now: datetime, limit: int, share: Share) -> list[Any]:
    """Claim up to ``limit`` rows that are due, the longest waiting first. Return their keys."""
    found = _find_free_rows(connection, rows, now, limit, share)
    keys = [row[0] if len(rows.key) == 1 else tuple(row) for row in found]
    _lease_rows(connection, rows, keys, now)
    return keys


def claim_unshown(
    connection: sa.Connection, now: datetime, limit: int, share: Share, process: str
) -> dict[str, str | None]:
    """Claim, for ``SHOW_LEASE``, tables whose newest content is not shown yet, unless another process has a claim.

    Return, by table id, the process that had claimed the table before, or None if there was none.
    """
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
    """Claim the tables that have calls to send, for ``SEND_LEASE``, the longest waiting first.

    The calls of a table are sent together, so the lock on the game's row gives all of them to one process.
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
    # Another process may have claimed some of these calls before this one had locked the games.
    taking = sa.update(reminders).where(reminders.c.game_id.in_(tables), *due).values(send_until=now + SEND_LEASE)
    claimed = set(connection.scalars(taking.returning(reminders.c.game_id)))
    return [table_id for table_id in tables if table_id in claimed]


def find_next_moment(connection: sa.Connection, rows: Claimable, now: datetime, share: Share) -> datetime | None:
    """Return the next time at which a row can be claimed, because it becomes due or the claim on it ends.

    Return None if there is no unfinished row. Rows of other processes' servers count only when they are overdue.
    """
    ours = _is_ours(rows, now, share)
    free = sa.select(rows.due).where(rows.waiting, _is_free(rows.until, now), ours).order_by(rows.due).limit(1)
    held = sa.select(sa.func.min(rows.until)).where(rows.waiting, rows.due <= now, rows.until > now, ours)
    moments = [connection.scalar(free), connection.scalar(held)]
    return min((moment for moment in moments if moment is not None), default=None)


def hold_claimed(connection: sa.Connection, rows: Claimable, key: object, until: datetime, begun: datetime) -> None:
    """Move the end of a claim to ``until``. A time in the past gives the row back.

    Do nothing if the claim that was made at ``begun`` is over: nobody has a claim on the row, or a later one exists.
    """
    waiting = rows.waiting, rows.match([key]), rows.until <= begun + rows.lease
    connection.execute(sa.update(rows.due.table).where(*waiting).values({rows.until.name: until}))


def load_claimed_row(connection: sa.Connection, rows: Claimable, key: object) -> sa.RowMapping | None:
    """Return the row with this key, or None if its work is done by now."""
    return connection.execute(sa.select(rows.due.table).where(rows.match([key]), rows.waiting)).mappings().first()


def mark_done(connection: sa.Connection, rows: Claimable, key: object, due: datetime) -> None:
    """Note that the work that was ``due`` is done.

    Do nothing if the row is due at another time by now. Another process may already have claimed it for that.
    """
    claimed = rows.match([key]), rows.until.is_not(None), rows.due == due
    connection.execute(sa.update(rows.due.table).where(*claimed).values({rows.due.name: None}))


def release_all(connection: sa.Connection) -> None:
    """Release the claims on all pending work. Call this at the start of the bot if no other process uses the database.

    The process that made these claims has ended without releasing them.
    """
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
    """Return the lease for a change that is shown together with all other changes of the next minutes.

    ``running`` is the table's present lease. It is returned unchanged if it is such a lease and has not ended. A longer
    lease belongs to a table that could not be shown, so it is replaced.
    """
    if running is not None and running.until is not None and now < running.until <= now + SHOW_PROGRESS_LEASE:
        return running
    return DisplayLease(process, now + SHOW_PROGRESS_LEASE)


def claim_display(connection: sa.Connection, table_id: str, now: datetime, until: datetime, process: str) -> bool:
    """Claim the showing of a table until a time, or extend the claim. Return False if another process has it."""
    taken = connection.execute(
        sa.update(games)
        .where(games.c.id == table_id, sa.or_(games.c.show_by == process, _is_free(games.c.show_until, now)))
        .values(show_by=process, show_until=until)
    )
    return taken.rowcount == 1


def release_unshown(connection: sa.Connection, process: str) -> None:
    """Release the unshown tables of a process that stops, so that others show them."""
    mine = UNSHOWN_TABLES.waiting, games.c.show_by == process
    connection.execute(sa.update(games).where(*mine).values(show_by=None, show_until=None))


def _is_due(rows: Claimable, now: datetime, share: Share) -> tuple[sa.ColumnElement[bool], ...]:
    return rows.waiting, rows.due <= now, _is_free(rows.until, now), _is_ours(rows, now, share)


def _is_free(until: sa.Column[datetime | None], now: datetime) -> sa.ColumnElement[bool]:
    return sa.or_(until.is_(None), until <= now)


def _is_ours(rows: Claimable, now: datetime, share: Share) -> sa.ColumnElement[bool]:
    if share.whole or rows.guild is None:
        return sa.true()
    # Must stay the same condition as in ``Share.includes``.
    ours = (rows.guild.bitwise_rshift(_SHARD_BITS) % share.count).in_(sorted(share.ids))
    return sa.or_(ours, rows.due <= now - TAKE_OVER) if rows.taken_over else ours
