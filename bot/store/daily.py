"""Reading and writing daily challenges. Every function works inside the caller's transaction."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Table, and_, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.daily import Attempt, Daily
from bot.store.claims import claim_posts
from bot.store.documents import AVERAGES, deck_from_text, deck_to_text, from_lines, to_lines
from bot.store.models import dailies, daily_events, daily_plays
from bot.store.rows import from_row, to_row
from bot.store.table import Conflict
from highscore.events import Event
from highscore.notation import game_from_json, game_to_json


@dataclass(frozen=True, slots=True)
class OwedDailyPost:
    """A message that is to be posted: the line about somebody's finish, or with None a day's podium."""

    daily_id: str
    user_id: int | None
    tries: int
    """This one included."""


async def running(connection: AsyncConnection, guild_id: int, now: datetime) -> Daily | None:
    """The day of a server that is not over yet, if anybody has begun it."""
    return await _one(connection, dailies.c.guild_id == guild_id, dailies.c.ends_at > now)


async def of_day(connection: AsyncConnection, guild_id: int, day: date) -> Daily | None:
    """A server's challenge of a date."""
    return await _one(connection, dailies.c.guild_id == guild_id, dailies.c.day == day)


async def load(connection: AsyncConnection, daily_id: str) -> Daily | None:
    """The challenge with this id, or None."""
    return await _one(connection, dailies.c.id == daily_id)


async def add(connection: AsyncConnection, daily: Daily, now: datetime) -> None:
    """Store a new day. Its podium is due at its end."""
    await connection.execute(
        insert(dailies).values(
            {
                **to_row(daily),
                "deck": deck_to_text(daily.deck),
                "averages": AVERAGES.write(daily.averages),
                "post_at": daily.ends_at,
                "created_at": now,
            }
        )
    )


async def load_attempt(connection: AsyncConnection, daily: Daily, user_id: int) -> Attempt | None:
    """A person's attempt, or None when they have not begun."""
    mine = daily_plays.c.daily_id == daily.id, daily_plays.c.user_id == user_id
    row = (await connection.execute(select(daily_plays).where(*mine))).mappings().one_or_none()
    if row is None:
        return None
    streak = row["streak"]
    return Attempt(
        daily=daily,
        user_id=user_id,
        name=row["name"],
        channel_id=row["channel_id"],
        version=row["version"],
        game=game_from_json(json.loads(row["state"])),
        streak=await streak_before(connection, daily, user_id) if streak is None else streak,
        finished_at=row["finished_at"],
    )


async def add_attempt(connection: AsyncConnection, attempt: Attempt, now: datetime) -> None:
    """Store an attempt that begins."""
    await connection.execute(
        insert(daily_plays).values(
            daily_id=attempt.daily.id, user_id=attempt.user_id, created_at=now, **_changing(attempt, now)
        )
    )


async def update_attempt(connection: AsyncConnection, attempt: Attempt, read_version: int, now: datetime) -> None:
    """Store an attempt that was read at ``read_version``; with the last card, its line is due.

    Raises Conflict when it has changed since.
    """
    result = await connection.execute(
        update(daily_plays)
        .where(
            daily_plays.c.daily_id == attempt.daily.id,
            daily_plays.c.user_id == attempt.user_id,
            daily_plays.c.version == read_version,
        )
        .values(**_changing(attempt, now))
    )
    if result.rowcount != 1:
        raise Conflict(f"the attempt of user {attempt.user_id} is no longer at version {read_version}")


async def append_events(
    connection: AsyncConnection, attempt: Attempt, happened: Sequence[Event], now: datetime, interaction_id: int | None
) -> None:
    """Append what a committed move consisted of to the log; its number is the attempt's new version."""
    await connection.execute(
        insert(daily_events).values(
            daily_id=attempt.daily.id,
            user_id=attempt.user_id,
            seq=attempt.version,
            lines=to_lines(happened),
            interaction_id=interaction_id,
            created_at=now,
        )
    )


async def load_events(connection: AsyncConnection, daily_id: str, user_id: int) -> tuple[Event, ...]:
    """All events of an attempt in order."""
    rows = await connection.execute(
        select(daily_events.c.lines)
        .where(daily_events.c.daily_id == daily_id, daily_events.c.user_id == user_id)
        .order_by(daily_events.c.seq)
    )
    return tuple(from_lines(rows.scalars()))


