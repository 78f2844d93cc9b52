"""The legs of a cup (R9.8): the draws, the comparison of attempts, who goes on, and who wins. All functions are pure.

Each leg has groups, and each group has its own dice. An entrant is a number, counted from 0 in the order of entering.
Deleting a person's data does not change the number, so draws and results stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise, zip_longest
from typing import NamedTuple

from highscore import fairness
from highscore.deck import ROUNDS, Deck
from highscore.fairness import EARLIER, Source, version_of

UNCOMPARED = 60
"""The score, in percent, of a player in a league who has finished all cards but is compared with nobody."""

LEAGUE_LEGS = range(3, 15)
LEAST_IN_GROUP = 4
"""The smallest group of a league, unless fewer people are left."""
WORST_IS_LEFT_OUT = 5
"""In a league of at least this many legs, each player's worst leg does not count."""


@dataclass(frozen=True, slots=True)
class Group:
    """Entrants who are compared with each other in a leg. The same choices give them the same dice."""

    id: str
    entrants: tuple[int, ...]
    cards_name: str
    """The name from which the cards are drawn (``name_cards``). It is the same for all groups of the leg."""
    seed: bytes = field(repr=False)
    """The secret from which the group's dice and its lot are derived. It is revealed when the leg is closed."""
    version: str

    @property
    def source(self) -> Source:
        """The source of the cards and of the dice. Every entrant plays as seat 0."""
        return fairness.challenge_source(self.seed, self.id, self.cards_name, self.version)


def name_cards(cup_id: str, leg: int) -> str:
    """Return the name from which a leg's cards are drawn. The cards of a daily challenge are drawn from its date.

    >>> name_cards("0123456789ab", 3)
    'cup 0123456789ab 3'
    """
    return f"cup {cup_id} {leg}"


@dataclass(frozen=True, slots=True)
class Played:
    """An entrant's attempt when the leg was closed. An entrant who had only begun has one without results."""

    results: tuple[int, ...]
    """The results of the finished cards, in the order of the leg's cards."""

    @property
    def counted(self) -> tuple[int, ...]:
        return tuple(max(result, 0) for result in self.results)

    @property
    def score(self) -> int:
        return sum(self.counted)


@dataclass(frozen=True)
class Leg:
    """The groups of a leg and, if it is closed, its attempts."""

    groups: tuple[Group, ...]
    byes: tuple[int, ...]
    played: Mapping[int, Played] = field(hash=False)
    """The attempts of the entrants who have begun. Empty while the leg is open."""
    left: Collection[int]
    """The entrants who had left the cup when the leg was closed. Their attempts do not count."""
    par: float

    @property
    def final(self) -> bool:
        """True if a knockout ends with this leg."""
        return len(self.groups) == 1 and not self.byes

    def attempt_of(self, entrant: int) -> Played | None:
        return None if entrant in self.left else self.played.get(entrant)

    def attempts_in(self, group: Group) -> dict[int, Played]:
        """Return the attempts of the group's entrants who have begun and not left."""
        return {one: self.played[one] for one in group.entrants if self.attempt_of(one) is not None}


class Match(NamedTuple):
    """How many cards one entrant won, lost and halved against another."""

    won: int
    lost: int
    halved: int

    @property
    def points(self) -> Fraction:
        return self.won + Fraction(self.halved, 2)


def compare_attempts(one: Played, other: Played) -> Match:
    """Compare two attempts from the view of ``one``. A card that only one of them has finished is won by that attempt.

    >>> compare_attempts(Played((12, -5, 20, 8)), Played((10, 0, 20)))
    Match(won=2, lost=0, halved=2)
    """
    cards = list(zip_longest(one.counted, other.counted, fillvalue=-1))
    won, lost = sum(mine > theirs for mine, theirs in cards), sum(mine < theirs for mine, theirs in cards)
    return Match(won, lost, len(cards) - won - lost)


class Reason(Enum):
    LEFT = "left"
    """At most one entrant of the group has not left the cup."""
    BEGUN = "begun"
    """At most one entrant of the group has begun."""
    POINTS = "points"
    SCORE = "score"
    CARDS = "cards"
    LOT = "lot"
    SHARED = "shared"
    """The final is tied, and its winners share the cup."""


class GroupResult(NamedTuple):
    """The entrants who go on from a group of a knockout, or who win the final, and what decided it."""

    advancing: tuple[int, ...]
    reason: Reason


def decide_group(group: Group, leg: Leg) -> GroupResult:
    """Return who goes on from a group of a knockout, or who wins the final.

    This is one entrant, or nobody if all have left or nobody has begun. A tied final has several winners.
    """
    present = tuple(entrant for entrant in group.entrants if entrant not in leg.left)
    if len(present) < 2:
        return GroupResult(present, Reason.LEFT)
    begun = leg.attempts_in(group)
    if len(begun) < 2:
        return GroupResult(tuple(begun), Reason.BEGUN)
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
            return GroupResult(level, reason)
    if leg.final:
        return GroupResult(level, Reason.SHARED)
    return GroupResult((next(group.source.draw_order(level, "level")),), Reason.LOT)


def count_points(one: int, begun: Mapping[int, Played]) -> Fraction:
    """Return an entrant's points against all others of the group who have begun."""
    return sum((compare_attempts(begun[one], begun[other]).points for other in begun if other != one), Fraction())


