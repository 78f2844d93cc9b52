"""The odds computed a second time, plainly and slowly: what the solver is checked against.

Two methods, neither with its tables. ``best_value`` is a dictionary dynamic programme over sorted tuples of faces
that writes every roll out with its multinomial probability; it does seven dice. ``walk`` plays the engine's own turns,
every ordered roll and every legal choice; it does a few dice.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

from highscore import Card, Face, RollType, Turn, score_dice
from highscore.dice import FACES
from highscore.turn import list_choices, make_choice, roll_dice

Faces = tuple[Face, ...]
Worth = Callable[[int], float]


@cache
def total(card: Card, faces: Faces) -> int:
    return score_dice(card, faces).total


@cache
def rolls(dice: int) -> tuple[tuple[Faces, float], ...]:
    return tuple(
        (faces, factorial(dice) / prod(factorial(count) for count in Counter(faces).values()) / 6**dice)
        for faces in combinations_with_replacement(FACES, dice)
    )


@cache
def splits(faces: Faces) -> tuple[tuple[Faces, Faces], ...]:
    heaps = Counter(faces)
    found = []
    for taken in product(*(range(count + 1) for count in heaps.values())):
        first = tuple(face for face, count in zip(heaps, taken, strict=True) for _ in range(count))
        rest = tuple(
            face for (face, have), count in zip(heaps.items(), taken, strict=True) for _ in range(have - count)
        )
        found.append((first, rest))
    return tuple(found)


def best_value(card: Card, dice: int, worth: Worth) -> float:
    """Return the value of a turn on this card before the first roll."""

    @cache
    def final(faces: Faces) -> float:
        return worth(total(card, faces))

    def merged(some: Faces, more: Faces) -> Faces:
        return tuple(sorted((*some, *more)))

    @cache
    def before_roll(kept: Faces, left: int) -> float:
        """Value a keep before the other dice are rolled; ``left`` rolls remain after that."""
        return sum(chance * after_roll(merged(kept, shown), left) for shown, chance in rolls(dice - len(kept)))

    @cache
    def after_roll(faces: Faces, left: int) -> float:
        if left == 0:
            return final(faces)
        return max(final(faces), *(before_roll(kept, left - 1) for kept in keeps(faces)))

    def keeps(faces: Faces) -> Iterator[Faces]:
        stuck = tuple(face for face in faces if card.vortex.frozen and face is Face.VORTEX)
        movable = tuple(face for face in faces if not (card.vortex.frozen and face is Face.VORTEX))
        if card.roll_type is RollType.FOUR_FULL:
            yield stuck
        else:
            yield from (merged(stuck, kept) for kept, rerolled in splits(movable) if rerolled)
        if not movable:
            yield faces

    @cache
    def set_aside(aside: Faces) -> float:
        """Value SET_ASIDE: the dice that are not aside are about to be rolled."""
        if len(aside) == dice:
            return final(aside)
        return sum(chance * after_setting(aside, shown) for shown, chance in rolls(dice - len(aside)))

    def after_setting(aside: Faces, shown: Faces) -> float:
        frozen = tuple(face for face in shown if card.vortex.frozen and face is Face.VORTEX)
        movable = shown[: len(shown) - len(frozen)]  # the vortex sorts last
        fixed = merged(aside, frozen)
        return max(set_aside(merged(fixed, taken)) for taken, _ in splits(movable) if taken or frozen)

    if card.roll_type is RollType.SET_ASIDE:
        return set_aside(())
    return before_roll((), card.roll_type.max_rolls - 1)


def walk(start: Turn, worth: Worth) -> float:
    """Return the value of a position of a turn."""

    @cache
    def value(turn: Turn) -> float:
        if turn.over:
            return worth(turn.score.total)
        if turn.to_roll:
            shown = list(product(FACES, repeat=len(turn.to_roll)))
            return sum(value(canonical(roll_dice(turn, faces))) for faces in shown) / len(shown)
        return max(value(canonical(make_choice(turn, choice))) for choice in list_choices(turn))

    def canonical(turn: Turn) -> Turn:
        """Return the same position with its dice in order: which die lies where makes no difference."""
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
