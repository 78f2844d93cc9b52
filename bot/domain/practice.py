"""Trying a decision of a finished game again: the same position, played on with fresh dice, which nothing is stored of.

The position is written out in the buttons of its page.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.table import Table
from highscore.cards import Card
from highscore.dice import DICE, Face
from highscore.errors import NotationError
from highscore.runs import FinishedRound, FinishedTurn
from highscore.track import Placement, place_pieces
from highscore.turn import DieState, Turn, parse_turn

POSITION = rf"[1-5Va-fF]{{{DICE}}}[1-7][01]"
"""Regular expression of a packed position."""
_ASIDE = dict(zip("12345V", "abcdef", strict=True))
_DICE = {letter: f"({face})" for face, letter in _ASIDE.items()} | {"F": "[V]"}


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in a game a decision was made."""

    round: int
    """1 to 7."""
    seat: int
    start: str
    """The position it was made in, packed."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A decision that is tried again, as far as it has been played."""

    table: Table
    spot: Spot
    ended: FinishedRound
    """The round in which it was made."""
    turn: Turn

    @property
    def before(self) -> Sequence[Placement]:
        """The pieces on the track when it was made."""
        return place_pieces({turn.seat: turn.result for turn in self._earlier})

    @property
    def placed(self) -> Placement:
        """Where the piece would have come with these dice."""
        results = {turn.seat: turn.result for turn in self._earlier}
        return place_pieces({**results, self.spot.seat: self.turn.score.total})[-1]

    @property
    def played(self) -> FinishedTurn:
        return next(turn for turn in self.ended.turns if turn.seat == self.spot.seat)

    @property
    def _earlier(self) -> Sequence[FinishedTurn]:
        # In own pace nobody knows another's result on the card they play (R9.5).
        if not self.table.turn_order.shared:
            return ()
        return self.ended.turns[: self.ended.turns.index(self.played)]


def pack_position(turn: Turn) -> str:
    """A position that waits for a choice, or that is over, in nine characters."""
    dice = "".join(_packed(face, state) for face, state in zip(turn.faces, turn.states, strict=True))
    return f"{dice}{turn.rolls}{int(turn.froze)}"


def unpack_position(packed: str, card: Card) -> Turn | None:
    """The position with a choice to make on this card; None for one that no turn can come to."""
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
