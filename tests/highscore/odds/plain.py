"""The odds computed a second time, plainly and slowly: what the solver is checked against.

``walk`` plays the engine's own turns, every ordered roll and every legal choice; it does a few dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

from highscore import Card, Face, Turn, score
from highscore.dice import FACES
from highscore.turn import choose, legal_choices, roll

Faces = tuple[Face, ...]
Worth = Callable[[int], float]


@cache
def total(card: Card, faces: Faces) -> int:
    """The engine's result of sorted faces: every test of a run asks for the same ones."""
    return score(card, faces).total


@cache
def rolls(dice: int) -> tuple[tuple[Faces, float], ...]:
    """Every roll as sorted faces, with its probability."""
    return tuple(
        (faces, factorial(dice) / prod(factorial(count) for count in Counter(faces).values()) / 6**dice)
        for faces in combinations_with_replacement(FACES, dice)
    )


def walk(start: Turn, worth: Worth) -> float:
    """The value of a position of a turn."""

    @cache
    def value(turn: Turn) -> float:
        if turn.over:
            return worth(turn.score.total)
        if turn.to_roll:
            shown = list(product(FACES, repeat=len(turn.to_roll)))
            return sum(value(canonical(roll(turn, faces))) for faces in shown) / len(shown)
        return max(value(canonical(choose(turn, choice))) for choice in legal_choices(turn))

    def canonical(turn: Turn) -> Turn:
        """The same position with its dice in order: which die lies where makes no difference."""
        places = sorted(
            range(len(turn.faces)), key=lambda at: (at in turn.to_roll, turn.states[at].value, turn.faces[at] or 0)
        )
        # A die that is to be rolled may show anything.
        faces = tuple(None if at in turn.to_roll else turn.faces[at] for at in places)
        waiting = range(len(places) - len(turn.to_roll), len(places))
        return Turn(
            turn.card,
            faces,
            tuple(turn.states[at] for at in places),
            tuple(waiting),
            turn.rolls,
            turn.froze,
            turn.stopped,
        )

    return value(canonical(start))
