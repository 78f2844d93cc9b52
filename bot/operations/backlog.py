"""What is owed and what is due, counted in the database: the work that is waiting.

One statement, answered by the partial indexes of what is waiting, so it costs what the backlog is long and not what was
ever played. Where several processes share a database, each of them counts all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, Table, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import REVIEW_OWED, dailies, daily_plays, finished_games, games, reminders, seasons
from bot.store.season import LAST_RETRY


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much of what is waiting."""

    tables: int
    """Tables of which the newest version has not been shown."""
    reminders: int
    """Reminders that have not been sent."""
    posts: int
    """Lines and podiums that have not been posted."""
    reviews: int
    """Finished games of which luck and skill have not been worked out."""
    overdue: int
    """Tables at which something is due."""
    oldest_seconds: float
    """For how long it has been due at the one that waits longest."""


async def load_backlog(connection: AsyncConnection, now: datetime) -> Backlog:
    """Count everything, at one moment."""
    row = (await connection.execute(backlog_query(now))).one()
    since: datetime | None = row.oldest
    return Backlog(
        tables=row.tables,
        reminders=row.reminders,
        posts=row.lines + row.podiums + row.season_podiums,
        reviews=row.reviews,
        overdue=row.overdue,
        oldest_seconds=0.0 if since is None else max(0.0, (now - since).total_seconds()),
    )


def backlog_query(now: datetime) -> Select[tuple[int, int, int, int, int, int, int, datetime | None]]:
    """The one statement."""
    return select(
        _count(games, games.c.shown_version < games.c.version).label("tables"),
        _count(reminders, reminders.c.sent_at.is_(None)).label("reminders"),
        _count(daily_plays, _waiting(daily_plays, now)).label("lines"),
        _count(dailies, _waiting(dailies, now)).label("podiums"),
        _count(seasons, _waiting(seasons, now)).label("season_podiums"),
        _count(finished_games, REVIEW_OWED).label("reviews"),
        _count(games, games.c.wake_at <= now).label("overdue"),
        select(func.min(games.c.wake_at)).where(games.c.wake_at <= now).scalar_subquery().label("oldest"),
    )


def _count(table: Table, condition: ColumnElement[bool]) -> ColumnElement[int]:
    return select(func.count()).select_from(table).where(condition).scalar_subquery()


def _waiting(table: Table, now: datetime) -> ColumnElement[bool]:
    """Due, or tried before: a message that is claimed is put off until the next try."""
    # The first condition keeps to a part of the index: the podiums of all the days that are being played come later.
    return and_(table.c.post_at <= now + LAST_RETRY, or_(table.c.post_at <= now, table.c.post_tries > 0))
