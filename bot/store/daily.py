"""Reading and writing daily challenges. Every function works inside the caller's transaction."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from bot.domain.daily import Attempt, Daily, Finisher, previous_daily
from bot.domain.history import DaysPlayed
from bot.store.documents import AVERAGES, deck_from_text, deck_to_text, events_from_lines, events_to_lines
from bot.store.models import dailies, daily_plays
from bot.store.rows import from_row, insert_or_replace, to_row
from highscore.game import replay_events
from highscore.turn_order import TurnOrder


def load_running(connection: Connection, guild_id: int, now: datetime) -> Daily | None:
    """Return the day of a server that is not over yet, or None if nobody has begun it."""
    return _load_one(connection, dailies.c.guild_id == guild_id, dailies.c.ends_at > now)


def load_of_day(connection: Connection, guild_id: int, day: date) -> Daily | None:
    """Return a server's challenge of a date, or None."""
    return _load_one(connection, dailies.c.guild_id == guild_id, dailies.c.day == day)


def load_daily(connection: Connection, daily_id: str) -> Daily | None:
    """Return the challenge with this id, or None."""
    return _load_one(connection, dailies.c.id == daily_id)


def add_daily(connection: Connection, daily: Daily, now: datetime) -> None:
    """Store a new day. Its podium is due at its end; a day that is over already gets none."""
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


def postpone_podium(connection: Connection, daily_id: str, post_at: datetime) -> None:
    """Move a podium that is still to be posted to another moment."""
    owed = dailies.c.id == daily_id, dailies.c.post_at.is_not(None)
    connection.execute(update(dailies).where(*owed).values(post_at=post_at, post_until=None))


def load_attempt(connection: Connection, daily: Daily, user_id: int) -> Attempt | None:
    """Return a person's attempt, or None if they have not begun."""
    mine = daily_plays.c.daily_id == daily.id, daily_plays.c.user_id == user_id
    row = connection.execute(select(daily_plays).where(*mine)).mappings().one_or_none()
    if row is None:
        return None
    streak = row["streak"]
    if streak is None:
        streak = 0 if row["finished_at"] else load_streak_before(connection, daily, user_id)
    events = tuple(events_from_lines([row["events"]]))
    game = replay_events(1, TurnOrder.OWN_PACE, events)
    return from_row(Attempt, row, daily=daily, events=events, game=game, streak=streak)


def save_attempt(connection: Connection, attempt: Attempt, now: datetime) -> None:
    connection.execute(
        insert_or_replace(connection, daily_plays),
        {
            "daily_id": attempt.daily.id,
            "user_id": attempt.user_id,
            "name": attempt.name,
            "channel_id": attempt.channel_id,
            "step": attempt.step,
            "events": events_to_lines(attempt.events),
            "practised": attempt.practised,
            "score": attempt.run.total if attempt.finished_at else None,
            "streak": attempt.streak if attempt.ranked else None,
            "finished_at": attempt.finished_at,
            "shared_at": attempt.shared_at,
            # Only sharing changes an attempt that is finished.
            "post_at": attempt.shared_at,
            "post_until": None,
            "updated_at": now,
        },
    )


def load_streak_before(connection: Connection, daily: Daily, user_id: int) -> int:
    """Return the number of days in a row that a person has finished here until the day before; 0 without that one."""
    streak = connection.scalar(
        select(daily_plays.c.streak)
        .join(dailies)
        .where(
            dailies.c.guild_id == daily.guild_id,
            dailies.c.day == previous_daily(daily.day),
            daily_plays.c.user_id == user_id,
        )
    )
    return streak or 0


def load_days_played(connection: Connection, guild_id: int, user_id: int) -> DaysPlayed | None:
    """Return the days that a person has finished in time on a server, or None."""
    mine = daily_plays.c.user_id == user_id, dailies.c.guild_id == guild_id, daily_plays.c.streak.is_not(None)
    query = select(func.max(daily_plays.c.name), func.count(), func.max(daily_plays.c.streak))
    name, number, longest = connection.execute(query.join(dailies).where(*mine)).one()
    return DaysPlayed(name, number, longest) if number else None


def find_streak_holders(connection: Connection, daily: Daily, days: int, user_ids: Sequence[int]) -> set[int]:
    """Return who of these has had a streak of ``days`` here before. Longer streaks were that long once."""
    query = select(daily_plays.c.user_id).join(dailies)
    earlier = dailies.c.guild_id == daily.guild_id, dailies.c.day < daily.day, daily_plays.c.streak == days
    return set(connection.scalars(query.where(*earlier, daily_plays.c.user_id.in_(user_ids))))


def load_finishers(connection: Connection, daily_id: str) -> list[Finisher]:
    """Return all who have finished a day in time, with their streaks, in the order in which they finished."""
    rows = connection.execute(
        select(daily_plays.c.user_id, daily_plays.c.name, daily_plays.c.score, daily_plays.c.streak)
        .where(daily_plays.c.daily_id == daily_id, daily_plays.c.streak.is_not(None))
        .order_by(daily_plays.c.finished_at, daily_plays.c.user_id)
    )
    return [Finisher(*row) for row in rows]


def load_week_of_finishers(connection: Connection, daily: Daily) -> list[Finisher]:
    """Return all who have finished in time in the week until a day, with their points, most points first."""
    monday, points = daily.day - timedelta(days=daily.day.weekday()), func.sum(daily_plays.c.score)
    this_week = dailies.c.day.between(monday, daily.day)
    rows = connection.execute(
        select(daily_plays.c.user_id, func.max(daily_plays.c.name), points, func.count())
        .join(dailies)
        .where(dailies.c.guild_id == daily.guild_id, this_week, daily_plays.c.streak.is_not(None))
        .group_by(daily_plays.c.user_id)
        .order_by(points.desc(), daily_plays.c.user_id)
    )
    return [Finisher(user_id, name, int(score), days) for user_id, name, score, days in rows]


def load_scores_of(connection: Connection, guild_id: int, user_id: int, since: date) -> dict[date, int | None]:
    """Return somebody's scores on the days of a server from ``since`` on; None for a day they have not finished."""
    rows = connection.execute(
        select(dailies.c.day, daily_plays.c.score)
        .join(dailies)
        .where(dailies.c.guild_id == guild_id, daily_plays.c.user_id == user_id, dailies.c.day >= since)
    )
    return {row.day: row.score for row in rows}


def is_played(connection: Connection, guild_id: int, since: date) -> bool:
    """Return whether anybody has rolled a die of a server's challenges from this day on."""
    query = select(daily_plays.c.user_id).join(dailies)
    rolled = query.where(dailies.c.guild_id == guild_id, dailies.c.day >= since, daily_plays.c.step > 0)
    return connection.scalar(rolled.limit(1)) is not None


def load_channels_played_in(connection: Connection, daily_id: str) -> list[int]:
    """Return the channels in which dice were rolled on a day, the last one first."""
    last = func.max(daily_plays.c.updated_at)
    rows = connection.execute(
        select(daily_plays.c.channel_id)
        .where(daily_plays.c.daily_id == daily_id, daily_plays.c.step > 0)
        .group_by(daily_plays.c.channel_id)
        .order_by(last.desc(), daily_plays.c.channel_id)
    )
    return list(rows.scalars())


def _load_one(connection: Connection, *conditions: Any) -> Daily | None:
    query = select(dailies).where(*conditions).order_by(dailies.c.day.desc()).limit(1)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        return None
    deck, averages = deck_from_text(row["deck"]), AVERAGES.read(row["averages"])
    return from_row(Daily, row, deck=deck, averages=averages)
