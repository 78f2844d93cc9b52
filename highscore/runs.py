"""The parts of a game's state: turns, scored rounds, and the run of each seat (R2, R9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.dice import Dice
from highscore.track import Chip, Placement, award_chips, place_pieces
from highscore.turn import Turn


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    seat: int
    dice: Dice
    result: int
    rolls: int
    by_house: bool = False
    """True if the house made any decision of the turn (R9.3)."""
    own: bool = True
    """True if the seat's own player took the dice. The house may have finished the turn (R9.6)."""

    @property
    def counted(self) -> int:
        """max(result, 0), which daily challenges and cups count (R9.4, R9.8)."""
        return max(self.result, 0)


@dataclass(frozen=True)
class FinishedRound:
    """A scored round (R2.3)."""

    card: Card
    turns: tuple[FinishedTurn, ...]
    """In the order of play. Of two equal results, the earlier one gets the space (R5.3)."""

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """The pieces at the end of the round, in the order of play."""
        return place_pieces({turn.seat: turn.result for turn in self.turns})

    @cached_property
    def chips(self) -> Mapping[int, Chip]:
        return award_chips(self.placements, len(self.turns))


@dataclass(frozen=True, slots=True)
class Hand:
    """A turn that is being played."""

    seat: int
    turn: Turn
    by_house: bool = False
    """True if the house made any decision of the turn (R9.3)."""
    own: bool = True
    """True if the seat's own player took the dice (R9.6)."""


class PlayedCard(NamedTuple):
    """A card that a run has finished, and its turn."""

    card: Card
    turn: FinishedTurn


class Step(NamedTuple):
    """How far a run is: the number of finished cards, and the number of rolls in the current turn.

    Every decision of the seat leads to a higher step, until the run is complete. A button on a private page contains
    the step for which it was made. The seat is part of the step, so two seats never have the same one.

    >>> Step(seat=2, cards=3, rolls=1).number, Step.from_number(231)
    (231, Step(seat=2, cards=3, rolls=1))
    """

    seat: int
    cards: int
    rolls: int

    @property
    def number(self) -> int:
        """The step as one whole number, for buttons and the database."""
        return 100 * self.seat + 10 * self.cards + self.rolls

    @classmethod
    def from_number(cls, number: int) -> Step:
        return cls(number // 100, number // 10 % 10, number % 10)


@dataclass(frozen=True, slots=True)
class Run:
    """One seat's way through the cards (R9)."""

    seat: int
    finished: tuple[PlayedCard, ...]
    """The finished cards, in the order in which they were played."""
    card: Card | None
    """The card that is being played or is next; None before it is turned up, and after the last one."""
    hand: Hand | None

    @property
    def turn(self) -> Turn | None:
        return None if self.hand is None else self.hand.turn

    @property
    def round(self) -> int:
        """The number of the card that is being played or is next, 1 to 7; 7 after the last one."""
        return min(len(self.finished) + 1, ROUNDS)

    @property
    def complete(self) -> bool:
        return len(self.finished) == ROUNDS

    @property
    def total(self) -> int:
        """The sum of max(result, 0) over the finished cards: the score of a daily challenge (R9.4)."""
        return sum(played.turn.counted for played in self.finished)

    @property
    def step(self) -> Step:
        return Step(self.seat, len(self.finished), 0 if self.turn is None else self.turn.rolls)
