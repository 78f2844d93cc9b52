"""The lesson that teaches the game: three cards with fixed dice. The number of a step alone decides its position."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from highscore.deck import STANDARD_DECK
from highscore.dice import Dice
from highscore.events import CardRevealed, Decided, Decision, Event, Rolled, StartPlayerDrawn, TakeDice
from highscore.game import Game, replay_events
from highscore.house import Temperament
from highscore.turn import Roll, SetAside, Stop
from highscore.turn_order import TurnOrder

LEARNER, STEADY, SHARK = range(3)
HOUSE = {STEADY: Temperament.STEADY.person, SHARK: Temperament.SHARK.person}
"""The names of the learner's opponents."""


class Lesson(Enum):
    VORTEX = 0
    FULL_ROLLS = 1
    KEEP = 2
    TRACK = 3
    FROZEN = 4
    PICK = 5
    KEEP_PICKED = 6
    TAKEN = 7
    CHOICE = 8
    SET_ASIDE = 9
    KEEP_ALL = 10
    BEYOND = 11


@dataclass(frozen=True, slots=True)
class Position:
    lesson: Lesson
    game: Game
    expected: Decision | None
    """The decision that the learner is asked to make; None after a round."""

    @property
    def is_last(self) -> bool:
        return self.lesson is Lesson.BEYOND

    def movable(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return the ``positions`` of dice that the learner can pick now; none if no turn is played."""
        turn = self.game.turn
        return () if turn is None else tuple(at for at in positions if at in turn.free)

    @property
    def card_number(self) -> int:
        """1 to 3: the number of the card that is being played, or after a round of the one that was played."""
        return len(self.game.finished) + (self.game.card is not None)


def lesson_position(step: int) -> Position:
    """Return the position after ``step`` correct presses. After more steps than there are, it is the last position.

    >>> lesson_position(0).lesson, lesson_position(99).lesson
    (<Lesson.VORTEX: 0>, <Lesson.BEYOND: 11>)
    """
    return _positions()[min(step, len(Lesson) - 1)]


@cache
def _positions() -> Sequence[Position]:
    events: list[Event] = []
    positions: list[Position] = []

    def ask(expected: Decision | None) -> None:
        game = replay_events(3, TurnOrder.CLOCKWISE, events)
        positions.append(Position(Lesson(len(positions)), game, expected))

    def decide(decision: Decision, dice: str = "") -> None:
        ask(decision)
        events.append(Decided(LEARNER, decision))
        if dice:
            events.append(_rolled(dice))

    events += (StartPlayerDrawn(STEADY), _card("total-minus5"), *_house(STEADY, "554V432"), *_house(SHARK, "5443311"))
    decide(TakeDice(), "V5V4321")
    decide(Roll((0, 1, 2, 3, 4, 5, 6)), "5445242")
    decide(Stop())
    ask(None)
    # Gold starts the next round (R2.4).
    events.append(_card("same-frozen"))
    decide(TakeDice(), "5415V24")
    decide(Roll((2, 5)), "54")
    decide(Stop())
    events += (*_house(STEADY, "555544V"), *_house(SHARK, "4V55454"))
    ask(None)
    events += (_card("same-minus-choice"), *_house(STEADY, "4424424", all_aside=True))
    events += _house(SHARK, "5535535", all_aside=True)
    decide(TakeDice(), "13V5245")
    decide(SetAside((2, 3, 6)), "5444")
    decide(SetAside((0, 1, 4, 5)))
    ask(None)
    return positions


def _card(card_id: str) -> CardRevealed:
    return CardRevealed(STANDARD_DECK.find_card(card_id))


def _rolled(dice: str) -> Rolled:
    return Rolled(Dice.parse(dice).faces)


def _house(seat: int, dice: str, *, all_aside: bool = False) -> tuple[Event, ...]:
    end = SetAside(tuple(range(7))) if all_aside else Stop()
    return Decided(seat, TakeDice()), _rolled(dice), Decided(seat, end)
