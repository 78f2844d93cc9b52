"""The podiums that are to be posted at the end of seasons. Every function works inside the caller's transaction."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from bot.store.claims import claim_posts
from bot.store.models import seasons


@dataclass(frozen=True, slots=True)
class OwedSeasonPost:
    """A podium that is to be posted."""

    guild_id: int
    season: str
    locale: str
    ends_at: datetime
    tries: int
    """This one included."""


def claim(connection: Connection, now: datetime, limit: int) -> list[OwedSeasonPost]:
    """Claim podiums that are due, as ``claim_posts``."""
    rows = claim_posts(connection, seasons, now, limit)
    return [
        OwedSeasonPost(row["guild_id"], row["season"], row["locale"], row["ends_at"], row["post_tries"] + 1)
        for row in rows
    ]


def still_owed(connection: Connection, owed: OwedSeasonPost) -> bool:
    """Whether a podium was not posted meanwhile: one that took longer than its lease may be claimed again."""
    post_at = connection.scalar(
        select(seasons.c.post_at).where(seasons.c.guild_id == owed.guild_id, seasons.c.season == owed.season)
    )
    return post_at is not None


def posted(connection: Connection, owed: OwedSeasonPost) -> None:
    """Note that a podium was posted, or that it will not be."""
    connection.execute(
        update(seasons).where(seasons.c.guild_id == owed.guild_id, seasons.c.season == owed.season).values(post_at=None)
    )
