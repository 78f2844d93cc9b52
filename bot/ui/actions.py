"""The custom_ids of buttons that are not about playing: guide, history, leaderboards, data, absences, setup."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar, Self

from bot.domain.calendar import ALL_TIME
from bot.domain.leaderboard import Order

FAME = "fame"
LARGEST_ID = 2**63 - 1
"""The largest id of Discord's that a database's column takes. No id comes near it this century."""


class Step(Enum):
    """The goal of a button of a history or a replay."""

    NEWER = "newer"
    OLDER = "older"
    """The leaf of the history after (``NEWER``) or before a game."""
    OPEN = "open"
    """The replay of a game, as a message of its own."""
    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    TURN = "turn"
    LAST = "last"
    """A position of a replay, from ``FIRST`` to ``LAST``: two buttons of a message must not have the same id."""
    FILE = "file"
    """The exported game."""
    PROOF = "proof"
    """The proof of a game, on its opening, which is no page of the table."""


class Wish(Enum):
    """The wish of somebody for their data."""

    FILE = "file"
    DELETE = "delete"
    SURE = "sure"
    """The first confirmation."""
    FOREVER = "forever"
    """The second confirmation: the data is deleted."""
    KEEP = "keep"


class SetupVerb(Enum):
    """The request of a button or a select of the setup."""

    OPEN = "open"
    """Begin the setup, in a message of one's own."""
    STEP = "step"
    PICK = "pick"
    """A select: what is picked is set."""
    TYPE = "type"
    """A dialog for what no select has."""
    CLEAR = "clear"
    """Leave out what was deleted among the things that a setting points to."""
    DONE = "done"


def any_of(values: type[Enum]) -> str:
    return "|".join(each.value for each in values)


@dataclass(frozen=True, slots=True)
class Action(ABC):
    """The meaning of a pressed button: its fields, one after the other behind a prefix, unless a subclass differs."""

    prefix: ClassVar[str]
    pattern: ClassVar[str]
    """The regular expression of all its custom_ids."""

    @property
    @abstractmethod
    def command(self) -> str:
        """The name of the button in the log."""

    @property
    def custom_id(self) -> str:
        """The text Discord sends back when the button is pressed."""
        values = (getattr(self, each.name) for each in fields(self))
        return ":".join([self.prefix, *(str(each.value if isinstance(each, Enum) else each) for each in values)])

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        """Read a custom_id that matches the pattern."""
        texts = custom_id.removeprefix(cls.prefix).split(":")[1:]
        kinds: list[Any] = [_number if each.type is int else each.type for each in fields(cls)]
        return cls(*(kind(text) for kind, text in zip(kinds, texts, strict=True)))


def _number(text: str) -> int:
    return min(int(text), LARGEST_ID)


@dataclass(frozen=True, slots=True)
class GuidePress(Action):
    """A button to a leaf of the guide, counted from 0."""

    prefix: ClassVar[str] = "hg:page"
    pattern: ClassVar[str] = "hg:page:[0-9]{1,2}"
    command: ClassVar[str] = "rules"

    leaf: int


@dataclass(frozen=True, slots=True)
class HistoryPress(Action):
    """A button to a leaf of a history, or to a position of a replay."""

    prefix: ClassVar[str] = "ha"
    pattern: ClassVar[str] = rf"ha:(?:{any_of(Step)}):[0-9a-f]{{12}}:[0-9]{{1,6}}:[0-9]{{1,20}}"
    command: ClassVar[str] = "replay"

    step: Step
    game_id: str
    number: int = 0
    """The position to show, counted from 0."""
    user_id: int = 0
    """The user whose history it is; 0 for that of the server."""


@dataclass(frozen=True, slots=True)
class LeaderboardPress(Action):
    """A button to a leaf of a leaderboard or of the hall of fame."""

    prefix: ClassVar[str] = "hb"
    pattern: ClassVar[str] = (
        rf"hb:(?:{FAME}|{any_of(Order)}):(?:{ALL_TIME}|[0-9]{{4}}(?:-[0-9QH][0-9]?)?):[0-9]{{1,4}}:[0-9]{{1,20}}"
    )
    command: ClassVar[str] = "leaderboard"

    board: str
    """The order of the leaderboard (an ``Order``), or the hall of fame."""
    period: str
    leaf: int
    user_id: int
    """The user who asked for the leaderboard, and whose own line it shows."""


@dataclass(frozen=True, slots=True)
class DataPress(Action):
    """A button about somebody's data."""

    prefix: ClassVar[str] = "hp"
    pattern: ClassVar[str] = rf"hp:(?:{any_of(Wish)}):[0-9]{{1,20}}"
    command: ClassVar[str] = "me"

    wish: Wish
    user_id: int


@dataclass(frozen=True, slots=True)
class AwayPress(Action):
    """The button of somebody who is away and is back."""

    prefix: ClassVar[str] = "hw:back"
    pattern: ClassVar[str] = "hw:back"
    command: ClassVar[str] = "away"


@dataclass(frozen=True, slots=True)
class SetupPress(Action):
    """A button or a select of the setup."""

    prefix: ClassVar[str] = "hu"
    pattern: ClassVar[str] = rf"hu:(?:{any_of(SetupVerb)}):[a-z0-9_]{{1,32}}"
    command: ClassVar[str] = "setup"

    verb: SetupVerb
    what: str
    """The number of a step, counted from 0, or the name of a setting."""
