"""The value of every position of a turn, and the best choice in it. Translates between turns and the solver's
numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from operator import add

import numpy as np

from highscore.cards import Card, RollType
from highscore.dice import DICE, FACES, Face
from highscore.errors import IllegalChoice
from highscore.odds.lattice import Floats, build_lattice, freeze
from highscore.odds.results import LIMIT, RESULTS, list_results
from highscore.odds.solver import compute_scale, follow_plan, make_choice_keys, solve_plan
from highscore.turn import Choice, Turn, begin_turn, keep_dice, make_choice


@dataclass(frozen=True, slots=True)
class Utility:
    """A goal: a value for each of RESULTS. Two utilities are equal if their values are, whatever their names."""

    name: str = field(compare=False)
    _values: bytes = field(repr=False)

    @classmethod
    def from_vector(cls, name: str, values: Floats) -> Utility:
        """Return the utility with these values for RESULTS. Raises ValueError unless ``values`` are 421 finite
        numbers."""
        if values.shape != (len(RESULTS),) or not np.isfinite(values).all():
            raise ValueError(
                f"a utility is {len(RESULTS)} finite numbers, one for each result from {-LIMIT} to {LIMIT}"
            )
        return cls(name, values.astype(np.float64).tobytes())

    @property
    def values(self) -> Floats:
        """The value of each of RESULTS. Read-only."""
        return np.frombuffer(self._values)

    def __call__(self, result: int) -> float:
        return float(self.values[result + LIMIT])


POINTS = Utility.from_vector("points", np.arange(-LIMIT, LIMIT + 1, dtype=np.float64))
"""The result itself, to play for the highest average."""

COUNTED = Utility.from_vector("counted points", np.maximum(POINTS.values, 0.0))
"""max(result, 0), which a daily challenge counts (R9.4)."""


@lru_cache(maxsize=2 * len(RESULTS))
def aim_at_least(result: int) -> Utility:
    """Return the utility that is 1 from this result on and 0 below it. The value of a position is then the chance to
    reach the result.

    >>> aim_at_least(20)(19), aim_at_least(20)(20), cap_at(20)(19), cap_at(20)(25)
    (0.0, 1.0, 19.0, 20.0)
    """
    return Utility.from_vector(f"at least {result}", (np.arange(-LIMIT, LIMIT + 1) >= result).astype(np.float64))


@lru_cache(maxsize=2 * len(RESULTS))
def cap_at(result: int) -> Utility:
    """Return the utility that is the result itself, but at most this one."""
    return Utility.from_vector(f"up to {result}", np.minimum(POINTS.values, float(result)))


Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RankedChoice:
    """A choice and its value, for all choices that keep the same faces."""

    choice: Choice
    """The choice that keeps, or sets aside, the leftmost of several dice with equal faces."""
    kept: tuple[Face, ...]
    """The faces of all dice that the next roll does not change, ascending."""
    ends_turn: bool
    value: float
    """The value of the choice under best play, in the unit of the utility."""
    loss: float
    """The value of the best choice minus this one, 0 or more."""


class Policy:
    """Best play on one card for one utility, with 1 to 7 dice. Immutable; ``solve_card`` makes it."""

    __slots__ = ("_final", "_plan", "card", "dice")

    def __init__(self, card: Card, utility: Utility, dice: int = DICE) -> None:
        """Solve the card. Raises ValueError unless ``dice`` is 1 to 7."""
        if not 1 <= dice <= DICE:
            raise ValueError(f"a turn is played with 1 to {DICE} dice, not {dice}")
        self.card = card
        self.dice = dice
        self._final = utility.values[list_results(card, dice) + LIMIT]
        self._plan = solve_plan(card, dice, self._final)

    @property
    def start(self) -> float:
        """The value of a turn before its first roll."""
        return self.evaluate(begin_turn(self.card, self.dice))

    def evaluate(self, turn: Turn) -> float:
        """Return the value of a position under best play, in the unit of the utility.

        Raises ValueError if the turn is on another card or with another number of dice.
        """
        self._check_turn(turn)
        if turn.over:
            return float(self._final[_number_staying(turn) - build_lattice().first[self.dice]])
        if turn.to_roll:
            return float(self._find_keep_worths(turn)[_number_staying(turn)])
        return self.find_best(turn).value

    def find_best(self, turn: Turn) -> RankedChoice:
        """Return the best choice; of equal ones, the one that keeps most dice.

        Raises IllegalChoice if no choice is due, and ValueError if the turn is on another card or with another number
        of dice.
        """
        return self.rank_choices(turn)[0]

    def rank_choices(self, turn: Turn) -> tuple[RankedChoice, ...]:
        """Return every choice, best first. Choices that keep the same faces are returned as one.

        Raises IllegalChoice if no choice is due, and ValueError if the turn is on another card or with another number
        of dice.
        """
        self._check_turn(turn)
        if turn.to_roll or turn.over:
            raise IllegalChoice("There is nothing to decide now.")
        free = {face: tuple(at for at in turn.free if turn.faces[at] is face) for face in FACES}
        base = _count_faces(face for at, face in enumerate(turn.dice) if at not in turn.free)
        options = [(tuple(map(add, base, chosen)), chosen) for chosen in self._list_options(turn, free)]
        numbers = np.array([build_lattice().numbers[kept] for kept, _ in options])
        full = build_lattice().first[self.dice]
        values = self._find_keep_worths(turn)[numbers]
        values[numbers >= full] = self._final[numbers[numbers >= full] - full]
        order = np.argsort(-make_choice_keys(values, numbers, compute_scale(self._final)))
        best = float(values[order[0]])
        return tuple(
            RankedChoice(
                keep_dice(turn, _find_leftmost(free, options[at][1])),
                tuple(face for face, count in zip(FACES, options[at][0], strict=True) for _ in range(count)),
                bool(numbers[at] >= full),
                float(values[at]),
                max(0.0, best - float(values[at])),
            )
            for at in order
        )

    def compute_outcome(self, turn: Turn) -> Floats:
        """Return the chance of each of RESULTS if this policy plays on from the position. The chances add up to 1."""
        chances = np.zeros(len(RESULTS))
        np.add.at(chances, list_results(self.card, self.dice) + LIMIT, self.compute_rolls(turn))
        return freeze(chances)

    def compute_rolls(self, turn: Turn) -> Floats:
        """Return the chance of each final roll, in the lattice's order, if this policy plays on from the position."""
        self._check_turn(turn)
        if not turn.to_roll and not turn.over:
            return self.compute_rolls(make_choice(turn, self.find_best(turn).choice))
        on = build_lattice()
        kept = _number_staying(turn)
        if turn.over:
            chances = np.zeros(on.count_multisets(self.dice))
            chances[kept - on.first[self.dice]] = 1.0
            return chances
        return follow_plan(self._plan, kept, turn.card.roll_type.max_rolls - turn.rolls - 1)

    def _check_turn(self, turn: Turn) -> None:
        if turn.card != self.card or len(turn.faces) != self.dice:
            raise ValueError(f"this policy is for {self.card} with {self.dice} dice, not for {turn}")

    def _find_keep_worths(self, turn: Turn) -> Floats:
        """Return the value of each keep if the other dice are rolled next."""
        if self.card.roll_type is RollType.SET_ASIDE:
            return self._plan.keeps[0]
        return self._plan.keeps[self.card.roll_type.max_rolls - turn.rolls - 1]

    def _list_options(self, turn: Turn, free: Mapping[Face, tuple[int, ...]]) -> Iterator[Counts]:
        """List the choices as counts of the free faces that are kept (FOUR_FULL, ANY_THREE) or set aside
        (SET_ASIDE)."""
        all_of_them = tuple(len(free[face]) for face in FACES)
        none_of_them = (0,) * len(FACES)
        if self.card.roll_type is RollType.FOUR_FULL:
            return iter((none_of_them, all_of_them))
        subsets = product(*(range(count + 1) for count in all_of_them))
        if self.card.roll_type is RollType.SET_ASIDE and not turn.froze:
            return (chosen for chosen in subsets if any(chosen))
        return subsets


def _count_faces(faces: Iterable[Face | None]) -> Counts:
    shown = tuple(faces)
    return tuple(map(shown.count, FACES))


def _number_staying(turn: Turn) -> int:
    """Return the number, in the lattice, of the multiset of dice that are not about to be rolled."""
    return build_lattice().numbers[_count_faces(face for at, face in enumerate(turn.faces) if at not in turn.to_roll)]


def _find_leftmost(free: Mapping[Face, tuple[int, ...]], chosen: Counts) -> set[int]:
    return {at for face, count in zip(FACES, chosen, strict=True) for at in free[face][:count]}


@lru_cache(maxsize=64)
def solve_card(card: Card, utility: Utility, dice: int = DICE) -> Policy:
    """Solve a card for a utility. The last 64 policies are cached (at most 100 KB each).

    Raises ValueError unless ``dice`` is 1 to 7.
    """
    return Policy(card, utility, dice)
