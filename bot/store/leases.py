"""Leases: who of several processes does what is to be done.

Each is a moment in the row itself. Until then it is somebody's, and the others pass it over; a process that dies lets
its leases run out and the others take over. Rows are claimed with FOR UPDATE SKIP LOCKED, so that two who look at the
same moment find different ones. Servers that are another process's (their shard is its) are left to it until what is to
be done there is overdue: only then is that process dead or stuck.

Times are the processes' own, so their machines' clocks have to agree to within seconds (``doctor`` looks).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, literal_column, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.share import Share
from bot.store.inserting import insert_or_ignore
from bot.store.models import REVIEW_OWED, chores, finished_games, games, reminders
from bot.store.reminders import by_table

DUE = timedelta(seconds=60)
"""For acting on what is due at a table, which may mean asking Discord about people first."""
SHOW = timedelta(seconds=30)
"""For showing a table; its sender has more after each try that fails."""
SEND = timedelta(seconds=45)
"""For reminders; shorter than the wait before they are tried again."""
REVIEW = timedelta(minutes=10)
"""For luck and loss of a game: half a second each, a queue of them after an outage."""
CHORE = timedelta(minutes=2)
"""For what is done once for all processes, such as registering the commands."""
TAKE_OVER = timedelta(seconds=30)
"""What is overdue by so much in another process's servers is done by whoever comes first."""
_SHARD_BITS: ColumnElement[int] = literal_column("22")
"""Written out: bound, PostgreSQL takes it for another kind of number, by which it does not shift."""


async def claim_due(connection: AsyncConnection, now: datetime, limit: int, share: Share) -> list[str]:
    """Claim tables at which something is due, longest overdue first, for ``DUE``."""
    query = (
        select(games.c.id)
        .where(games.c.wake_at <= now, _free(games.c.due_until, now), _ours(share, now, games.c.wake_at))
        .order_by(games.c.wake_at, games.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    ids = list((await connection.execute(query)).scalars())
    if ids:
        await connection.execute(update(games).where(games.c.id.in_(ids)).values(due_until=now + DUE))
    return ids


async def release_due(connection: AsyncConnection, table_id: str) -> None:
    """Give a table back at which nothing was to be done; a change of it gives it back by itself."""
    await connection.execute(update(games).where(games.c.id == table_id).values(due_until=None))


async def next_due(connection: AsyncConnection, now: datetime, share: Share) -> datetime | None:
    """The next moment at which something is due at a table of ours that nobody has claimed."""
    found: datetime | None = await connection.scalar(
        select(games.c.wake_at)
        .where(games.c.wake_at.is_not(None), _free(games.c.due_until, now), within(share, games.c.guild_id))
        .order_by(games.c.wake_at)
        .limit(1)
    )
    return found


async def claim_owed(connection: AsyncConnection, now: datetime, limit: int, process: str) -> list[str]:
    """Claim tables whose newest version nobody is showing, longest waiting first, for ``SHOW``."""
    query = (
        select(games.c.id)
        .where(games.c.shown_version < games.c.version, _free(games.c.show_until, now))
        .order_by(games.c.updated_at, games.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    ids = list((await connection.execute(query)).scalars())
    if ids:
        await connection.execute(
            update(games).where(games.c.id.in_(ids)).values(show_by=process, show_until=now + SHOW)
        )
    return ids


async def may_show(connection: AsyncConnection, table_id: str, now: datetime, until: datetime, process: str) -> bool:
    """Claim the showing of a table until a moment, or keep it. False when another process is at it."""
    taken = await connection.execute(
        update(games)
        .where(games.c.id == table_id, or_(games.c.show_by == process, _free(games.c.show_until, now)))
        .values(show_by=process, show_until=until)
    )
    return taken.rowcount == 1


async def release_owed(connection: AsyncConnection, process: str) -> None:
    """A process stops: the others need not wait for its leases to run out."""
    await connection.execute(
        update(games)
        .where(games.c.shown_version < games.c.version, games.c.show_by == process)
        .values(show_by=None, show_until=None)
    )


async def claim_reminders(connection: AsyncConnection, now: datetime, share: Share) -> dict[str, list[int]]:
    """Claim the people who are to be reminded, by table, for ``SEND``."""
    query = (
        select(reminders.c.game_id, reminders.c.user_id)
        .join(games, games.c.id == reminders.c.game_id)
        .where(reminders.c.sent_at.is_(None), _free(reminders.c.send_until, now), _ours(share, now, reminders.c.due_at))
        .order_by(reminders.c.due_at, reminders.c.user_id)
        .with_for_update(skip_locked=True, of=reminders)
    )
    found = [(table_id, user_id) for table_id, user_id in await connection.execute(query)]
    if found:
        users = [user_id for _table_id, user_id in found]
        await connection.execute(update(reminders).where(reminders.c.user_id.in_(users)).values(send_until=now + SEND))
    return by_table(found)


async def release_reminders(connection: AsyncConnection, user_ids: Collection[int]) -> None:
    """A process stops that could not send these."""
    await connection.execute(
        update(reminders)
        .where(reminders.c.user_id.in_(user_ids), reminders.c.sent_at.is_(None))
        .values(send_until=None)
    )


async def claim_reviews(connection: AsyncConnection, now: datetime, limit: int) -> list[str]:
    """Claim games whose luck and loss are to be worked out, the oldest first, for ``REVIEW``."""
    query = (
        select(finished_games.c.game_id)
        .where(REVIEW_OWED, _free(finished_games.c.review_until, now))
        .order_by(finished_games.c.finished_at, finished_games.c.game_id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    ids = list((await connection.execute(query)).scalars())
    if ids:
        await connection.execute(
            update(finished_games).where(finished_games.c.game_id.in_(ids)).values(review_until=now + REVIEW)
        )
    return ids


async def claim_chore(connection: AsyncConnection, name: str, what: str, now: datetime, lasts: timedelta) -> bool:
    """Claim a chore for ``CHORE``. False when somebody is at it, or did just that less than ``lasts`` ago."""
    await connection.execute(insert_or_ignore(connection, chores), {"chore": name})
    query = select(chores).where(chores.c.chore == name).with_for_update()
    row = (await connection.execute(query)).mappings().one()
    if row["done"] == what and row["done_at"] is not None and row["done_at"] + lasts > now:
        return False
    if row["doing_until"] is not None and row["doing_until"] > now:
        return False
    await connection.execute(update(chores).where(chores.c.chore == name).values(doing_until=now + CHORE))
    return True


async def chore_ended(connection: AsyncConnection, name: str, what: str | None, now: datetime) -> None:
    """Note what was done, or with None that it failed, so that the next may try."""
    done: dict[str, Any] = {} if what is None else {"done": what, "done_at": now}
    await connection.execute(update(chores).where(chores.c.chore == name).values(doing_until=None, **done))


def _free(until: Column[datetime | None], now: datetime) -> ColumnElement[bool]:
    return or_(until.is_(None), until <= now)


def within(share: Share, guild_id: Column[int]) -> ColumnElement[bool]:
    """As ``Share.holds``."""
    return true() if share.whole else (guild_id.bitwise_rshift(_SHARD_BITS) % share.count).in_(sorted(share.ids))


def _ours(share: Share, now: datetime, due_at: Column[datetime]) -> ColumnElement[bool]:
    return true() if share.whole else or_(within(share, games.c.guild_id), due_at <= now - TAKE_OVER)
