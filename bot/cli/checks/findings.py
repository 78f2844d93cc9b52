"""What doctor says of each thing it has looked at."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class FindingKind(Enum):
    """How it is; the value is what a line begins with."""

    OK = "ok"
    NOTE = "NB"
    """Good enough to play, but worth knowing."""
    BAD = "BAD"
    """A person has to set it right."""


class Finding(NamedTuple):
    """One thing that was looked at."""

    kind: FindingKind
    text: str

    def __str__(self) -> str:
        return f"{self.kind.value:<3} {self.text}"


def ok(text: str) -> Finding:
    return Finding(FindingKind.OK, text)


def note(text: str) -> Finding:
    return Finding(FindingKind.NOTE, text)


def bad(text: str) -> Finding:
    return Finding(FindingKind.BAD, text)
