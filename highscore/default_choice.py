"""The default choice of a turn: one press accepts it, and further presses change it.

It follows from the card by a plain rule, and it is no advice: ``highscore.odds`` knows the best choice. The points that
a player makes by always accepting it are in docs/odds.md, card by card.

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
"""Dice that add at least this are kept on ANY_THREE cards."""

_HIGH = 5
"""Numbers from this one on are kept on ANY_THREE cards even before they count."""

_HIGH_WHERE_VORTICES_FREEZE = 3
"""Numbers from this one on are set aside if the card freezes vortices: each further roll may cost dice."""

_TRIPLE = 3


@dataclass(frozen=True, slots=True)
class DefaultChoice:
    """The dice that are marked as kept, and the choice of the highlighted button."""

    kept: tuple[int, ...]
    """Positions of free dice, ascending. ``keep_dice`` makes the choice that keeps just these and rolls the rest."""
    choice: Choice
    """The choice that keeps these dice, or the one that keeps all dice and ends the turn."""


def find_default_choice(turn: Turn) -> DefaultChoice:
    """Return the default choice of a turn that waits for a choice. Raises IllegalChoice if it does not.

    FOUR_FULL and, unless the card freezes vortices, SET_ASIDE: all dice are kept from the card's average, rounded down.
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
    """Return the average result of a card under best play, rounded down. The first time takes up to 60 ms a card."""
    return floor(solve_card(card, POINTS).start)


def _choose_kept(turn: Turn) -> tuple[int, ...]:
    """Choose the dice of an ANY_THREE card that are not rolled again.

    Dice that add at least 2 points, and those from 5 on that can still count; on TENS_MINUS dice in groups of ten. All
    of them if all add points. On ASCENDING one die of each number from 1 to 5, or all dice once these are complete.
    """
    dice = turn.score.dice
    match turn.card.scoring:
        case Scoring.ASCENDING:
            kept = tuple(turn.faces.index(face) for face in FACES if face in turn.faces and face is not Face.VORTEX)
            return turn.free if len(kept) == Face.FIVE else tuple(sorted(kept))
        case _ if all(dice[at].points > 0 for at in turn.free):
            return turn.free
        case Scoring.TENS_MINUS:
            return tuple(at for at in turn.free if dice[at].points > 0)
        case _:
            return tuple(
                at for at in turn.free if dice[at].points >= _WORTH_KEEPING or _count_at_most(turn, at) >= _HIGH
            )


def _choose_set_aside(turn: Turn) -> tuple[int, ...]:
    """Choose the dice of a SET_ASIDE card that are set aside, by the numbers that can still count.

    All dice of the highest number; if the card counts triples, only of the highest number that it has. Where vortices
    freeze: all dice from 3 on, and none if there are none but a vortex has just frozen. If no dice are left by this,
    the cheapest one.
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
    """Return the most points that a free die adds if it counts, 0 if it cannot add any."""
    return max((0, *filter(turn.card.scoring.can_count, _list_values(turn, at))))


def _list_values(turn: Turn, at: int) -> Sequence[int]:
    face = turn.faces[at]
    assert face is not None
    return turn.card.vortex.values if face is Face.VORTEX else (face.value,)
