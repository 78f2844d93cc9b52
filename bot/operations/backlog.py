"""The work that is waiting, counted in the database.

One statement, answered by partial indexes, so its cost grows with the backlog and not with the number of games. Where
several processes share a database, each of them counts all of it.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Table, and_, func, select

from bot.store.claims import SHOW
from bot.store.models import (
    IS_OWED,
    REVIEW_OWED,
    attempts,
    cup_posts,
    dailies,
    finished_games,
    games,
    reminders,
    seasons,
    shared_messages,
)
from highscore.turn_order import TurnOrder

GAUGES = {
    "owed_tables": "Tables of which the newest picture has not been shown",
    "owed_reminders": "Calls and reminders that are due and have not been sent",
    "owed_posts": "Lines and podiums that have not been posted",
    "owed_reviews": "Finished games of which luck and skill have not been worked out",
    "overdue_tables": "Tables at which a deadline or anything else is due",
    "oldest_overdue_seconds": "For how long the oldest of them has been due",
}
"""The metrics of the backlog, and what they mean."""


def load_backlog(connection: Connection, now: datetime) -> dict[str, float]:
    """Load the value of each metric, all as of one moment."""
    overdue = games.c.wake_at <= now
    owing = attempts, dailies, seasons, shared_messages, cup_posts
    lines, days, ended, shared, cups = (_count(table, table.c.post_at <= now) for table in owing)
    counts = select(
        _count(games, and_(IS_OWED, ~_is_shown_later(now))).label("owed_tables"),
        _count(reminders, and_(reminders.c.sent_at.is_(None), reminders.c.due_at <= now)).label("owed_reminders"),
        (lines + days + ended + shared + cups).label("owed_posts"),
        _count(finished_games, REVIEW_OWED).label("owed_reviews"),
        _count(games, overdue).label("overdue_tables"),
        select(func.min(games.c.wake_at)).where(overdue).scalar_subquery().label("oldest"),
    )
    values = dict(connection.execute(counts).one()._mapping)
    oldest: datetime | None = values.pop("oldest")
    return {**values, "oldest_overdue_seconds": 0.0 if oldest is None else (now - oldest).total_seconds()}


def _count(table: Table, condition: ColumnElement[bool]) -> ColumnElement[int]:
    return select(func.count()).select_from(table).where(condition).scalar_subquery()


def _is_shown_later(now: datetime) -> ColumnElement[bool]:
    """Match tables in own pace that are shown some minutes later and so are not late yet."""
    return and_(games.c.turn_order == TurnOrder.OWN_PACE.value, func.coalesce(games.c.show_until, now) > now + SHOW)
