"""The legs of a cup (R9.8): who meets whom, what everybody has played, what comes of it, who goes on, and who wins.

All of it follows from values. A leg has groups with dice of their own. An entrant is a number, in the order of entering
from 0. Somebody who has their data deleted keeps that number, so that draws and results stay what they were.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise, zip_longest
from typing import NamedTuple

from highscore.deck import ROUNDS
from highscore.fairness import Source, derive_seed

UNCOMPARED = 60
"""The percent that a finished card is worth in a league to somebody who is compared with nobody."""

LEAGUE_LEGS = range(3, 15)
"""The numbers of legs that a league can have."""
LEAST_IN_GROUP = 4
"""The people in a league's group, at least, where there are as many; one more in some of them."""
WORST_IS_LEFT_OUT = 5
"""The number of legs in a league from which on everybody's worst one does not count."""


@dataclass(frozen=True, slots=True)
class Group:
    """People of a leg who are compared, each with the same dice for the same choices."""

    id: str
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


class Format(Enum):
    LEAGUE = "league"
    KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True)
class Contest:
    """The facts that the draws of a cup follow from, once nobody enters any more."""

    id: str
    format: Format
    entrants: tuple[int, ...]
    """The entrants in the order of entering, without those who withdrew before the entries were closed."""
    seed: bytes = field(repr=False)
    digest: str
    """The digest of the entrants' user ids in that order, made like the digest of lucky words."""
    opening: int
    length: int

    @property
    def source(self) -> Source:
        """The source of the draws, whose seal is shown at sign-up."""
        return Source(self.seed, self.id, known_digest=self.digest, opening=self.opening)

    def make_group(self, leg: int, number: int, entrants: tuple[int, ...]) -> Group:
        """Return a group of a leg, by its number from 0. Its seed and its id follow from the cup's seed."""
        seed = derive_seed(self.seed, self.id, "group", str(leg), str(number))
        return Group(sha256(seed).hexdigest()[:12], entrants, name_cards(self.id, leg), seed)


class Draw(NamedTuple):
    """The entrants in the groups of a leg, and those who have a bye."""

    groups: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


# ----------------------------------------------------------------------------------------------------------- draws


def draw_leg(cup: Contest, legs: Sequence[Leg], left: Collection[int] = ()) -> Draw | None:
    """Draw the leg after those closed, without those who have left the cup; None if the cup is over."""
    if legs and legs[-1].final if cup.format is Format.KNOCKOUT else len(legs) == cup.length:
        return None
    there = list_remaining(cup, legs, left)
    if len(there) < 2:
        return None
    order = tuple(cup.source.draw_order(there, "leg", str(len(legs) + 1)))
    if cup.format is Format.LEAGUE:
        return Draw(_deal(order, max(len(order) // LEAST_IN_GROUP, 1)))
    half = _half_of(len(order))
    if not legs and len(order) <= 3 * half:
        return Draw(_deal(order, half))
    rests = [bye for leg in legs for bye in leg.byes]  # whoever has had the fewest byes is the next to have one
    byes = tuple(sorted(order, key=rests.count)[: -len(order) % (2 * half)])
    playing = [entrant for entrant in order if entrant not in byes]
    return Draw(_deal(playing, len(playing) // 2), byes)


def list_remaining(cup: Contest, legs: Sequence[Leg], left: Collection[int] = ()) -> tuple[int, ...]:
    """Return the entrants who have not left the cup and, in a knockout, are not out, in the order of entering."""
    there: Iterable[int] = cup.entrants
    if legs and cup.format is Format.KNOCKOUT:
        last = legs[-1]
        there = sorted([*last.byes, *(entrant for group in last.groups for entrant in decide_group(group, last).on)])
    return tuple(entrant for entrant in there if entrant not in left)


def _half_of(people: int) -> int:
    """Return the largest power of two whose double is not more than a number of people: W of R9.8."""
    return 1 << (people.bit_length() - 2)


def _deal(order: Sequence[int], count: int) -> tuple[tuple[int, ...], ...]:
    """Return a number of groups of people in order, of which the first ones may be larger by one."""
    size, more = divmod(len(order), count)
    ends = [size * at + min(at, more) for at in range(count + 1)]
    return tuple(tuple(order[begin:end]) for begin, end in pairwise(ends))


# ---------------------------------------------------------------------------------------------------------- league


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a league's table."""

    place: int
    entrant: int
    total: Fraction
    """The sum of the shares that count, in percent."""
    over_par: Fraction
    """The sum of score less par over the legs that count."""
    shares: tuple[Fraction, ...]
    """The share of each leg, in percent."""
    worst: int | None
    """The leg that does not count, from 0; None while all count."""
    moved: int = 0
    """The places won or, below 0, lost with the last leg."""


def make_table(cup: Contest, legs: Sequence[Leg]) -> tuple[Line, ...]:
    """Return the table of a league after legs, best first. Entrants who have left keep the legs closed before."""
    table = _rank(cup, legs)
    before = {line.entrant: line.place for line in _rank(cup, legs[:-1])} if len(legs) > 1 else {}
    return tuple(replace(line, moved=before.get(line.entrant, line.place) - line.place) for line in table)


def _rank(cup: Contest, legs: Sequence[Leg]) -> list[Line]:
    lines: list[Line] = []
    for line in sorted((_make_line(entrant, legs) for entrant in cup.entrants), key=_merit):
        level = lines and _merit(lines[-1]) == _merit(line)
        lines.append(replace(line, place=lines[-1].place if level else len(lines) + 1))
    return lines


def _make_line(entrant: int, legs: Sequence[Leg]) -> Line:
    """Return somebody's line of a league's table, without a place."""
    shares = tuple(share_of(entrant, leg) for leg in legs)
    attempts = [leg.attempt_of(entrant) for leg in legs]
    over = [(own.score if own else 0) - Fraction(leg.par) for own, leg in zip(attempts, legs, strict=True)]
    worst = min(range(len(legs)), key=lambda at: (shares[at], over[at])) if len(legs) >= WORST_IS_LEFT_OUT else None
    total, over_par = (sum((each[at] for at in range(len(legs)) if at != worst), Fraction()) for each in (shares, over))
    return Line(0, entrant, total, over_par, shares, worst)


def _merit(line: Line) -> tuple[Fraction, Fraction]:
    """Return the key by which a league's lines are sorted and compared."""
    return -line.total, -line.over_par


# ------------------------------------------------------------------------------------------------------------- end


def list_winners(cup: Contest, legs: Sequence[Leg], left: Collection[int] = ()) -> tuple[int, ...]:
    """Return who has won a cup that is over: nobody, one, or several who share it.

    Entrants who leave after the last leg is closed have won all the same. A cup that ends before its last leg, because
    all but one have left, goes to the one who is there.
    """
    if cup.format is Format.KNOCKOUT:
        return list_remaining(cup, legs, () if legs[-1].final else left)
    if len(legs) < cup.length:
        return list_remaining(cup, legs, left)
    return tuple(line.entrant for line in make_table(cup, legs) if line.place == 1 and line.total > 0)
