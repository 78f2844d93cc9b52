"""Practice: a decision of a finished game, tried again with new dice. The position is stored only in the buttons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain.table import Table
from highscore.cards import Card
from highscore.dice import DICE, Face
from highscore.errors import NotationError
from highscore.runs import FinishedRound, FinishedTurn
from highscore.track import Placement, place_pieces
from highscore.turn import DieState, Turn, parse_turn

POSITION = rf"[1-5Va-fF]{{{DICE}}}[1-7][01]"
"""A regular expression for packed positions."""
_ASIDE = dict(zip("12345V", "abcdef", strict=True))
_DICE = {letter: f"({face})" for face, letter in _ASIDE.items()} | {"F": "[V]"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision in a finished game."""

    round: int
    """1 to 7."""
    seat: int
    start: str
    """The position before the decision (``pack_position``)."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A decision that is tried again, with the rest of its turn."""

    table: Table
    spot: Spot
    ended: FinishedRound
    """The round in which the decision was made."""
    turn: Turn
    """The turn as far as it was tried."""

    @property
    def before(self) -> Sequence[Placement]:
        """The pieces that were on the track when the decision was made; none in own pace (R9.5)."""
        return place_pieces(self._earlier)

    @property
    def placed(self) -> Placement:
        """The piece as it would be placed if the tried turn ended with its present dice."""
        return place_pieces({**self._earlier, self.spot.seat: self.turn.score.total})[-1]

    @property
    def played(self) -> FinishedTurn:
        return next(turn for turn in self.ended.turns if turn.seat == self.spot.seat)

    @property
    def _earlier(self) -> Mapping[int, int]:
        # In own pace, players do not see the others' results on a card while they play it (R9.5).
        turns = self.ended.turns[: self.ended.turns.index(self.played)] if self.table.turn_order.shared else ()
        return {turn.seat: turn.result for turn in turns}


def pack_position(turn: Turn) -> str:
    """Write a position in nine characters. The turn must not wait for a roll.

    >>> from highscore import STANDARD_DECK
    >>> pack_position(parse_turn("same-frozen | 5 5 [V] 2 1 3 3 | 2", STANDARD_DECK))
    '55F213320'
    """
    dice = "".join(_packed(face, state) for face, state in zip(turn.faces, turn.states, strict=True))
    return f"{dice}{turn.rolls}{int(turn.froze)}"


def unpack_position(packed: str, card: Card) -> Turn | None:
    """Read a packed position on a card. None if it is invalid, or if it does not wait for a choice."""
    if not re.fullmatch(POSITION, packed):
        return None
    dice = " ".join(_DICE.get(letter, letter) for letter in packed[:DICE])
    froze = " froze" if packed[-1] == "1" else ""
    try:
        turn = parse_turn(f"{card.id} | {dice} | {packed[DICE]}{froze}", [card])
    except NotationError:
        return None
    return None if turn.over else turn


def _packed(face: Face | None, state: DieState) -> str:
    if state is DieState.FROZEN:
        return "F"
    return str(face) if state is DieState.FREE else _ASIDE[str(face)]