def share_of(entrant: int, leg: Leg) -> Fraction:
    """Return an entrant's score in a leg of a league (R9.8), in percent."""
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
    """The inputs of a cup's draws. They are fixed after the entries are closed."""

    id: str
    format: Format
    entrants: tuple[int, ...]
    """In the order of entering, without those who withdrew before the entries were closed."""
    seed: bytes = field(repr=False)
    entrants_lock: str
    """The lock with the entrants (``lock_entrants``)."""
    opening: int
    """The message id of the post that starts the cup."""
    length: int
    """The number of legs of a league; 0 for a knockout."""

    @property
    def source(self) -> Source:
        return Source(self.seed, self.id, self.entrants_lock, self.opening, version=version_of(self.entrants_lock))

    def make_group(self, leg: int, number: int, entrants: tuple[int, ...]) -> Group:
        """Return group ``number`` (from 0) of a leg (from 1). Its seed and id are derived from the cup's seed."""
        version = version_of(self.entrants_lock)
        seed = fairness.derive_seed(self.seed, version, self.id, "group", str(leg), str(number))
        return Group(sha256(seed).hexdigest()[:12], entrants, name_cards(self.id, leg), seed, version)


def lock_cup(source: Source, form: Format, length: int, deck: Deck) -> str:
    """Return the code that is shown at sign-up and commits to all legs.

    This is the lock, or in an earlier version's cup the seal.
    """
    if source.version == EARLIER:
        return source.seal
    return fairness.make_code("cup", source.game, source.seal, form.value, str(length), *fairness.deck_fields(deck))


def lock_entrants(lock: str, ids: Iterable[str]) -> str:
    """Return the lock of a cup with the user ids of its entrants; in an earlier version's cup, a digest of the ids."""
    return fairness.hash_words(ids) if version_of(lock) == EARLIER else fairness.make_code("entrants", lock, *ids)


class Draw(NamedTuple):
    groups: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


# ----------------------------------------------------------------------------------------------------------- draws


def draw_leg(cup: Contest, legs: Sequence[Leg], left: Collection[int] = ()) -> Draw | None:
    """Draw the next leg after the closed ``legs``, without the entrants in ``left``. None if the cup is over."""
    if legs and legs[-1].final if cup.format is Format.KNOCKOUT else len(legs) == cup.length:
        return None
    remaining = list_remaining(cup, legs, left)
    if len(remaining) < 2:
        return None
    order = tuple(cup.source.draw_order(remaining, "leg", str(len(legs) + 1)))
    if cup.format is Format.LEAGUE:
        return Draw(_deal(order, max(len(order) // LEAST_IN_GROUP, 1)))
    half = _half_of(len(order))
    if not legs and len(order) <= 3 * half:
        return Draw(_deal(order, half))
    rests = [bye for leg in legs for bye in leg.byes]  # Entrants with the fewest byes so far get the next ones.
    byes = tuple(sorted(order, key=rests.count)[: -len(order) % (2 * half)])
    playing = [entrant for entrant in order if entrant not in byes]
    return Draw(_deal(playing, len(playing) // 2), byes)


def list_remaining(cup: Contest, legs: Sequence[Leg], left: Collection[int] = ()) -> tuple[int, ...]:
    """Return the entrants, in the order of entering, who are not in ``left`` and not out of a knockout."""
    remaining: Iterable[int] = cup.entrants
    if legs and cup.format is Format.KNOCKOUT:
        last = legs[-1]
        advancing = (entrant for group in last.groups for entrant in decide_group(group, last).advancing)
        remaining = sorted([*last.byes, *advancing])
    return tuple(entrant for entrant in remaining if entrant not in left)


def _half_of(people: int) -> int:
    """Return the largest power of two whose double is not more than ``people``: W in R9.8."""
    return 1 << (people.bit_length() - 2)


def _deal(order: Sequence[int], count: int) -> tuple[tuple[int, ...], ...]:
    """Divide people, in order, into ``count`` groups. The first groups may be larger by one."""
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
    """The sum of score minus par over the legs that count."""
    shares: tuple[Fraction, ...]
    """The score of each leg, in percent."""
    worst: int | None
    """The index of the leg that does not count; None if all count."""
    moved: int = 0
    """The places gained with the last leg; negative if places were lost."""


def make_table(cup: Contest, legs: Sequence[Leg]) -> tuple[Line, ...]:
    """Return a league's table after the closed ``legs``, best first. Entrants who have left are in it: the legs that
    they played before count."""
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
    """Return an entrant's line of a league's table, with 0 for the place."""
    shares = tuple(share_of(entrant, leg) for leg in legs)
    attempts = [leg.attempt_of(entrant) for leg in legs]
    over = [(own.score if own else 0) - Fraction(leg.par) for own, leg in zip(attempts, legs, strict=True)]
    worst = min(range(len(legs)), key=lambda at: (shares[at], over[at])) if len(legs) >= WORST_IS_LEFT_OUT else None
    total, over_par = (sum((each[at] for at in range(len(legs)) if at != worst), Fraction()) for each in (shares, over))
    return Line(0, entrant, total, over_par, shares, worst)


def _merit(line: Line) -> tuple[Fraction, Fraction]:
    return -line.total, -line.over_par


# ------------------------------------------------------------------------------------------------------------- end


def list_winners(cup: Contest, legs: Sequence[Leg], left: Collection[int] = ()) -> tuple[int, ...]:
    """Return the winners of a cup that is over: nobody, one entrant, or several who share it.

    Entrants who leave after the last leg is closed can still win. If a cup ends before its last leg because all others
    have left, the remaining entrant wins.
    """
    if cup.format is Format.KNOCKOUT:
        return list_remaining(cup, legs, () if legs[-1].final else left)
    if len(legs) < cup.length:
        return list_remaining(cup, legs, left)
    return tuple(line.entrant for line in make_table(cup, legs) if line.place == 1 and line.total > 0)
