"""A leg of a cup (R9.8): groups with dice of their own, what everybody has played, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

from highscore.deck import ROUNDS
from highscore.fairness import Source

UNCOMPARED = 60
"""The percent that a finished card is worth in a league to somebody who is compared with nobody."""


@dataclass(frozen=True, slots=True)
class Group:
    """People of a leg who are compared, each with the same dice for the same choices."""

    id: str
    """A public name of 12 hexadecimal digits."""
    entrants: tuple[int, ...]
    cards_name: str
    """The name that the cards follow from, the same for all groups of the leg (``name_cards``)."""
    seed: bytes = field(repr=False)
    """The secret that the group's dice and its lot follow from. It is revealed when the leg is closed."""

    @property
    def source(self) -> Source:
        """The source of everybody's dice, each as seat 0, and of the cards."""
        return Source(self.seed, self.id, ("",), day=self.cards_name)


def name_cards(cup_id: str, leg: int) -> str:
    """Return the name from which a leg's cards follow, as a daily challenge's follow from its date.

    >>> name_cards("0123456789ab", 3)
    'cup 0123456789ab 3'
    """
    return f"cup {cup_id} {leg}"


@dataclass(frozen=True, slots=True)
class Played:
    """Somebody's attempt at a leg when the leg is closed. Whoever has begun has one, even without a finished card."""

    results: tuple[int, ...]
    """The results of the finished cards, the first ones of the leg."""

    @property
    def counted(self) -> tuple[int, ...]:
        return tuple(max(result, 0) for result in self.results)

    @property
    def score(self) -> int:
        return sum(self.counted)


@dataclass(frozen=True)
class Leg:
    """A leg that is closed."""

    groups: tuple[Group, ...]
    byes: tuple[int, ...]
    played: Mapping[int, Played] = field(hash=False)
    """The attempts of those who have begun."""
    left: Collection[int]
    """Everybody who had left the cup when the leg was closed: their attempts at it count for nothing."""
    par: float

    @property
    def final(self) -> bool:
        """True if a knockout ends with this leg."""
        return len(self.groups) == 1 and not self.byes

    def attempt_of(self, entrant: int) -> Played | None:
        return None if entrant in self.left else self.played.get(entrant)

    def attempts_in(self, group: Group) -> dict[int, Played]:
        """Return the attempts of those in a group who have begun and not left."""
        return {one: self.played[one] for one in group.entrants if self.attempt_of(one) is not None}


class Match(NamedTuple):
    """The cards of one person against another."""

    won: int
    lost: int
    halved: int

    @property
    def points(self) -> Fraction:
        return self.won + Fraction(self.halved, 2)


def play_match(one: Played, other: Played) -> Match:
    """Return the match of two attempts. A card that only one has finished goes to them.

    >>> play_match(Played((12, -5, 20, 8)), Played((10, 0, 20)))
    Match(won=2, lost=0, halved=2)
    """
    cards = list(zip_longest(one.counted, other.counted, fillvalue=-1))
    won, lost = sum(mine > theirs for mine, theirs in cards), sum(mine < theirs for mine, theirs in cards)
    return Match(won, lost, len(cards) - won - lost)


class Reason(Enum):
    """The reason why somebody goes on."""

    LEFT = "left"
    """All others have left the cup."""
    BEGUN = "begun"
    """None of the others has begun."""
    POINTS = "points"
    SCORE = "score"
    CARDS = "cards"
    LOT = "lot"
    SHARED = "shared"
    """The final is level."""


class Decided(NamedTuple):
    """Those who go on from a group of a knockout, or win the final, and the reason."""

    on: tuple[int, ...]
    why: Reason


def decide_group(group: Group, leg: Leg) -> Decided:
    """Return who goes on from a group of a knockout: nobody where all have left, or nobody has begun."""
    there = tuple(entrant for entrant in group.entrants if entrant not in leg.left)
    if len(there) < 2:
        return Decided(there, Reason.LEFT)
    begun = leg.attempts_in(group)
    if len(begun) < 2:
        return Decided(tuple(begun), Reason.BEGUN)
    merits: tuple[tuple[Reason, Callable[[int], Fraction | int]], ...] = (
        (Reason.POINTS, lambda one: count_points(one, begun)),
        (Reason.SCORE, lambda one: begun[one].score),
        (Reason.CARDS, lambda one: len(begun[one].results)),
    )
    level = tuple(begun)
    for reason, merit in merits:
        best = max(map(merit, level))
        level = tuple(entrant for entrant in level if merit(entrant) == best)
        if len(level) == 1:
            return Decided(level, reason)
    if leg.final:
        return Decided(level, Reason.SHARED)
    return Decided((next(group.source.draw_order(level, "level")),), Reason.LOT)


def count_points(one: int, begun: Mapping[int, Played]) -> Fraction:
    """Return the points of one person against all others of a group who have begun."""
    return sum((play_match(begun[one], begun[other]).points for other in begun if other != one), Fraction())


def share_of(entrant: int, leg: Leg) -> Fraction:
    """Return the share of the points that somebody won in a leg of a league, in percent."""
    if (own := leg.attempt_of(entrant)) is None:
        return Fraction(0)
    group = next(group for group in leg.groups if entrant in group.entrants)
    others = [other for one, other in leg.attempts_in(group).items() if one != entrant]
    met = [cards for other in others for cards in zip(own.counted, other.counted, strict=False)]
    if not met:
        return UNCOMPARED * Fraction(len(own.results), ROUNDS)
    lost = len(others) * (ROUNDS - len(own.results))
    won = sum(1 + (mine > theirs) - (mine < theirs) for mine, theirs in met)  # in halves of a point
    return Fraction(50 * won, len(met) + lost)
