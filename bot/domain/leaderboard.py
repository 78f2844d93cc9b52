"""Leaderboards and the hall of fame, as values that services pass to ``bot.ui``."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bot.domain.ledger import PlayerStanding, Record
from highscore.cards import Card

LINES_PER_PAGE = 5
RECORDS_PER_PAGE = 10
"""About as many records as a phone shows without scrolling."""


class Order(Enum):
    RATING = "rating"
    WINS = "wins"
    WIN_RATE = "rate"
    CHIPS = "chips"
    BEST = "best"
    LOSS = "loss"

    @property
    def column(self) -> str:
        """The column of the standings by which they are ranked. The field of ``PlayerStanding`` has the same name."""
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
    place: int | None
    """1 for the best. Equal values share a place: 1, 2, 2, 4. None if the standing has no value to rank by."""
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
    """The line of the user who asks; it may also be in ``lines``. None if they have no game in this period."""
    ahead: Line | None = None
    """The line of a player with the next better value than the user who asks, if any."""


@dataclass(frozen=True, slots=True)
class Fame:
    card: Card
    record: Record
    name: str | None
    """The name of the record's holder; None if their data was deleted."""


@dataclass(frozen=True, slots=True)
class HallOfFame:
    page: int
    lines: Sequence[Fame]
    has_more: bool
