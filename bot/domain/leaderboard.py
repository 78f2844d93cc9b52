"""Leaderboards and the hall of fame, as the services hand them to the screens."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bot.domain.ledger import PlayerStanding, Record
from highscore.cards import Card

LINES_PER_PAGE = 10
"""The lines of a page: as many as a phone shows without much scrolling."""


class Order(Enum):
    RATING = "rating"
    WINS = "wins"
    WIN_RATE = "rate"
    CHIPS = "chips"
    BEST = "best"
    LOSS = "loss"

    @property
    def column(self) -> str:
        """The column of the standings that holds the value, and its field of the same name."""
        return {Order.WIN_RATE: "win_rate", Order.CHIPS: "points", Order.LOSS: "loss_rate"}.get(self, self.value)

    @property
    def ascending(self) -> bool:
        return self is Order.LOSS

    def read_value(self, line: PlayerStanding) -> float | None:
        """Return the value by which a standing is ranked; None if it is not ranked."""
        value: float | None = getattr(line, self.column)
        return value


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody's line of a leaderboard."""

    place: int | None
    """1 for the best; equals share a place: 1, 2, 2, 4. None for a standing that is not ranked."""
    standing: PlayerStanding


@dataclass(frozen=True, slots=True)
class Leaderboard:
    period: str
    order: Order
    page: int
    """0 for the first."""
    lines: Sequence[Line]
    has_more: bool
    own: Line | None
    """The line of the user who asks, also if it is among ``lines``; None without a game in this period."""


@dataclass(frozen=True, slots=True)
class Fame:
    """A card's record, with its holder's name; None for a former player."""

    card: Card
    record: Record
    name: str | None


@dataclass(frozen=True, slots=True)
class HallOfFame:
    page: int
    lines: Sequence[Fame]
    has_more: bool
