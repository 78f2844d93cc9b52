"""The seven dice and their faces (rules R1).

Notation: one character for each die, ``1`` to ``5`` or ``V`` for the vortex, separated by spaces: ``5 5 4 V 2 1 1``.
Lower case and missing spaces are accepted as well (``554v211``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from highscore.errors import NotationError

DICE = 7
"""The number of dice (R1)."""


class Face(IntEnum):
    """One of the six equally likely faces (R1). The number of the vortex is an index, not its value."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    VORTEX = 6

    def __str__(self) -> str:
        return _CHARACTERS[self]


FACES: tuple[Face, ...] = tuple(Face)

_CHARACTERS = dict(zip(FACES, "12345V", strict=True))
_BY_CHARACTER = {character: face for face, character in _CHARACTERS.items()}


def parse_face(text: str) -> Face:
    """Read one face, ``1`` to ``5`` or ``V``. Raises NotationError for anything else."""
    try:
        return _BY_CHARACTER[text.upper()]
    except KeyError:
        raise NotationError(f"{text!r} is no die face; write 1, 2, 3, 4, 5 or V for the vortex") from None


@dataclass(frozen=True, slots=True)
class Dice:
    """Up to seven rolled dice. Their order matters: a die stays in its place when others are rolled again.

    >>> Dice.parse("1V5") == Dice.parse("5V1")
    False
    """

    faces: tuple[Face, ...]

    def __post_init__(self) -> None:
        if len(self.faces) > DICE:
            raise NotationError(f"{len(self.faces)} dice are too many; High Score is played with {DICE}")

    @classmethod
    def parse(cls, text: str) -> Dice:
        """Read the notation of this module. Raises NotationError for a wrong character or more than seven dice."""
        return cls(tuple(parse_face(character) for character in "".join(text.split())))

    def __str__(self) -> str:
        # A dictionary look-up is faster than str(face): every move stores a game with the dice of up to 35 turns.
        return " ".join(map(_CHARACTERS.__getitem__, self.faces))

    def __iter__(self) -> Iterator[Face]:
        return iter(self.faces)

    def __len__(self) -> int:
        return len(self.faces)

    def __getitem__(self, position: int) -> Face:
        return self.faces[position]
