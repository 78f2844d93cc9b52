"""What the bot says no to, in sentences for the person who asked."""

from typing import Any

from bot.domain.table import Table


class Refused(Exception):
    """Something that cannot be done now. Its text is shown privately to the person who asked; nothing has changed."""


class PlayedElsewhere(Refused):
    """The same interaction was delivered twice, mostly to two processes: the first has acted on it and answers it."""


class Elsewhere(Refused):
    """A click on something of another server."""


class Stale(Refused):
    """A click on something that is no longer so: the table has moved on. Carries the table as it is now."""

    def __init__(self, sentence: str, table: Table) -> None:
        super().__init__(sentence)
        self.table = table


class MovedOn(Refused):
    """A press on a copy of a private page whose run has gone on since. Carries what the page shows as it is now."""

    def __init__(self, sentence: str, now: Any) -> None:
        super().__init__(sentence)
        self.now = now
