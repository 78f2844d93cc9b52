"""The default choice of a turn: the dice that are selected before the player selects any.

The player can accept it with one press, or change it. It follows from the card by a simple rule and is not advice;
``highscore.odds`` finds the best choice. docs/odds.md lists, card by card, the points of always accepting it.

>>> from highscore.deck import STANDARD_DECK
>>> from highscore.turn import parse_turn
>>> default = find_default_choice(parse_turn("pairs-minus-zero | 4 4 1 1 5 3 2 | 1", STANDARD_DECK))
>>> default.kept, str(default.choice)
((0, 1, 4), 'roll 3 4 6 7')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor

from highscore.cards import Card, RollType, Scoring
from highscore.dice import FACES, Face
from highscore.errors import IllegalChoice
from highscore.odds.policy import POINTS, solve_card
from highscore.turn import Choice, Turn, keep_dice

_WORTH_KEEPING = 2
"""On ANY_THREE cards, dice that add at least this many points are kept."""

_HIGH = 5
"""On ANY_THREE cards, dice that could add at least this many points are kept, even if they do not count yet."""

_HIGH_WHERE_VORTICES_FREEZE = 3
"""On SET_ASIDE cards that freeze vortices, all dice that could add at least this many points are set aside, because
each further roll may freeze some dice."""

_TRIPLE = 3
_NUMBERS = tuple(face for face in FACES if face is not Face.VORTEX)


@dataclass(frozen=True, slots=True)
class DefaultChoice:
    """The dice that are marked as kept, and the choice that the highlighted button makes."""

    kept: tuple[int, ...]
    """Positions of free dice, ascending."""
    choice: Choice
    """The choice that keeps these dice and rolls the others, or the one that keeps all dice and ends the turn."""


def find_default_choice(turn: Turn) -> DefaultChoice:
    """Return the default choice of a turn. Raises IllegalChoice if the turn does not wait for a choice.

    On FOUR_FULL cards, and on SET_ASIDE cards that do not freeze vortices, the default choice ends the turn if the dice
    are worth at least the card's average, rounded down.
    """
    if turn.to_roll or turn.over:
        raise IllegalChoice("There is nothing to decide now.")
    card = turn.card
    match card.roll_type:
        case RollType.ANY_THREE:
            kept = _choose_kept(turn)
            return DefaultChoice(kept, keep_dice(turn, kept))
        case RollType.FOUR_FULL:
            kept, may_end = (), True
        case RollType.SET_ASIDE:
            kept, may_end = _choose_set_aside(turn), not card.vortex.frozen
    ends = may_end and turn.score.total >= compute_average(card)
    return DefaultChoice(kept, keep_dice(turn, turn.free if ends else kept))


@lru_cache(maxsize=256)
def compute_average(card: Card) -> int:
    """Return the average result of a card under best play, rounded down. The first call for a card takes up to 60
    ms."""
    return floor(solve_card(card, POINTS).start)


def _choose_kept(turn: Turn) -> tuple[int, ...]:
    """Choose the dice of an ANY_THREE card that are not rolled again.

    On ASCENDING, one die of each number from 1 to 5 is kept, or all dice if all five numbers are there. On all other
    scorings, all dice are kept if each of them adds points. If not, dice that add at least 2 points are kept, and those
    that could add at least 5; on TENS_MINUS, only those that add points now.
    """
    dice = turn.score.dice
    match turn.card.scoring:
        case Scoring.ASCENDING:
            kept = tuple(turn.faces.index(face) for face in _NUMBERS if face in turn.faces)
            return turn.free if len(kept) == len(_NUMBERS) else tuple(sorted(kept))
        case _ if all(dice[at].points > 0 for at in turn.free):
            return turn.free
        case Scoring.TENS_MINUS:
            return tuple(at for at in turn.free if dice[at].points > 0)
        case _:
            return tuple(
                at for at in turn.free if dice[at].points >= _WORTH_KEEPING or _count_at_most(turn, at) >= _HIGH
            )


def _choose_set_aside(turn: Turn) -> tuple[int, ...]:
    """Choose the dice of a SET_ASIDE card that are set aside, by the points that each could add.

    * If the card freezes vortices: all dice that could add at least 3. If there are none, and the last roll froze a
      vortex, no die is set aside.
    * If the card counts triples: the dice of the highest number on the card.
    * In all other cases: the dice that could add most.

    If this chooses no die, but one has to be set aside (R3.3), the die of the lowest value is set aside.
    """
    counts = {at: _count_at_most(turn, at) for at in turn.free}
    highest = max(counts.values())
    if turn.card.vortex.frozen:
        if turn.froze and highest < _HIGH_WHERE_VORTICES_FREEZE:
            return ()
        least = min(highest, _HIGH_WHERE_VORTICES_FREEZE)
    elif turn.card.scoring.set_size == _TRIPLE:
        least = max(Face.FIVE, *turn.card.vortex.values)
    else:
        least = highest
    kept = tuple(at for at, points in counts.items() if points >= max(least, 1))
    return kept or (min(turn.free, key=lambda at: min(_list_values(turn, at))),)


def _count_at_most(turn: Turn, at: int) -> int:
    """Return the most points that a free die could add, 0 or more."""
    return max((0, *filter(turn.card.scoring.can_count, _list_values(turn, at))))


def _list_values(turn: Turn, at: int) -> Sequence[int]:
    face = turn.faces[at]
    assert face is not None
    return turn.card.vortex.values if face is Face.VORTEX else (face.value,)
