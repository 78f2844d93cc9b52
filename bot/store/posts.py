"""Messages to be posted, each owed by a row of its own (``columns.owed_post``). In the caller's transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Table, and_, func, select, update

FIRST_RETRY = timedelta(minutes=1)
"""Soon enough for Discord to know the nonce of a message that was sent just before the bot was killed."""
LAST_RETRY = timedelta(hours=1)
"""Between two tries at a post: doubled each time, between these two."""


@dataclass(frozen=True, eq=False, slots=True)
class OwedPost:
    """A message that is due, with its row as it was before it was claimed."""

    table: Table
    row: RowMapping

    @property
    def key(self) -> tuple[Any, ...]:
        """Its table and the row's key."""
        return self.table.name, *(self.row[column.name] for column in self.table.primary_key)

    @property
    def tries(self) -> int:
        """How often it was tried, this time included."""
        return int(self.row["post_tries"]) + 1

    @property
    def same(self) -> ColumnElement[bool]:
        """The condition of its row."""
        return and_(*(column == self.row[column.name] for column in self.table.primary_key))

    def __str__(self) -> str:
        return " ".join(map(str, self.key))


def claim_posts(connection: Connection, tables: Sequence[Table], now: datetime, limit: int) -> list[OwedPost]:
    """The messages of some tables that are due, of each the longest waiting first, put off until the next try.

    Whoever claims them posts and says so. What is not posted comes again by itself.
    """
    claimed: list[OwedPost] = []
    for table in tables:
        found = connection.execute(
            select(table)
            .where(table.c.post_at <= now)
            .order_by(table.c.post_at, *table.primary_key)
            .limit(limit - len(claimed))
            .with_for_update(skip_locked=True)
        )
        claimed += [OwedPost(table, row) for row in found.mappings()]
    for post in claimed:
        again = now + min(FIRST_RETRY * 2 ** min(post.tries - 1, 10), LAST_RETRY)
        connection.execute(update(post.table).where(post.same).values(post_at=again, post_tries=post.tries))
    return claimed


def next_post(connection: Connection, *tables: Table) -> datetime | None:
    """The next moment at which anything of these is to be posted."""
    # The condition is what lets the partial index answer.
    moments = [
        connection.scalar(select(func.min(table.c.post_at)).where(table.c.post_at.is_not(None))) for table in tables
    ]
    return min((moment for moment in moments if moment is not None), default=None)


def still_owed(connection: Connection, post: OwedPost) -> bool:
    """Whether a message was not posted meanwhile: one that took longer than its lease may be claimed again."""
    return connection.scalar(select(post.table.c.post_at).where(post.same)) is not None


def posted(connection: Connection, post: OwedPost) -> None:
    """Note that a message was posted, or that it will not be; unless it is owed anew since it was claimed."""
    connection.execute(update(post.table).where(post.same, post.table.c.post_tries > 0).values(post_at=None))


def put_off(connection: Connection, post: OwedPost, until: datetime) -> None:
    """A message is not due yet; it was never tried. One that was posted meanwhile is not owed again."""
    owed = post.same, post.table.c.post_at.is_not(None)
    connection.execute(update(post.table).where(*owed).values(post_at=until, post_tries=0))
