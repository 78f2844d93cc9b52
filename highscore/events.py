"""The events of a game: the decisions of the players, and chance.

Dice and cards are events, like decisions. So the same events always lead to the same state, and no state contains a
card that is still to come.
"""

from __future__ import annotations

from dataclasses import dataclass

from highscore.cards import Card
from highscore.dice import Face
from highscore.errors import BadEvent
from highscore.turn import Choice


@dataclass(frozen=True, slots=True)
class TakeDice:
    """The decision to begin a turn. The first roll of all seven dice follows (R3)."""

    def __str__(self) -> str:
        return "take"


Decision = TakeDice | Choice


@dataclass(frozen=True, slots=True)
class StartPlayerDrawn:
    """Chance: the seat that starts the first round (R2.2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """Chance: a challenge card is turned up. This happens when its round starts (R2.1), in own pace when the first run
    reaches the card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the player in a seat. ``by_house`` is true if the house made it for a person (R9.3)."""

    seat: int
    decision: Decision
    by_house: bool = False


@dataclass(frozen=True, slots=True)
class Rolled:
    """Chance: the faces of the dice that were rolled, in the order of their positions."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A seat that has finished no turn is removed from a game in own pace, as if nobody had ever sat there (R9.5)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game is given up without a winner. ``by`` is one line that says who gave it up."""

    by: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", _join_lines(self.by))


@dataclass(frozen=True, slots=True)
class Remarked:
    """A note in the log that does not change the state, for example that a player left.

    Whitespace is collapsed, so that the text is one line. Raises BadEvent if the text is blank.
    """

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", _join_lines(self.text))
        if not self.text:
            raise BadEvent("a remark has to say something")


def _join_lines(text: str) -> str:
    """Return a text on one line. Display names may contain line breaks, but an event is one line of the log."""
    return " ".join(text.split())


Event = StartPlayerDrawn | CardRevealed | Decided | Rolled | LeftOut | Abandoned | Remarked
