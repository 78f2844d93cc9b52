"""Daily challenges, and what people have scored in them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, update

from bot.domain.daily import Daily, EarlierDay, Finisher
from bot.domain.history import DaysPlayed
from bot.store.challenge import add_challenge, make_challenge
from bot.store.models import attempts, challenges, dailies

DAYS_BACK = 7
"""How many earlier days are read for a streak. A streak can go on over days that a change of the time zone has cut
short, even over several such days in a row.
"""


def load_running(connection: Connection, guild_id: int, now: datetime) -> Daily | None:
    """Return a server's daily challenge that has not ended yet, or None if nobody has opened one."""
    return _load_one(connection, dailies.c.guild_id == guild_id, challenges.c.ends_at > now)


def load_of_day(connection: Connection, guild_id: int, day: date) -> Daily | None:
    return _load_one(connection, dailies.c.guild_id == guild_id, dailies.c.day == day)


def load_daily(connection: Connection, daily_id: str) -> Daily | None:
    return _load_one(connection, challenges.c.id == daily_id)


def add_daily(connection: Connection, daily: Daily, now: datetime) -> None:
    """Store a new daily challenge. Its podium is due at its end. A day that is over already gets no podium."""
    add_challenge(connection, daily, now)
    post_at = None if daily.is_closed(now) else daily.ends_at
    row = {"challenge_id": daily.id, "guild_id": daily.guild_id, "day": daily.day, "post_at": post_at}
    connection.execute(insert(dailies).values(row))


def postpone_podium(connection: Connection, daily_id: str, post_at: datetime) -> None:
    unposted = dailies.c.challenge_id == daily_id, dailies.c.post_at.is_not(None)
    connection.execute(update(dailies).where(*unposted).values(post_at=post_at, post_until=None))


def load_days_before(connection: Connection, daily: Daily, user_id: int) -> list[EarlierDay]:
    """Return a server's days before this one on which the person's streak may depend, latest first."""
    theirs = _IS_OF_DAY, attempts.c.user_id == user_id, attempts.c.ranked
    rows = connection.execute(
        select(dailies.c.day, challenges.c.ends_at, attempts.c.streak)
        .select_from(dailies.join(challenges).outerjoin(attempts, and_(*theirs)))
        .where(dailies.c.guild_id == daily.guild_id, dailies.c.day < daily.day)
        .order_by(dailies.c.day.desc())
        .limit(DAYS_BACK)
    )
    return [EarlierDay(*row) for row in rows]


def load_days_played(connection: Connection, guild_id: int, user_id: int) -> DaysPlayed | None:
    mine = attempts.c.user_id == user_id, dailies.c.guild_id == guild_id, attempts.c.ranked
    query = select(func.max(attempts.c.name), func.count(), func.max(attempts.c.streak))
    name, number, longest = connection.execute(query.join(dailies, _IS_OF_DAY).where(*mine)).one()
    return DaysPlayed(name, number, longest) if number else None


def find_streak_holders(connection: Connection, daily: Daily, days: int, user_ids: Sequence[int]) -> set[int]:
    """Return which of these people have had a streak of ``days`` on this server before this day.

    A streak that has become longer counts too, because it once had this length.
    """
    query = select(attempts.c.user_id).join(dailies, _IS_OF_DAY)
    earlier = dailies.c.guild_id == daily.guild_id, dailies.c.day < daily.day, attempts.c.streak == days
    return set(connection.scalars(query.where(*earlier, attempts.c.ranked, attempts.c.user_id.in_(user_ids))))


def load_finishers(connection: Connection, daily_id: str) -> list[Finisher]:
    """Return the people who have finished a day in time, with their streaks, in the order in which they finished."""
    rows = connection.execute(
        select(attempts.c.user_id, attempts.c.name, attempts.c.score, attempts.c.streak)
        .where(attempts.c.challenge_id == daily_id, attempts.c.ranked)
        .order_by(attempts.c.finished_at, attempts.c.user_id)
    )
    return [Finisher(*row) for row in rows]


def load_week_of_finishers(connection: Connection, daily: Daily) -> list[Finisher]:
    """Return the people who have finished a day in time, from Monday of the week to this day, most points first.

    Each has the sum of their points and the number of days.
    """
    monday, points = daily.day - timedelta(days=daily.day.weekday()), func.sum(attempts.c.score)
    this_week = dailies.c.day.between(monday, daily.day)
    rows = connection.execute(
        select(attempts.c.user_id, func.max(attempts.c.name), points, func.count())
        .join(dailies, _IS_OF_DAY)
        .where(dailies.c.guild_id == daily.guild_id, this_week, attempts.c.ranked)
        .group_by(attempts.c.user_id)
        .order_by(points.desc(), attempts.c.user_id)
    )
    return [Finisher(user_id, name, int(score), days) for user_id, name, score, days in rows]


def load_scores_of(connection: Connection, guild_id: int, user_id: int, since: date) -> dict[date, int | None]:
    """Return a person's scores in a server's daily challenges since a day, by day. The score is None if the person has
    begun but not finished.
    """
    rows = connection.execute(
        select(dailies.c.day, attempts.c.score)
        .join(dailies, _IS_OF_DAY)
        .where(dailies.c.guild_id == guild_id, attempts.c.user_id == user_id, dailies.c.day >= since)
    )
    return {row.day: row.score for row in rows}


def is_played(connection: Connection, guild_id: int, since: date) -> bool:
    """Return whether anybody has rolled dice in a server's daily challenges since a day."""
    query = select(attempts.c.user_id).join(dailies, _IS_OF_DAY)
    rolled = query.where(dailies.c.guild_id == guild_id, dailies.c.day >= since, attempts.c.step > 0)
    return connection.scalar(rolled.limit(1)) is not None


def load_channels_played_in(connection: Connection, daily_id: str) -> list[int]:
    """Return the channels in which people have played a daily challenge, the most recently used first."""
    last = func.max(attempts.c.updated_at)
    rows = connection.execute(
        select(attempts.c.channel_id)
        .where(attempts.c.challenge_id == daily_id, attempts.c.step > 0)
        .group_by(attempts.c.channel_id)
        .order_by(last.desc(), attempts.c.channel_id)
    )
    return list(rows.scalars())


def _load_one(connection: Connection, *conditions: ColumnElement[bool]) -> Daily | None:
    query = select(challenges, dailies.c.day).join(dailies).where(*conditions).order_by(dailies.c.day.desc()).limit(1)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else make_challenge(Daily, row)


_IS_OF_DAY = attempts.c.challenge_id == dailies.c.challenge_id
