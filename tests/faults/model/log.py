"""The event log of the plain model, and how it is compared: remarks by whom they are about, not by their words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

_ABOUT = re.compile(r"\b(?:user [0-9]+|seat [0-9])\b")


@dataclass(frozen=True)
class Row:
    """What one committed change put into the log."""

    seq: int
    lines: tuple[str, ...]
    by: int | None
    interaction: int | None
    at: datetime

    def without(self, user: int, *, seated: bool) -> Row:
        """The row after somebody's data was deleted; ``seated``: they have or had a seat at this table."""
        named = f"user {user}"
        found = any(named in line.split("; ") for line in self.lines)
        lines = tuple("; ".join(part for part in line.split("; ") if part != named) for line in self.lines)
        names = any(line.startswith(("remark", "abandoned")) and "user " in line for line in self.lines)
        theirs = self.by == user and (seated or names)
        return replace(
            self,
            lines=lines if found else self.lines,
            by=None if theirs else self.by,
            interaction=None if theirs else self.interaction,
        )


def plainly(line: str) -> str:
    """A line of the log; of a remark or an end only whom it names, because the wording is nobody's promise."""
    word = line.split(" ", 1)[0]
    return "; ".join([word, *_ABOUT.findall(line)]) if word in ("remark", "abandoned") else line
