"""Challenge cards: a vortex value, a scoring and a roll type (rules R1, R3, R4).

Notation of a card: ``id: SCORING vortex ROLL_TYPE``, for example ``same-frozen: SAME frozen ANY_THREE``. The vortex is
a whole number, ``frozen`` or ``choice``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, TypeVar

from highscore.errors import CardError, NotationError

Named = TypeVar("Named", bound=Enum)

TEN = 10
"""The total of every group in TENS_MINUS (R4.4)."""

ODD_VALUES = frozenset({1, 3, 5})
SHOWN_VALUES = frozenset({1, 2, 3, 4})


class Scoring(Enum):
    """The dice that count (R4.1 to R4.11)."""

    TOTAL = "TOTAL"
    SAME = "SAME"
    SAME_MINUS = "SAME_MINUS"
    TENS_MINUS = "TENS_MINUS"
    PAIRS = "PAIRS"
    PAIRS_MINUS = "PAIRS_MINUS"
    TRIPLES_MINUS = "TRIPLES_MINUS"
    ODD = "ODD"
    ODD_MINUS = "ODD_MINUS"
    VALUES_SHOWN_MINUS = "VALUES_SHOWN_MINUS"
    ASCENDING = "ASCENDING"

    @property
    def subtracts_rest(self) -> bool:
        """True if the sum of the dice that do not count is subtracted ("minus remainder", R4)."""
        return self.value.endswith("_MINUS")

    @property
    def set_size(self) -> int | None:
        """The size of a set, 2 or 3, if the scoring counts pairs or triples (R4.5 to R4.7). None for other scorings."""
        return {Scoring.PAIRS: 2, Scoring.PAIRS_MINUS: 2, Scoring.TRIPLES_MINUS: 3}.get(self)

    def can_count(self, value: int) -> bool:
        """Return whether a die with this value counts in at least one possible roll (R4.4, R4.8 to R4.10).

        >>> [value for value in range(7) if Scoring.ODD.can_count(value)]
        [1, 3, 5]
        """
        match self:
            case Scoring.ODD | Scoring.ODD_MINUS:
                return value in ODD_VALUES
            case Scoring.VALUES_SHOWN_MINUS:
                return value in SHOWN_VALUES
            case Scoring.TENS_MINUS:
                return value <= TEN
            case _:
                return True


class RollType(Enum):
    """When a player may roll again, and which dice (R3.1 to R3.3)."""

    FOUR_FULL = "FOUR_FULL"
    ANY_THREE = "ANY_THREE"
    SET_ASIDE = "SET_ASIDE"

    @property
    def max_rolls(self) -> int:
        """The most rolls a turn can have: 4, 3 or 7."""
        return {RollType.FOUR_FULL: 4, RollType.ANY_THREE: 3, RollType.SET_ASIDE: 7}[self]


class VortexKind(Enum):
    """The three kinds of vortex value (R4)."""

    FIXED = "fixed"
    FROZEN = "frozen"
    CHOICE = "choice"


CHOICE_VALUES = range(7)
"""The values that a choice vortex may take (R4)."""

MAX_VORTEX = 30
"""A fixed vortex is worth at least -30 and at most 30, one lap of the track. A limit for deck files, not a rule."""


@dataclass(frozen=True, slots=True)
class VortexValue:
    """The value of a vortex: a fixed number, frozen 0, or a choice of 0 to 6."""

    kind: VortexKind
    number: int = 0
    """The fixed number, -30 to 30; 0 for the other kinds."""

    FROZEN: ClassVar[VortexValue]
    CHOICE: ClassVar[VortexValue]

    def __post_init__(self) -> None:
        if self.kind is not VortexKind.FIXED and self.number != 0:
            raise CardError(f"a {self.kind.value} vortex has no number of its own, but {self.number} was given")
        if abs(self.number) > MAX_VORTEX:
            # The message does not name the number: Python refuses to print an integer of more than 4,300 digits.
            raise CardError(f"the value of the vortex is out of range; use {-MAX_VORTEX} to {MAX_VORTEX}")

    @classmethod
    def from_number(cls, number: int) -> VortexValue:
        """Return a vortex worth ``number``. Raises CardError outside of -30 to 30."""
        return cls(VortexKind.FIXED, number)

    @classmethod
    def parse(cls, text: str) -> VortexValue:
        """Read ``frozen``, ``choice`` or a whole number. Raises NotationError or CardError."""
        word = text.strip().lower().replace("−", "-")
        if word in (VortexKind.FROZEN.value, VortexKind.CHOICE.value):
            return cls(VortexKind(word))
        if re.fullmatch(r"[+-]?[0-9]{1,4}", word) is None:
            raise NotationError(f"{text[:60]!r} is no vortex value; write a whole number, frozen or choice")
        return cls.from_number(int(word))

    def __str__(self) -> str:
        return str(self.number) if self.kind is VortexKind.FIXED else self.kind.value

    @property
    def frozen(self) -> bool:
        """True if a die that shows a vortex freezes (R3.4)."""
        return self.kind is VortexKind.FROZEN

    @property
    def values(self) -> range:
        """The values that one vortex may take."""
        return CHOICE_VALUES if self.kind is VortexKind.CHOICE else range(self.number, self.number + 1)


VortexValue.FROZEN = VortexValue(VortexKind.FROZEN)
VortexValue.CHOICE = VortexValue(VortexKind.CHOICE)

_CARD = re.compile(r"\s*(?P<id>[^:\s]+)\s*:\s*(?P<scoring>\S+)\s+(?P<vortex>\S+)\s+(?P<roll_type>\S+)\s*")
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_ID = 40
"""The longest card id, in characters. A Discord custom_id has at most 100, and contains other fields too."""


@dataclass(frozen=True, slots=True)
class Card:
    """One challenge card.

    Raises CardError for an invalid id and for the combinations that the rules leave undefined (ruling at the end of
    R4): a negative vortex with a "minus" scoring, and a choice vortex with ASCENDING.
    """

    id: str
    scoring: Scoring
    vortex: VortexValue
    roll_type: RollType

    def __post_init__(self) -> None:
        if len(self.id) > MAX_ID or _ID.fullmatch(self.id) is None:
            raise CardError(
                f"{self.id[:60]!r} is no card id; use lower-case letters, digits and single hyphens, at most {MAX_ID}"
            )
        if self.scoring.subtracts_rest and self.vortex.number < 0:
            raise CardError(
                f"{self.scoring.value} subtracts what does not count, and the rules do not say what subtracting"
                f" a vortex worth {self.vortex.number} means; use a vortex of 0 or more"
            )
        if self.scoring is Scoring.ASCENDING and self.vortex.kind is VortexKind.CHOICE:
            raise CardError(
                "ASCENDING gives the vortex a place of its own after the 5, so it cannot also stand for any number;"
                " use a fixed or frozen vortex"
            )

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``id: SCORING vortex ROLL_TYPE``. Raises NotationError or CardError."""
        match = _CARD.fullmatch(text)
        if match is None:
            raise NotationError(f"{text[:80]!r} is no card; write it like 'same-frozen: SAME frozen ANY_THREE'")
        return cls(
            match["id"],
            parse_name(Scoring, match["scoring"]),
            VortexValue.parse(match["vortex"]),
            parse_name(RollType, match["roll_type"]),
        )

    def __str__(self) -> str:
        return f"{self.id}: {self.scoring.value} {self.vortex} {self.roll_type.value}"

    @property
    def vortex_hurts(self) -> bool:
        """True if the vortex is printed on red: it costs points, counts as nothing, or freezes (R7).

        >>> Card.parse("tens: TENS_MINUS 10 FOUR_FULL").vortex_hurts
        False
        >>> Card.parse("odd: ODD_MINUS 10 FOUR_FULL").vortex_hurts
        True
        """
        return not any(value > 0 and self.scoring.can_count(value) for value in self.vortex.values)

    @property
    def vortex_points(self) -> int:
        """The points that one fixed vortex adds if the scoring can count it (R4).

        If the scoring cannot count it, minus its value for a "minus" scoring and 0 for all others. Also 0 for a frozen
        vortex and for a choice.

        >>> Card.parse("tens: TENS_MINUS 10 FOUR_FULL").vortex_points
        10
        >>> Card.parse("minus: ODD_MINUS 10 FOUR_FULL").vortex_points, Card.parse("odd: ODD 10 FOUR_FULL").vortex_points
        (-10, 0)
        """
        if self.scoring.can_count(self.vortex.number):
            return self.vortex.number
        return -self.vortex.number if self.scoring.subtracts_rest else 0


def parse_name(kind: type[Named], text: str) -> Named:
    """Read the name of a scoring or of a roll type. Raises NotationError with the list of valid names."""
    try:
        return kind(text.strip().upper())
    except ValueError:
        what, known = "scoring" if kind is Scoring else "roll type", ", ".join(each.value for each in kind)
        raise NotationError(f"unknown {what} {text[:60]!r}; there are {known}") from None
