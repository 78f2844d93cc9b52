"""The luck and the decisions of a game in plain words: five steps of luck, and a grade from A to E.

docs/odds.md says how the bounds were found; ``benchmarks.grades`` measures them again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from highscore.game import Game
from highscore.odds.analysis import PlayerReview

GRADES = "ABCDE"
LEAST_DECISIONS = 10
"""A player with fewer own decisions than this gets no grade."""


class Scale(NamedTuple):
    """The bounds for games that are judged in the same unit."""

    lost: tuple[float, float, float, float]
    """The losses per decision from which the grade is no longer A, B, C or D."""
    luck: tuple[float, float]
    """Luck up to the first bound, half a standard deviation, is average. Beyond the second, one and a half, it is
    great."""
    mistake: float
    """A decision that loses at least this much is called a mistake."""

    def grade(self, review: PlayerReview) -> str | None:
        """Grade a player's own decisions, from A to E. None for fewer than LEAST_DECISIONS."""
        if review.per_decision is None or review.decisions < LEAST_DECISIONS:
            return None
        return GRADES[bisect_right(self.lost, review.per_decision)]

    def rate_luck(self, luck: float) -> int:
        """Return how lucky a player was, from -2 to 2.

        >>> [OWN_PACE.rate_luck(luck) for luck in (-3.5, -2, 0.9, 1.1, 4)]
        [-2, -1, 0, 1, 2]
        """
        steps = bisect_left(self.luck, abs(luck))
        return steps if luck > 0 else -steps


ROUND_BY_ROUND = Scale((0.03, 0.08, 0.15, 0.30), (1, 3), 0.25)
"""For games in CLOCKWISE or OPEN, in expected chip points. Players know the results that are already on the track."""
OWN_PACE = Scale((0.02, 0.08, 0.16, 0.32), (1, 3), 0.25)
"""For games in own pace, in expected chip points. Nobody knows the results of others on the current card (R9.5)."""
ALONE = Scale((0.1, 0.5, 1.3, 3.0), (8, 25), 2)
"""For games with only one seat, such as challenges and legs of cups, in expected points."""


def choose_scale(game: Game) -> Scale:
    """Return the scale for the unit in which ``analyse_game`` judges a game."""
    if len(game.seats) == 1:
        return ALONE
    return ROUND_BY_ROUND if game.turn_order.shared else OWN_PACE
