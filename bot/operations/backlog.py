"""The work that is waiting, counted in the database.

One statement, answered by partial indexes, so its cost grows with the backlog and not with the number of games. Where
several processes share a database, each of them counts all of it.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, Table, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.claims import LAST_RETRY
from bot.store.models import REVIEW_OWED, dailies, daily_plays, finished_games, games, reminders, seasons


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much work of each kind is waiting."""

    tables: int
    """Tables whose newest version has not been shown."""
    reminders: int
    posts: int
    """Finish lines and podiums that have not been posted."""
    reviews: int
    """Finished games whose luck and skill have not been computed."""
    overdue: int
    """Tables at which a deadline or another event is due."""
    oldest_seconds: float
    """How long the oldest of the overdue tables has been due."""


async def load_backlog(connection: AsyncConnection, now: datetime) -> Backlog:
    """Count everything as of one moment."""
    row = (await connection.execute(backlog_query(now))).one()
    return Backlog(
        tables=row.tables,
        reminders=row.reminders,
        posts=row.lines + row.podiums + row.season_podiums,
        reviews=row.reviews,
        overdue=row.overdue,
        oldest_seconds=0.0 if row.oldest is None else (now - row.oldest).total_seconds(),
    )


def backlog_query(now: datetime) -> Select[tuple[int, int, int, int, int, int, int, datetime | None]]:
    """One row with all counts and the earliest due time."""
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
    """Due, or tried before: claiming a message postpones it until its next try."""
    # The first condition limits the scan of the index, which also has the podiums of all days still being played.
    return and_(table.c.post_at <= now + LAST_RETRY, or_(table.c.post_at <= now, table.c.post_tries > 0))
