"""Refusals, in sentences for the person who asked."""

from typing import Any

from bot.domain.table import Table


class Refused(Exception):
    """A refusal. Its text is shown privately to the person who asked; nothing has changed."""


class AlreadyHandled(Refused):
    """The same interaction was delivered twice, mostly to two processes: the first has acted on it and answers it."""


class WrongServer(Refused):
    """A press on a message about another server."""


class Stale(Refused):
    """A press on a button of an older version of a table. Carries the table as it is now, which is shown."""

    def __init__(self, table: Table) -> None:
        super().__init__("the table has moved on")
        self.table = table


class MovedOn(Refused):
    """A press on an older copy of a private page, whose run has gone on. Carries the current state of the page."""

    def __init__(self, now: Any) -> None:
        super().__init__("the page has moved on")
        self.now = now
