"""How fast a table is played, and how often people are reminded."""

from dataclasses import dataclass
from enum import Enum

from highscore.turn_order import TurnOrder


class Pace(Enum):
    """The pace of a table, chosen when it is opened."""

    LIVE = "live"
    """Everybody is there."""
    DAY = "day"
    """The game ends within a day."""
    RELAXED = "relaxed"
    """A day for every turn."""

    @property
    def usual_order(self) -> TurnOrder:
        """The turn order that fits: waiting for one player after the other only works when all are there.

        A game that ends within a day leaves nobody time to wait for anybody (docs/async.md).
        """
        return {Pace.LIVE: TurnOrder.CLOCKWISE, Pace.DAY: TurnOrder.OWN_PACE, Pace.RELAXED: TurnOrder.OPEN}[self]


@dataclass(frozen=True, slots=True)
class PaceTimes:
    """The times of one pace, in seconds."""

    turn: int
    """For one turn in rulebook order."""
    round: int
    """For a round in open order."""
    hold: int
    """For holding the dice in open order."""
    game: int
    """For the whole game in own pace."""

    def allowed(self, order: TurnOrder) -> int:
        """The time until somebody who has not acted is played for: a turn, a round in open order, or the game."""
        return {TurnOrder.CLOCKWISE: self.turn, TurnOrder.OPEN: self.round, TurnOrder.OWN_PACE: self.game}[order]
