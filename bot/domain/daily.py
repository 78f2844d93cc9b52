"""A daily challenge, an attempt at it, and the rankings of a day and of a week."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import Enum

from bot.domain.badges import Badge
from bot.domain.practised import knows_card, note_cards
from highscore.cards import Card
from highscore.deck import Deck
from highscore.events import Event
from highscore.fairness import Source, draw_daily_cards
from highscore.game import Game
from highscore.runs import Run

DAY_BEFORE_THE_FIRST = date(2025, 12, 31)
"""The day whose number is 0. A day has the same number on every server."""


def has_daily(day: date) -> bool:
    """Return whether a challenge begins on a day: it does on all days of the week, of which Monday is 0."""
    return day.weekday() in range(7)


def latest_daily(day: date) -> date:
    """Return the day of the challenge that is played on a day. A challenge lasts until the next one begins."""
    return day if has_daily(day) else previous_daily(day)


def previous_daily(day: date) -> date:
    """Return the day of the last challenge that began before a day."""
    return latest_daily(day - timedelta(days=1))


def next_daily(day: date) -> date:
    """Return the day of the first challenge that begins after a day."""
    after = day + timedelta(days=1)
    return after if has_daily(after) else next_daily(after)


def daily_number(day: date) -> int:
    return (day - DAY_BEFORE_THE_FIRST).days


def day_of_number(number: int) -> date:
    """Return the day of the last challenge up to a number."""
    return latest_daily(DAY_BEFORE_THE_FIRST + timedelta(days=number))


@dataclass(frozen=True, slots=True)
class Daily:
    """The challenge of one day on one server."""

    id: str
    """A public name of 12 hexadecimal digits."""
    guild_id: int
    day: date
    ends_at: datetime
    """The end, fixed when the day is opened: a new time zone of the server counts from the next challenge on."""
    locale: str
    """The language of what everybody sees."""
    deck: Deck
    averages: tuple[float, ...]
    """The points that best play expects of each card; their sum is the par (R9.4)."""
    seed: bytes = field(repr=False)
    """The secret that the dice follow from. It is told when the day is over."""
    seal: str
    """The seal of the seed, made when the day was opened and only read since."""

    @property
    def number(self) -> int:
        return daily_number(self.day)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The seven cards in order, the same on every server with this deck."""
        return draw_daily_cards(self.day.isoformat(), self.deck)

    @property
    def source(self) -> Source:
        """The source of the day's dice. It has no lucky words, so that everybody meets the same dice."""
        return Source(self.seed, self.id, ("",), day=self.day.isoformat())

    @property
    def par(self) -> float:
        return sum(self.averages)


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


@dataclass(frozen=True, slots=True)
class Attempt:
    """The one attempt of a person on a day."""

    daily: Daily
    user_id: int
    name: str
    """The player's name as the server showed it when they played last."""
    channel_id: int
    """The channel in which the player played last."""
    events: tuple[Event, ...]
    game: Game
    """A game of one run, which the events have led to."""
    streak: int
    """The challenges finished in a row, with this one if it is finished; 0 if it is finished late."""
    finished_at: datetime | None = None
    shared_at: datetime | None = None
    practised: str = ""
    """The scorings and roll types that the person had played on the server before (``domain.practised``)."""

    @property
    def ranked(self) -> bool:
        """True if the attempt was finished while its day lasted. A later finish counts for nothing."""
        return self.finished_at is not None and self.finished_at < self.daily.ends_at

    def may_share(self, now: datetime) -> bool:
        """Return whether the attempt may be shared: once while the day lasts, and once more after it."""
        if self.finished_at is None:
            return False
        return self.shared_at is None or self.shared_at < self.daily.ends_at <= now

    def knows(self, card: Card) -> bool:
        """Return whether the player has finished a turn with a card's scoring and one with its roll type."""
        return knows_card(note_cards((each for each, _turn in self.run.finished), self.practised), card)

    @property
    def run(self) -> Run:
        return self.game.find_run(0)

    @property
    def step(self) -> int:
        """The progress that the buttons carry; 0 before the first dice."""
        return self.run.step.number

    @property
    def share_row(self) -> tuple[Grade, ...]:
        """The grades of the finished cards, best first: the order of the cards would tell others what to expect."""
        pairs = zip(self.run.finished, self.daily.averages, strict=False)
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
