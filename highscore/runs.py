"""What a game consists of: turns that are over or being played, scored rounds, and one run a seat (R2, R9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.dice import Dice
from highscore.track import Chip, Placement, award_chips, place_pieces
from highscore.turn import Turn

SEAT_STEP = 100
"""The first step of the run in seat 1; of every other seat as many times that."""


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """What is kept of a turn when it is over."""

    seat: int
    dice: Dice
    result: int
    rolls: int
    by_house: bool = False
    """Whether the house made any decision of it (R9.3)."""
    own: bool = True
    """Whether the player of the seat made its first decision, whoever finished it (R9.6)."""

    @property
    def counted(self) -> int:
        """The result, or 0 where it is negative (R5.1, R9.4)."""
        return max(self.result, 0)


@dataclass(frozen=True)
class FinishedRound:
    """A round after its chips were handed out (R2.3)."""

    card: Card
    turns: tuple[FinishedTurn, ...]
    """In the order of play, which decides about taken spaces (R5.3)."""

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """Where the pieces stood, in the order of play."""
        return place_pieces((turn.seat, turn.result) for turn in self.turns)

    @cached_property
    def chips(self) -> Mapping[int, Chip]:
        """Who got which chip, by seat (R6)."""
        return award_chips(self.placements, len(self.turns))


@dataclass(frozen=True, slots=True)
class Hand:
    """A turn that is being played."""

    seat: int
    turn: Turn
    by_house: bool = False
    """Whether the house made any decision of it (R9.3)."""
    own: bool = True
    """Whether the player of the seat made its first decision (R9.6)."""


@dataclass(frozen=True, slots=True)
class Run:
    """One seat's way through the cards (R9)."""

    seat: int
    finished: tuple[tuple[Card, FinishedTurn], ...]
    """The cards that were played, in order."""
    card: Card | None
    """The card that is played or comes next; None before it is turned up, and after the last one."""
    hand: Hand | None
    """The turn that is being played."""

    @property
    def turn(self) -> Turn | None:
        """The turn that is being played."""
        return None if self.hand is None else self.hand.turn

    @property
    def round(self) -> int:
        """The number of the card that is played, 1 to 7; 7 when all are."""
        return min(len(self.finished) + 1, ROUNDS)

    @property
    def complete(self) -> bool:
        """Whether all seven cards were played."""
        return len(self.finished) == ROUNDS

    @property
    def total(self) -> int:
        """The sum over the cards so far of max(result, 0): the score of a daily challenge (R9.4)."""
        return sum(turn.counted for _, turn in self.finished)

    @property
    def step(self) -> int:
        """Grows with every decision of this seat, and with nothing else: 10 for a card, 1 for a roll. No two seats are
        ever at the same step."""
        return SEAT_STEP * self.seat + 10 * len(self.finished) + (0 if self.turn is None else self.turn.rolls)
