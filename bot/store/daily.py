"""Reading and writing daily challenges. Every function works inside the caller's transaction."""

import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from bot.domain.daily import Attempt, Daily
from bot.domain.history import DaysPlayed
from bot.store.documents import AVERAGES, deck_from_text, deck_to_text, from_lines, to_lines
from bot.store.models import dailies, daily_events, daily_plays
from bot.store.rows import from_row, to_row
from bot.store.table import Conflict
from highscore.events import Event
from highscore.notation import game_from_json, game_to_json


def running(connection: Connection, guild_id: int, now: datetime) -> Daily | None:
    """The day of a server that is not over yet, if anybody has begun it."""
    return _one(connection, dailies.c.guild_id == guild_id, dailies.c.ends_at > now)


def of_day(connection: Connection, guild_id: int, day: date) -> Daily | None:
    """A server's challenge of a date."""
    return _one(connection, dailies.c.guild_id == guild_id, dailies.c.day == day)


def load(connection: Connection, daily_id: str) -> Daily | None:
    """The challenge with this id, or None."""
    return _one(connection, dailies.c.id == daily_id)


def add(connection: Connection, daily: Daily, now: datetime) -> None:
    """Store a new day. Its podium is due at its end; of a day that is over there is none."""
    connection.execute(
        insert(dailies).values(
            {
                **to_row(daily),
                "deck": deck_to_text(daily.deck),
                "averages": AVERAGES.write(daily.averages),
                "post_at": daily.ends_at if now < daily.ends_at else None,
                "created_at": now,
            }
        )
    )


def load_attempt(connection: Connection, daily: Daily, user_id: int) -> Attempt | None:
    """A person's attempt, or None when they have not begun."""
    mine = daily_plays.c.daily_id == daily.id, daily_plays.c.user_id == user_id
    row = connection.execute(select(daily_plays).where(*mine)).mappings().one_or_none()
    if row is None:
        return None
    streak = row["streak"]
    if streak is None:
        streak = 0 if row["finished_at"] else streak_before(connection, daily, user_id)
    return from_row(Attempt, row, daily=daily, game=game_from_json(json.loads(row["state"])), streak=streak)


def add_attempt(connection: Connection, attempt: Attempt, now: datetime) -> None:
    """Store an attempt that begins."""
    connection.execute(
        insert(daily_plays).values(
            daily_id=attempt.daily.id, user_id=attempt.user_id, created_at=now, **_changing(attempt, now)
        )
    )


