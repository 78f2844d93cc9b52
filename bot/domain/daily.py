"""A daily challenge, its grades, and the rankings of a day and of a week."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import NamedTuple

from bot.domain.badges import Badge
from bot.domain.calendar import moment_at
from bot.domain.challenge import Attempt, Challenge

DAY_BEFORE_THE_FIRST = date(2025, 12, 31)
"""The day whose number is 0. A day has the same number on every server."""


ONE_DAY = timedelta(days=1)


def daily_number(day: date) -> int:
    return (day - DAY_BEFORE_THE_FIRST).days


def day_of_number(number: int) -> date:
    return DAY_BEFORE_THE_FIRST + timedelta(days=number)


@dataclass(frozen=True, slots=True)
class Daily(Challenge):
    """The challenge of one day on one server. It is closed at its end, which is fixed when the day is opened: a new
    time zone of the server counts from the next challenge on."""

    day: date

    @property
    def number(self) -> int:
        return daily_number(self.day)


class EarlierDay(NamedTuple):
    """A day of a server that somebody had opened, as one person played it."""

    day: date
    ends_at: datetime
    streak: int | None
    """The person's days in a row up to this one; None if they did not finish it in time."""


def continue_streak(daily: Daily, earlier: Iterable[EarlierDay], zone: str) -> int:
    """Return a person's days in a row before a day. ``earlier`` are the server's days before it, the latest one first.

    A missed day ends the streak if it could be played from its beginning to its end. When a server moves to a time zone
    further east, a day is cut short: it begins only at the end of the day before, which ends by the old zone. Missing
    such a day ends nothing.
    """
    day, begins = daily.day, daily.ends_at - _length_of(daily.day, zone)
    missed_from: datetime | None = None
    for before in earlier:
        if missed_from is None and before.day != day - ONE_DAY:  # Nobody opened that day.
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


class Grade(Enum):
    """A card's result compared with its average: all that others see of it (R9.4)."""

    GREAT = "great"
    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"
    NOTHING = "nothing"


def grade_card(counted: int, average: float) -> Grade:
    """Return the grade of a card that added ``counted`` points, where best play expects ``average``.

    >>> [grade_card(counted, 10.0).value for counted in (15, 10, 5, 1, 0)]
    ['great', 'good', 'fair', 'poor', 'nothing']
    """
    if counted <= 0:
        return Grade.NOTHING
    for share, found in ((1.5, Grade.GREAT), (1.0, Grade.GOOD), (0.5, Grade.FAIR)):
        if counted >= share * average:
            return found
    return Grade.POOR


def may_share(attempt: Attempt[Daily], now: datetime) -> bool:
    """Return whether an attempt may be shared: once while the day lasts, and once more after it."""
    daily, shared_at = attempt.challenge, attempt.shared_at
    if attempt.finished_at is None:
        return False
    return shared_at is None or (daily.is_closed(now) and not daily.is_closed(shared_at))


def grade_cards(attempt: Attempt[Daily]) -> tuple[Grade, ...]:
    """Return the grades of the finished cards, best first: the order of the cards would tell others what to expect."""
    pairs = zip(attempt.run.finished, attempt.challenge.averages, strict=False)
    order = list(Grade)
    return tuple(sorted((grade_card(turn.counted, average) for (_, turn), average in pairs), key=order.index))


@dataclass(frozen=True, slots=True)
class Finisher:
    """Somebody who has finished a day, or days of a week, in time."""

    user_id: int
    name: str
    score: int
    days: int
    """The days finished in a row, in the ranking of a day; the days finished, in the ranking of a week."""


@dataclass(frozen=True, slots=True)
class Ranked(Finisher):
    """A line of the ranking of a day or of a week."""

    place: int
    badge: Badge | None = None
    """The badge that was earned by finishing this day."""


def make_ranking(finishers: Iterable[Finisher]) -> tuple[Ranked, ...]:
    """Return the ranking of finishers, who come in the order in which they have finished.

    >>> ranking = make_ranking([Finisher(1, "Ada", 70, 1), Finisher(2, "Ben", 90, 1), Finisher(3, "Cem", 90, 1)])
    >>> [(line.place, line.name) for line in ranking]
    [(1, 'Ben'), (1, 'Cem'), (3, 'Ada')]
    """
    lines: list[Ranked] = []
    for number, each in enumerate(sorted(finishers, key=lambda each: -each.score), 1):
        place = lines[-1].place if lines and lines[-1].score == each.score else number
        lines.append(Ranked(each.user_id, each.name, each.score, each.days, place))
    return tuple(lines)
