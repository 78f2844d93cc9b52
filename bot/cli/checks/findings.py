"""The findings of doctor."""

from functools import partial
from typing import Literal, NamedTuple


class Finding(NamedTuple):
    """A result of a check. NB: good enough to play, but worth knowing. BAD: a person has to set it right."""

    kind: Literal["ok", "NB", "BAD"]
    text: str

    def __str__(self) -> str:
        return f"{self.kind:<3} {self.text}"


ok, remark, bad = partial(Finding, "ok"), partial(Finding, "NB"), partial(Finding, "BAD")
