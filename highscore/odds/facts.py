"""Figures of a challenge card under best play (average, spread, chances of results), and how rare a turn is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import sqrt

import numpy as np

from highscore.cards import Card, RollType
from highscore.dice import DICE, Face
from highscore.events import Event
from highscore.game import Game
from highscore.odds.lattice import build_lattice
from highscore.odds.policy import COUNTED, POINTS, solve_card
from highscore.odds.results import list_results
from highscore.odds.solver import solve_plan
from highscore.replaying import find_last_rolls
from highscore.runs import FinishedTurn
from highscore.track import Chip
from highscore.turn import Turn, begin_turn

_BATCH = 32


@dataclass(frozen=True, slots=True)
class CardFacts:
    """Exact figures of one card, before the first roll."""

    card: Card
    average: float
    """The expected result, in points, when playing for the highest average."""
    deviation: float
    """The standard deviation of the result when playing for the highest average."""
    counted: float
    """The expected max(result, 0), when playing for the highest average of max(result, 0) (R9.4)."""
    lowest: int
    """The lowest result that the dice can show."""
    highest: int
    """The highest result that the dice can show."""
    reach: tuple[tuple[int, float], ...]
    """Each possible positive result, ascending, and the chance of at least this result when playing only for it."""

    def find_chance(self, result: int) -> float:
        """Return the best possible chance, 0 to 1, to get at least ``result``. Raises ValueError for results below
        1."""
        if result < 1:
            raise ValueError(f"there are only chances of results from 1 on, not of {result}")
        at = bisect_left(self.reach, (result, -1.0))
        return self.reach[at][1] if at < len(self.reach) else 0.0

    def find_result(self, chance: float) -> int | None:
        """Return the highest positive result that can be reached with at least this chance (0 to 1), or None if there
        is none."""
        return max((result for result, best in self.reach if best >= chance), default=None)


@lru_cache(maxsize=256)
def compute_facts(card: Card) -> CardFacts:
    """Compute the figures of a card. The last 256 cards are cached.

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
    """Return the par of these cards (R9.4): the highest expected sum of max(result, 0)."""
    return sum(compute_averages(cards))


def compute_averages(cards: Iterable[Card]) -> tuple[float, ...]:
    """Return how much each card adds to par (R9.4): the highest expected value of max(result, 0)."""
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


FOUR = 4
"""A turn that wins gold with at least this many vortices is rare."""
THIRTY = 30
GLORIOUS = 15
"""A bust is rare if the dice were worth at least this many points before the last roll."""


class Feat(Enum):
    """A rare way for a turn to end."""

    ALIKE = "alike"
    """All dice show the same face."""
    THIRTY = "thirty"
    """The result is exactly 30."""
    VORTICES = "vortices"
    """At least four dice show the vortex, and the turn wins gold."""
    REACHED = "reached"
    """The result breaks a record."""
    BUST = "bust"
    """The result is 0 or less, although the dice were worth at least 15 before the last roll."""


@dataclass(frozen=True, slots=True)
class RareTurn:
    """A turn that ended in a rare way."""

    seat: int
    round: int
    feat: Feat
    one_in: int
    """N if one turn in N ends like this (``count_turns``)."""
    stood: int = 0
    """For a bust: the points that the dice were worth before the last roll. Otherwise 0."""

    @classmethod
    def parse(cls, seat: int, number: int, text: str) -> RareTurn:
        """Read a stored text, which has the feat, ``one_in`` and ``stood``. ``number`` is the round, 1 to 7.

        >>> str(RareTurn.parse(1, 3, "bust 47 24"))
        'bust 47 24'
        """
        feat, one_in, stood = text.split()
        return cls(seat, number, Feat(feat), int(one_in), int(stood))

    def __str__(self) -> str:
        return f"{self.feat.value} {self.one_in} {self.stood}"


def find_rare_turns(
    before: Game, after: Game, records: Collection[tuple[int, int | None]], events: Iterable[Event]
) -> Iterator[RareTurn]:
    """Yield the rare turns among the turns that have become public with ``events`` (R9.5).

    ``before`` and ``after`` are the states before and after ``events``. ``records`` are the seats and rounds whose
    results broke a record. A bust is found only if its last roll is in ``events``, because replaying the whole game
    would take too long in the transaction of a move.
    """
    for number, card, turn in _list_public_turns(after)[len(_list_public_turns(before)) :]:
        if len(set(turn.dice)) == 1:
            yield _make_rare(Feat.ALIKE, number, card, turn)
        if turn.result == THIRTY:
            yield _make_rare(Feat.THIRTY, number, card, turn)
        if turn.result <= 0:
            rolled = find_last_rolls(before, events).get((turn.seat, number - 1))
            if rolled is not None and rolled.rolls and rolled.score.total >= GLORIOUS:
                yield _make_rare(Feat.BUST, number, card, turn, rolled)
    for number, ended in enumerate(after.finished[len(before.finished) :], len(before.finished) + 1):
        for turn in ended.turns:
            if (turn.seat, number) in records:
                yield _make_rare(Feat.REACHED, number, ended.card, turn)
            if ended.chips.get(turn.seat) is Chip.GOLD and turn.dice.faces.count(Face.VORTEX) >= FOUR:
                yield _make_rare(Feat.VORTICES, number, ended.card, turn)


def _make_rare(feat: Feat, number: int, card: Card, turn: FinishedTurn, before: Turn | None = None) -> RareTurn:
    one_in = count_turns(feat, card, turn.result, before)
    return RareTurn(turn.seat, number, feat, one_in, 0 if before is None else before.score.total)


def _list_public_turns(game: Game) -> list[tuple[int, Card, FinishedTurn]]:
    """Return the turns that everybody may see (R9.5), each with the number and the card of its round."""
    rounds = [(ended.card, ended.turns) for ended in game.finished]
    if game.card is not None and game.turn_order.shared:
        rounds.append((game.card, game.played))
    return [(number, card, turn) for number, (card, turns) in enumerate(rounds, 1) for turn in turns]


def count_turns(feat: Feat, card: Card, result: int, before: Turn | None = None) -> int:
    """Return N, rounded to two digits, if one turn in N ends like this under best play for points. 0 if no turn does.

    The turns start from the beginning, or from ``before``, a position whose dice are about to be rolled.

    >>> from highscore.deck import STANDARD_DECK
    >>> count_turns(Feat.ALIKE, STANDARD_DECK.find_card("pairs-minus-zero"), 20)
    1300
    """
    results, counts = list_results(card), build_lattice().counts[build_lattice().find_layer(DICE)]
    ends_so = {
        Feat.ALIKE: (counts == DICE).any(axis=1),
        Feat.THIRTY: results == THIRTY,
        Feat.VORTICES: counts[:, Face.VORTEX - 1] >= FOUR,
        Feat.REACHED: results >= result,
        Feat.BUST: results <= 0,
    }[feat]
    chance = float(solve_card(card, POINTS).compute_rolls(before or begin_turn(card)) @ ends_so)
    turns = round(1 / chance) if chance > 0 else 0
    return round(turns, 2 - len(str(turns)))
