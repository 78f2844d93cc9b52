"""The score of a roll on a challenge card, die by die (rules R4).

>>> from highscore.dice import Dice
>>> def total(card: str, dice: str) -> int:
...     return score_dice(Card.parse(f"card: {card} FOUR_FULL"), Dice.parse(dice)).total
>>> total("TOTAL -5", "5 5 5 4 4 2 V"), total("SAME_MINUS 0", "5 5 5 2 2 3 V"), total("PAIRS 6", "V V 4 4 1 2 3")
(20, 16, 20)
>>> total("TENS_MINUS 6", "V 4 5 5 4 3 4"), total("TRIPLES_MINUS choice", "5 5 4 4 2 V V")
(9, 25)
>>> total("ASCENDING 10", "1 2 4 4 5 V V"), total("ASCENDING 10", "1 2 3 4 5 V V")
(3, 35)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import combinations_with_replacement

from highscore.cards import TEN, Card, Scoring, VortexKind
from highscore.dice import Face


class Part(Enum):
    """How one die affects a score."""

    COUNTS = "counts"
    SUBTRACTED = "subtracted"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class ScoredDie:
    """One die of a score. ``value`` is the number that the die stands for; a vortex has one too (R4)."""

    face: Face
    value: int
    part: Part

    @property
    def points(self) -> int:
        """The points that the die adds to the total, negative if it is subtracted."""
        return {Part.COUNTS: self.value, Part.SUBTRACTED: -self.value, Part.IGNORED: 0}[self.part]


@dataclass(frozen=True, slots=True)
class Score:
    """The result of a roll, and how it is made up. The points of the dice add up to the total."""

    total: int
    dice: tuple[ScoredDie, ...]
    """In the order of the dice that were scored."""
    groups: tuple[tuple[int, ...], ...]
    """The positions of the dice that count together: equal numbers, a pair, a triple or a group of ten.

    Empty for scorings in which each die counts alone.
    """

    @property
    def counted(self) -> int:
        """The sum of the dice that count."""
        return sum(die.value for die in self.dice if die.part is Part.COUNTS)

    @property
    def subtracted(self) -> int:
        """The sum of the dice that are subtracted ("minus remainder"); 0 if the scoring subtracts nothing."""
        return sum(die.value for die in self.dice if die.part is Part.SUBTRACTED)


def score_dice(card: Card, dice: Iterable[Face]) -> Score:
    """Score up to seven dice on a card. Choice vortices take the values that give the highest result (R4).

    >>> from highscore.dice import Dice
    >>> found = score_dice(Card.parse("choice: PAIRS choice ANY_THREE"), Dice.parse("5 4 4 V V"))
    >>> [die.value for die in found.dice], found.groups
    ([5, 4, 4, 6, 6], ((3, 4), (1, 2)))
    """
    return _score_faces(card, tuple(dice))


@lru_cache(maxsize=4096)
def _score_faces(card: Card, faces: tuple[Face, ...]) -> Score:
    if card.vortex.kind is not VortexKind.CHOICE:
        return _score_values(card, faces, _assign_values(faces, (card.vortex.number,) * len(faces)))
    vortices = faces.count(Face.VORTEX)
    assignments = combinations_with_replacement(reversed(card.vortex.values), vortices)
    return max(
        (_score_values(card, faces, _assign_values(faces, taken)) for taken in assignments),
        key=lambda found: found.total,
    )


def _assign_values(faces: tuple[Face, ...], taken: Sequence[int]) -> tuple[int, ...]:
    """Return the value of each die. The vortices get the values ``taken``, from left to right."""
    vortex_values = iter(taken)
    return tuple(next(vortex_values) if face is Face.VORTEX else face.value for face in faces)


def _score_values(card: Card, faces: tuple[Face, ...], values: tuple[int, ...]) -> Score:
    counting, groups = _find_counting(card.scoring, faces, values)
    rest = Part.SUBTRACTED if card.scoring.subtracts_rest else Part.IGNORED
    dice = tuple(
        ScoredDie(face, value, Part.COUNTS if position in counting else rest)
        for position, (face, value) in enumerate(zip(faces, values, strict=True))
    )
    return Score(sum(die.points for die in dice), dice, groups)


Groups = tuple[tuple[int, ...], ...]


def _find_counting(scoring: Scoring, faces: tuple[Face, ...], values: tuple[int, ...]) -> tuple[frozenset[int], Groups]:
    """Return the positions of the dice that count (R4.1 to R4.11), and the groups of dice that count together."""
    match scoring:
        case Scoring.ASCENDING:
            return _find_ascending(faces), ()
        case Scoring.SAME | Scoring.SAME_MINUS:
            groups = tuple(same for same in _group_by_value(values) if len(same) > 1)
        case Scoring.TENS_MINUS:
            groups = find_tens(values)
        case _ if scoring.set_size:
            groups = _find_sets(scoring.set_size, values)
        case _:
            return frozenset(at for at, value in enumerate(values) if scoring.can_count(value)), ()
    return frozenset(at for group in groups for at in group), groups


def _find_ascending(faces: tuple[Face, ...]) -> frozenset[int]:
    """Return the positions of the dice from 1 up to the first gap. The vortex comes after the 5 (R4.11)."""
    reached: set[Face] = set()
    for face in Face:
        if face not in faces:
            break
        reached.add(face)
    return frozenset(at for at, face in enumerate(faces) if face in reached)


def _group_by_value(values: tuple[int, ...]) -> Groups:
    return tuple(
        tuple(at for at, value in enumerate(values) if value == number) for number in sorted(set(values), reverse=True)
    )


def _find_sets(size: int, values: tuple[int, ...]) -> Groups:
    """Return as many pairs or triples (``size`` 2 or 3) as the dice of each number form (R4.5, R4.7)."""
    return tuple(
        same[start : start + size] for same in _group_by_value(values) for start in range(0, len(same) - size + 1, size)
    )


def find_tens(values: Sequence[int]) -> Groups:
    """Form as many groups as possible that total ten each (R4.4), and return the positions of the dice of each group.

    ``values`` are 0 or more. If the groups can be formed in several ways, low dice rather than high ones are left over.
    The order of the dice does not change which values are left over. Dice worth 0 join the first group (ruling in
    R4.4).

    >>> find_tens([6, 4, 5, 5, 4, 3, 0])
    ((0, 1, 6), (2, 3))
    >>> find_tens([1, 4, 5, 5]), find_tens([5, 4, 1, 5])
    (((2, 3),), ((0, 3),))
    """
    by_value = sorted((at for at, value in enumerate(values) if value > 0), key=lambda at: (values[at], -at))
    chosen = sorted(tuple(sorted(group)) for group in _find_most_tens(tuple(values), tuple(by_value)))
    if not chosen:
        return ()
    zeros = tuple(at for at, value in enumerate(values) if value == 0)
    return (chosen[0] + zeros, *chosen[1:])


def _find_most_tens(values: tuple[int, ...], free: tuple[int, ...]) -> Groups:
    """Form as many groups as possible of the free dice, by trying each group with the first die, and leaving it out."""
    if sum(values[at] for at in free) < TEN:
        return ()
    first, rest = free[0], free[1:]
    best = _find_most_tens(values, rest)
    for partners in _find_sums(values, rest, TEN - values[first]):
        groups = ((first, *partners), *_find_most_tens(values, tuple(at for at in rest if at not in partners)))
        if len(groups) > len(best):
            best = groups
    return best


def _find_sums(values: tuple[int, ...], among: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """Return every subset of the dice ``among`` whose values add up to ``total``."""
    if total == 0:
        return [()]
    choices: list[tuple[int, ...]] = []
    for index, at in enumerate(among):
        if values[at] <= total:
            choices += [(at, *more) for more in _find_sums(values, among[index + 1 :], total - values[at])]
    return choices
