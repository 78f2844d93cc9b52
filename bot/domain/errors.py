"""Errors that refuse what a person has asked for."""

from typing import Any

from bot.domain.table import Table


class Refused(Exception):
    """A refusal. Nothing has changed. Its text is shown privately to the person who asked."""


class AlreadyHandled(Refused):
    """Discord delivered the same interaction twice, usually to two processes. The first process has handled it, and
    answers."""


class WrongServer(Refused):
    """A press that names a table, challenge or cup of another server."""


class Stale(Refused):
    """A press on a button that is out of date, usually because of the table's version. ``table`` is the newest version,
    which the answer shows."""

    def __init__(self, table: Table) -> None:
        super().__init__("the table has moved on")
        self.table = table


class MovedOn(Refused):
    """A press on an older copy of a private page. ``now`` is the current state, which the answer shows: an attempt, or
    a table as the player may see it and their seat."""

    def __init__(self, now: Any) -> None:
        super().__init__("the page has moved on")
        self.now = now
