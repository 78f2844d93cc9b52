"""The pace of a table: how much time people have."""

from dataclasses import dataclass
from enum import Enum

from highscore.turn_order import TurnOrder


class Pace(Enum):
    """The choice of a pace when a table is opened."""

    LIVE = "live"
    """Everybody is there."""
    DAY = "day"
    """The game ends within a day."""
    RELAXED = "relaxed"
    """A day for every turn."""

    @property
    def usual_order(self) -> TurnOrder:
        """The turn order that fits the pace: docs/async.md says why."""
        return {Pace.LIVE: TurnOrder.CLOCKWISE, Pace.DAY: TurnOrder.OWN_PACE, Pace.RELAXED: TurnOrder.OPEN}[self]


@dataclass(frozen=True, slots=True)
class PaceTimes:
    """The seconds of one pace: for a turn in rulebook order, for a round and for holding the dice in open order, for
    the game in own pace."""

    turn: int
    round: int
    hold: int
    game: int

    def allowed(self, order: TurnOrder) -> int:
        """Return the time after which the house plays: of a turn, of a round in open order, or of the game."""
        return {TurnOrder.CLOCKWISE: self.turn, TurnOrder.OPEN: self.round, TurnOrder.OWN_PACE: self.game}[order]