def update_attempt(connection: Connection, attempt: Attempt, read_version: int, now: datetime) -> None:
    """Store an attempt that was read at ``read_version``.

    Raises Conflict when it has changed since.
    """
    result = connection.execute(
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


def append_events(
    connection: Connection, attempt: Attempt, happened: Sequence[Event], now: datetime, interaction_id: int | None
) -> None:
    """Append what a committed move consisted of to the log; its number is the attempt's new version."""
    connection.execute(
        insert(daily_events).values(
            daily_id=attempt.daily.id,
            user_id=attempt.user_id,
            seq=attempt.version,
            lines=to_lines(happened),
            interaction_id=interaction_id,
            created_at=now,
        )
    )


def load_events(connection: Connection, daily_id: str, user_id: int) -> tuple[Event, ...]:
    """All events of an attempt in order."""
    rows = connection.execute(
        select(daily_events.c.lines)
        .where(daily_events.c.daily_id == daily_id, daily_events.c.user_id == user_id)
        .order_by(daily_events.c.seq)
    )
    return tuple(from_lines(rows.scalars()))


def streak_before(connection: Connection, daily: Daily, user_id: int) -> int:
    """How many days in a row a person has finished on this server until the day before; 0 when not that one."""
    streak = connection.scalar(
        select(daily_plays.c.streak)
        .join(dailies, dailies.c.id == daily_plays.c.daily_id)
        .where(
            dailies.c.guild_id == daily.guild_id,
            dailies.c.day == daily.day - timedelta(days=1),
            daily_plays.c.user_id == user_id,
        )
    )
    return streak or 0


def days_played(connection: Connection, guild_id: int, user_id: int) -> DaysPlayed | None:
    """The days that a person has finished in time on a server; None where there is none."""
    mine = daily_plays.c.user_id == user_id, dailies.c.guild_id == guild_id, daily_plays.c.streak.is_not(None)
    query = select(func.max(daily_plays.c.name), func.count(), func.max(daily_plays.c.streak))
    name, number, longest = connection.execute(
        query.join(dailies, dailies.c.id == daily_plays.c.daily_id).where(*mine)
    ).one()
    return DaysPlayed(name, number, longest) if number else None


def had_in_a_row(connection: Connection, daily: Daily, days: int, user_ids: Sequence[int]) -> set[int]:
    """Who of these has finished so many days in a row on this server before. Longer streaks once were that long."""
    query = select(daily_plays.c.user_id).join(dailies, dailies.c.id == daily_plays.c.daily_id)
    earlier = dailies.c.guild_id == daily.guild_id, dailies.c.day < daily.day, daily_plays.c.streak == days
    return set(connection.scalars(query.where(*earlier, daily_plays.c.user_id.in_(user_ids))))


def finishers(connection: Connection, daily_id: str) -> list[tuple[int, str, int, int]]:
    """User, name, score and streak of everybody who has finished in time, in the order they did."""
    rows = connection.execute(
        select(daily_plays.c.user_id, daily_plays.c.name, daily_plays.c.score, daily_plays.c.streak)
        .where(daily_plays.c.daily_id == daily_id, daily_plays.c.streak.is_not(None))
        .order_by(daily_plays.c.finished_at, daily_plays.c.user_id)
    )
    return [(user_id, name, score, streak) for user_id, name, score, streak in rows]


def week_of_finishers(
    connection: Connection, guild_id: int, days: tuple[date, date]
) -> list[tuple[int, str, int, int]]:
    """User, name, sum of the scores and number of days of everybody who has finished one in time, most points first.

    Of the days from one to another.
    """
    points = func.sum(daily_plays.c.score)
    rows = connection.execute(
        select(daily_plays.c.user_id, func.max(daily_plays.c.name), points, func.count())
        .join(dailies, dailies.c.id == daily_plays.c.daily_id)
        .where(dailies.c.guild_id == guild_id, dailies.c.day.between(*days), daily_plays.c.streak.is_not(None))
        .group_by(daily_plays.c.user_id)
        .order_by(points.desc(), daily_plays.c.user_id)
    )
    return [(user_id, name, int(score), days) for user_id, name, score, days in rows]


def scores_of(connection: Connection, guild_id: int, user_id: int, since: date) -> dict[date, int | None]:
    """What somebody has scored on the days of a server from this one on; None for a day they have not finished."""
    rows = connection.execute(
        select(dailies.c.day, daily_plays.c.score)
        .join(dailies, dailies.c.id == daily_plays.c.daily_id)
        .where(dailies.c.guild_id == guild_id, daily_plays.c.user_id == user_id, dailies.c.day >= since)
    )
    return {row.day: row.score for row in rows}


def is_played(connection: Connection, guild_id: int, since: date) -> bool:
    """Whether anybody has rolled a die of a server's challenges from this day on."""
    query = select(daily_plays.c.user_id).join(dailies, dailies.c.id == daily_plays.c.daily_id)
    rolled = query.where(dailies.c.guild_id == guild_id, dailies.c.day >= since, daily_plays.c.version > 0)
    return connection.scalar(rolled.limit(1)) is not None


def owe_line(connection: Connection, attempt: Attempt, now: datetime) -> None:
    """An attempt is shared now: its line is due, in its channel."""
    connection.execute(
        update(daily_plays)
        .where(daily_plays.c.daily_id == attempt.daily.id, daily_plays.c.user_id == attempt.user_id)
        .values(channel_id=attempt.channel_id, shared_at=now, post_at=now, post_tries=0)
    )


def played_in(connection: Connection, daily_id: str) -> list[int]:
    """The channels in which dice were rolled on a day, the one that was played in last first."""
    last = func.max(daily_plays.c.updated_at)
    rows = connection.execute(
        select(daily_plays.c.channel_id)
        .where(daily_plays.c.daily_id == daily_id, daily_plays.c.version > 0)
        .group_by(daily_plays.c.channel_id)
        .order_by(last.desc(), daily_plays.c.channel_id)
    )
    return list(rows.scalars())


def _one(connection: Connection, *conditions: Any) -> Daily | None:
    query = select(dailies).where(*conditions).order_by(dailies.c.day.desc()).limit(1)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else _daily(row)


def _daily(row: RowMapping) -> Daily:
    deck, averages = deck_from_text(row["deck"]), AVERAGES.read(row["averages"])
    return from_row(Daily, row, deck=deck, averages=averages)


def _changing(attempt: Attempt, now: datetime) -> dict[str, Any]:
    return {
        "name": attempt.name,
        "channel_id": attempt.channel_id,
        "version": attempt.version,
        "state": json.dumps(game_to_json(attempt.game), separators=(",", ":")),
        "score": attempt.run.total if attempt.finished_at else None,
        "streak": attempt.streak if attempt.ranked else None,
        "finished_at": attempt.finished_at,
        "updated_at": now,
    }
