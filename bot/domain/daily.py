"""A daily challenge and somebody's way through it, as the services hand them to the pictures."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import Enum

from bot.domain.badges import Badge
from highscore.cards import Card
from highscore.deck import Deck
from highscore.events import Event
from highscore.fairness import Source, draw_daily_cards
from highscore.game import Game
from highscore.runs import Run

DAY_BEFORE_THE_FIRST = date(2025, 12, 31)
"""Challenges are numbered from the day after it: the same number on every server."""


def daily_number(day: date) -> int:
    return (day - DAY_BEFORE_THE_FIRST).days


def day_of_number(number: int) -> date:
    """The day of a challenge's number, which may be any that a date can have. Raises OverflowError for others."""
    return DAY_BEFORE_THE_FIRST + timedelta(days=number)


def week_of(day: date) -> tuple[date, date]:
    """Monday and Sunday of the week of a day."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


@dataclass(frozen=True, slots=True)
class Daily:
    """One day of one server."""

    id: str
    """Public; 12 hexadecimal digits."""
    guild_id: int
    day: date
    ends_at: datetime
    """Fixed when the day is played first: a new time zone of the server counts from the next day on."""
    locale: str
    """The language of what everybody sees."""
    deck: Deck
    averages: tuple[float, ...]
    """What each card adds to the par (R9.4)."""
    seed: bytes = field(repr=False)
    """Secret until the day is over."""
    seal: str
    """Of the seed, made when the day began and only read since."""

    @property
    def number(self) -> int:
        return daily_number(self.day)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The seven cards in order, the same on every server that plays with this deck."""
        return draw_daily_cards(self.day.isoformat(), self.deck)

    @property
    def source(self) -> Source:
        """Where the dice of the day come from. No lucky words: everybody meets the same dice."""
        return Source(self.seed, self.id, ("",), day=self.day.isoformat())

    @property
    def par(self) -> float:
        """What best play expects of the day (R9.4)."""
        return sum(self.averages)


class Grade(Enum):
    """A card's result compared with its average: all that others see of it (R9.4)."""

    GREAT = "great"
    """At least half as much again."""
    GOOD = "good"
    """At least the average."""
    FAIR = "fair"
    """At least half of it."""
    POOR = "poor"
    NOTHING = "nothing"
    """The card added nothing."""


def grade_card(counted: int, average: float) -> Grade:
    """How a card that added ``counted`` points went, where best play expects ``average``."""
    if counted <= 0:
        return Grade.NOTHING
    for share, found in ((1.5, Grade.GREAT), (1.0, Grade.GOOD), (0.5, Grade.FAIR)):
        if counted >= share * average:
            return found
    return Grade.POOR


@dataclass(frozen=True, slots=True)
class Attempt:
    """The one attempt of a person on a day."""

    daily: Daily
    user_id: int
    name: str
    """As the server showed it when they played last."""
    channel_id: int
    """Where they played last."""
    events: tuple[Event, ...]
    """All of its log."""
    game: Game
    """What they have led to: a game of one run."""
    streak: int
    """Days finished in a row: with this one when it is finished, until the day before when it is not.

    0 for one that was finished after its day.
    """
    finished_at: datetime | None = None
    shared_at: datetime | None = None
    """When its player last shared it."""

    @property
    def ranked(self) -> bool:
        """Whether it was finished while its day lasted. What is finished later counts for nothing."""
        return self.finished_at is not None and self.finished_at < self.daily.ends_at

    def may_share(self, now: datetime) -> bool:
        """Whether it may be shared: once while the day lasts, and once more when everything may be told."""
        if self.finished_at is None:
            return False
        return self.shared_at is None or self.shared_at < self.daily.ends_at <= now

    @property
    def run(self) -> Run:
        return self.game.find_run(0)

    @property
    def step(self) -> int:
        """How far it has come, as the buttons say it; 0 before the first dice."""
        return self.run.step.number

    @property
    def share_row(self) -> tuple[Grade, ...]:
        """One grade for each finished card, best first: the order of the cards would tell others what to expect."""
        pairs = zip(self.run.finished, self.daily.averages, strict=False)
        order = list(Grade)
        return tuple(sorted((grade_card(turn.counted, average) for (_, turn), average in pairs), key=order.index))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the ranking of a day or of a week."""

    place: int
    """1 for the highest score; equal scores share a place, and the next place leaves as many out."""
    user_id: int
    name: str
    score: int
    days: int
    """Finished: of a day's ranking in a row until then, of a week's in it."""
    badge: Badge | None = None
    """Earned by finishing this day."""


def rank_attempts(finished: Iterable[tuple[int, str, int, int]]) -> tuple[Ranked, ...]:
    """The ranking from (user, name, score, days) of those who have finished, in the order they did."""
    lines: list[Ranked] = []
    for index, (user_id, name, score, days) in enumerate(sorted(finished, key=lambda each: -each[2])):
        shared = bool(lines) and lines[-1].score == score
        lines.append(Ranked(lines[-1].place if shared else index + 1, user_id, name, score, days))
    return tuple(lines)
