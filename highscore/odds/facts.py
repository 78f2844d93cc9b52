"""The figures of a challenge card under best play: its average, its spread and the chances to reach a result."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np

from highscore.cards import Card, RollType
from highscore.dice import DICE
from highscore.odds.policy import COUNTED, POINTS, solve_card
from highscore.odds.results import list_results
from highscore.odds.solver import solve_plan
from highscore.turn import begin_turn

_BATCH = 32


@dataclass(frozen=True, slots=True)
class CardFacts:
    """Exact figures of one card, before the first roll."""

    card: Card
    average: float
    """The expected result, in points, of playing for the highest average."""
    deviation: float
    """The standard deviation of the result when played like that."""
    counted: float
    """The expected max(result, 0), which a daily challenge counts (R9.4), of playing for just that."""
    lowest: int
    """The lowest result the dice can show."""
    highest: int
    """The highest result the dice can show."""
    reach: tuple[tuple[int, float], ...]
    """The best chance to get at least each possible positive result, ascending: every one with its own best play."""

    def find_chance(self, result: int) -> float:
        """Return the best chance, 0 to 1, to get at least a result of 1 or more. Raises ValueError below 1."""
        if result < 1:
            raise ValueError(f"chances are kept for results from 1 on, not for {result}")
        at = bisect_left(self.reach, (result, -1.0))
        return self.reach[at][1] if at < len(self.reach) else 0.0

    def find_result(self, chance: float) -> int | None:
        """Return the highest positive result that can be reached with at least this chance (0 to 1), or None."""
        return max((result for result, best in self.reach if best >= chance), default=None)


@lru_cache(maxsize=256)
def compute_facts(card: Card) -> CardFacts:
    """Compute the figures of a card; those of 256 cards are remembered.

    >>> from highscore.deck import STANDARD_DECK
    >>> found = compute_facts(STANDARD_DECK.find_card("odd-five"))
    >>> found.lowest, found.highest, round(found.average, 1), round(found.find_chance(30), 3), found.find_result(0.5)
    (0, 35, 20.9, 0.037, 22)
    """
    steady = solve_card(card, POINTS)
    outcome = steady.compute_outcome(begin_turn(card))
    average = float(outcome @ POINTS.values)
    of_roll = list_results(card)
    positive = sorted({int(result) for result in of_roll if result > 0})
    return CardFacts(
        card,
        steady.start,
        sqrt(max(0.0, float(outcome @ POINTS.values**2) - average**2)),
        _compute_counted(card),
        int(of_roll.min()),
        int(of_roll.max()),
        tuple(zip(positive, _compute_best_chances(card, positive), strict=True)),
    )


def compute_par(cards: Iterable[Card]) -> float:
    """Return the par of these cards (R9.4): the expected sum of max(result, 0) under the play that is best for it."""
    return sum(compute_averages(cards))


def compute_averages(cards: Iterable[Card]) -> tuple[float, ...]:
    """Return the part of the par that each card adds."""
    return tuple(map(_compute_counted, cards))


@lru_cache(maxsize=256)
def _compute_counted(card: Card) -> float:
    return solve_card(card, COUNTED).start


def _compute_best_chances(card: Card, at_least: list[int]) -> list[float]:
    of_roll = list_results(card)
    last = 0 if card.roll_type is RollType.SET_ASIDE else card.roll_type.max_rolls - 1
    chances: list[float] = []
    for start in range(0, len(at_least), _BATCH):
        bounds = np.array(at_least[start : start + _BATCH])
        plan = solve_plan(card, DICE, (of_roll[:, None] >= bounds).astype(np.float64))
        chances += map(float, plan.keeps[last][0])
    return chances
