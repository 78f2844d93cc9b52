"""A daily challenge, and the rankings of a day and of a week."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from bot.domain.badges import Badge
from bot.domain.calendar import moment_at
from bot.domain.challenge import Attempt, Challenge

DAY_BEFORE_THE_FIRST = date(2025, 12, 31)
"""The day with number 0. The numbers are the same on every server."""
ONE_DAY = timedelta(days=1)


def daily_number(day: date) -> int:
    return (day - DAY_BEFORE_THE_FIRST).days


def day_of_number(number: int) -> date:
    return DAY_BEFORE_THE_FIRST + timedelta(days=number)


@dataclass(frozen=True, slots=True)
class Daily(Challenge):
    """The challenge of one day on one server. Its end is fixed when it is opened. A new time zone of the server counts
    from the next challenge on."""

    day: date

    @property
    def number(self) -> int:
        return daily_number(self.day)


class EarlierDay(NamedTuple):
    """A day whose challenge exists on the server, and one person's streak on that day.

    The bot's morning post or a player opened the challenge. A player may have opened it after the day was over.
    """

    day: date
    ends_at: datetime
    streak: int | None
    """The number of days in a row up to this day. None if the person did not finish its challenge in time."""


def continue_streak(daily: Daily, earlier: Iterable[EarlierDay], zone: str) -> int:
    """Return the number of days in a row that a person had finished before ``daily``.

    ``earlier`` are the server's earlier days, newest first. A missed day ends the streak, unless the day was shorter
    than usual. A day is shorter if the server moves to a time zone further east: the previous day still ends by the old
    zone, and the new day starts only then.
    """
    day, begins = daily.day, daily.ends_at - _length_of(daily.day, zone)
    missed_from: datetime | None = None
    for before in earlier:
        if missed_from is None and before.day != day - ONE_DAY:  # That day's challenge does not exist.
            missed_from = begins - _length_of(day - ONE_DAY, zone)
        if missed_from is not None and before.ends_at <= missed_from:
            return 0
        if before.streak is not None:
            return before.streak
        day, begins = before.day, before.ends_at - _length_of(before.day, zone)
        missed_from = begins
    return 0


def _length_of(day: date, zone: str) -> timedelta:
    return moment_at(day + ONE_DAY, time(), zone) - moment_at(day, time(), zone)


def may_share(attempt: Attempt[Daily], now: datetime) -> bool:
    """Return whether an attempt may be shared: a finished one, once before the day ends and once after that."""
    daily, shared_at = attempt.challenge, attempt.shared_at
    if attempt.finished_at is None:
        return False
    return shared_at is None or (daily.is_closed(now) and not daily.is_closed(shared_at))


@dataclass(frozen=True, slots=True)
class Finisher:
    """A person who has finished a day's challenge in time, or at least one of a week."""

    user_id: int
    name: str
    score: int
    days: int
    """In the ranking of a day, the streak; in the ranking of a week, the number of days finished."""


@dataclass(frozen=True, slots=True)
class Ranked(Finisher):
    """A line of the ranking of a day or of a week."""

    place: int
    badge: Badge | None = None
    """The badge that the person earned by finishing this day. Always None in the ranking of a week."""


def make_ranking(finishers: Iterable[Finisher]) -> tuple[Ranked, ...]:
    """Rank people by score. People with equal scores share a place and stay in the given order.

    >>> ranking = make_ranking([Finisher(1, "Ada", 70, 1), Finisher(2, "Ben", 90, 1), Finisher(3, "Cem", 90, 1)])
    >>> [(line.place, line.name) for line in ranking]
    [(1, 'Ben'), (1, 'Cem'), (3, 'Ada')]
    """
    lines: list[Ranked] = []
    for number, each in enumerate(sorted(finishers, key=lambda each: -each.score), 1):
        place = lines[-1].place if lines and lines[-1].score == each.score else number
        lines.append(Ranked(each.user_id, each.name, each.score, each.days, place))
    return tuple(lines)
