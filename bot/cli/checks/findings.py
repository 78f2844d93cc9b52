"""What doctor says of each thing it has looked at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FindingKind(Enum):
    """How it is; the value is what a line begins with."""

    OK = "ok"
    NOTE = "NB"
    """Good enough to play, but worth knowing."""
    BAD = "BAD"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    kind: FindingKind
    text: str

    def __str__(self) -> str:
        return f"{self.kind.value:<3} {self.text}"


def ok(text: str) -> Finding:
    """As it should be."""
    return Finding(FindingKind.OK, text)


def note(text: str) -> Finding:
    """Nothing that stops the bot."""
    return Finding(FindingKind.NOTE, text)


def bad(text: str) -> Finding:
    """What has to be set right."""
    return Finding(FindingKind.BAD, text)