async def streak_before(connection: AsyncConnection, daily: Daily, user_id: int) -> int:
    """How many days in a row a person has finished on this server until the day before; 0 when not that one."""
    streak = await connection.scalar(
        select(daily_plays.c.streak)
        .join(dailies, dailies.c.id == daily_plays.c.daily_id)
        .where(
            dailies.c.guild_id == daily.guild_id,
            dailies.c.day == daily.day - timedelta(days=1),
            daily_plays.c.user_id == user_id,
        )
    )
    return streak or 0


async def finishers(connection: AsyncConnection, daily_id: str) -> list[tuple[int, str, int, int]]:
    """User, name, score and streak of everybody who has finished, in the order they did."""
    rows = await connection.execute(
        select(daily_plays.c.user_id, daily_plays.c.name, daily_plays.c.score, daily_plays.c.streak)
        .where(daily_plays.c.daily_id == daily_id, daily_plays.c.finished_at.is_not(None))
        .order_by(daily_plays.c.finished_at, daily_plays.c.user_id)
    )
    return [(user_id, name, score, streak) for user_id, name, score, streak in rows]


async def played_in(connection: AsyncConnection, daily_id: str) -> list[int]:
    """The channels in which dice were rolled on a day, the one that was played in last first."""
    last = func.max(daily_plays.c.updated_at)
    rows = await connection.execute(
        select(daily_plays.c.channel_id)
        .where(daily_plays.c.daily_id == daily_id, daily_plays.c.version > 0)
        .group_by(daily_plays.c.channel_id)
        .order_by(last.desc(), daily_plays.c.channel_id)
    )
    return list(rows.scalars())


async def claim(connection: AsyncConnection, now: datetime, limit: int) -> list[OwedDailyPost]:
    """Claim messages that are due, as ``claim_posts``."""
    podiums = await claim_posts(connection, dailies, now, limit)
    lines = await claim_posts(connection, daily_plays, now, limit - len(podiums))
    return [
        *(OwedDailyPost(row["id"], None, row["post_tries"] + 1) for row in podiums),
        *(OwedDailyPost(row["daily_id"], row["user_id"], row["post_tries"] + 1) for row in lines),
    ]


async def still_owed(connection: AsyncConnection, owed: OwedDailyPost) -> bool:
    """Whether a message was not posted meanwhile: one that took longer than its lease may be claimed again."""
    table, same = _row_of(owed)
    return await connection.scalar(select(table.c.post_at).where(same)) is not None


async def posted(connection: AsyncConnection, owed: OwedDailyPost) -> None:
    """Note that a message was posted, or that it will not be."""
    table, same = _row_of(owed)
    await connection.execute(update(table).where(same).values(post_at=None))


def _row_of(owed: OwedDailyPost) -> tuple[Table, ColumnElement[bool]]:
    if owed.user_id is None:
        return dailies, dailies.c.id == owed.daily_id
    return daily_plays, and_(daily_plays.c.daily_id == owed.daily_id, daily_plays.c.user_id == owed.user_id)


async def _one(connection: AsyncConnection, *conditions: Any) -> Daily | None:
    query = select(dailies).where(*conditions).order_by(dailies.c.day.desc()).limit(1)
    row = (await connection.execute(query)).mappings().one_or_none()
    return None if row is None else _daily(row)


def _daily(row: RowMapping) -> Daily:
    deck, averages = deck_from_text(row["deck"]), AVERAGES.read(row["averages"])
    return from_row(Daily, row, deck=deck, averages=averages)


def _changing(attempt: Attempt, now: datetime) -> dict[str, Any]:
    done = attempt.finished_at is not None
    return {
        "name": attempt.name,
        "channel_id": attempt.channel_id,
        "version": attempt.version,
        "state": json.dumps(game_to_json(attempt.game), separators=(",", ":")),
        "score": attempt.run.total if done else None,
        "streak": attempt.streak if done else None,
        "finished_at": attempt.finished_at,
        "post_at": attempt.finished_at,
        "updated_at": now,
    }
