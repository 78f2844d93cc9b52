"""The events of a game: the decisions of the players, and chance.

Chance is explicit, so replaying a game's events gives its state, and no state holds a later card.
"""

from __future__ import annotations

from dataclasses import dataclass

from highscore.cards import Card
from highscore.dice import Face
from highscore.errors import BadEvent
from highscore.turn import Choice


@dataclass(frozen=True, slots=True)
class TakeDice:
    """The decision to begin one's turn; the first roll of all seven dice follows (R3)."""

    def __str__(self) -> str:
        return "take"


Decision = TakeDice | Choice


@dataclass(frozen=True, slots=True)
class StartPlayerDrawn:
    """Chance: the seat that starts the first round (R2.2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardRevealed:
    """Chance: the challenge card of a round that begins (R2.1); in own pace for the first run that comes to it."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the player in a seat; ``by_house`` if the house made it for the player (R9.3)."""

    seat: int
    decision: Decision
    by_house: bool = False


@dataclass(frozen=True, slots=True)
class Rolled:
    """Chance: the faces of the dice that were due, in the order of their positions."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The end of a seat that has finished no turn, as if nobody had ever sat there (R9.5)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The end of a game that was given up, without a winner. ``by`` names who did it, in one line."""

    by: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", _join_lines(self.by))


@dataclass(frozen=True, slots=True)
class Remarked:
    """A record of something that changes nothing in the game, such as who left or who skipped whom.

    The text becomes one line without surrounding blanks. Raises BadEvent when nothing is left of it.
    """

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", _join_lines(self.text))
        if not self.text:
            raise BadEvent("a remark has to say something")


def _join_lines(text: str) -> str:
    """Return a text on one line: display names may hold line breaks, and the event log is one line an event."""
    return " ".join(text.split())


Event = StartPlayerDrawn | CardRevealed | Decided | Rolled | LeftOut | Abandoned | Remarked
