"""The podiums that are to be posted at the end of seasons. Every function works inside the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import seasons

FIRST_RETRY = timedelta(minutes=1)
"""Soon enough for Discord to know the nonce of a message that was sent just before the bot was killed."""
LAST_RETRY = timedelta(hours=1)
"""Between two tries: doubled each time, between these two."""


@dataclass(frozen=True, slots=True)
class OwedSeasonPost:
    """A podium that is to be posted."""

    guild_id: int
    season: str
    locale: str
    ends_at: datetime
    tries: int
    """This one included."""


async def next_post(connection: AsyncConnection) -> datetime | None:
    """The next moment at which a podium is to be posted."""
    # The condition is what lets the partial index answer.
    found: datetime | None = await connection.scalar(
        select(func.min(seasons.c.post_at)).where(seasons.c.post_at.is_not(None))
    )
    return found


async def claim(connection: AsyncConnection, now: datetime, limit: int) -> list[OwedSeasonPost]:
    """What is due, longest waiting first, put off until the next try: whoever claims it posts it and says so."""
    found = await connection.execute(
        select(seasons)
        .where(seasons.c.post_at <= now)
        .order_by(seasons.c.post_at, seasons.c.guild_id, seasons.c.season)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    owed = []
    for row in found.mappings().all():
        tries = row["post_tries"]
        again = now + min(FIRST_RETRY * 2 ** min(tries, 10), LAST_RETRY)
        await connection.execute(
            update(seasons)
            .where(seasons.c.guild_id == row["guild_id"], seasons.c.season == row["season"])
            .values(post_at=again, post_tries=tries + 1)
        )
        owed.append(OwedSeasonPost(row["guild_id"], row["season"], row["locale"], row["ends_at"], tries + 1))
    return owed


async def still_owed(connection: AsyncConnection, owed: OwedSeasonPost) -> bool:
    """Whether a podium was not posted meanwhile: one that took longer than its lease may be claimed again."""
    found = await connection.scalar(
        select(seasons.c.post_at).where(seasons.c.guild_id == owed.guild_id, seasons.c.season == owed.season)
    )
    return found is not None


async def posted(connection: AsyncConnection, owed: OwedSeasonPost) -> None:
    """Note that a podium was posted, or that it will not be."""
    await connection.execute(
        update(seasons).where(seasons.c.guild_id == owed.guild_id, seasons.c.season == owed.season).values(post_at=None)
    )
