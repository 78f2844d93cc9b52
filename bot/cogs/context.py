"""What every cog works with."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.services.core import Core
from bot.ui.buttons import Press

PEOPLE = 1000
"""Of whom is known that they are opening a table, or what they have decided last."""


class Display(Protocol):
    """Shows tables in their channels: what could not be the answer to a press, and what nobody pressed for."""

    def current(self, table: Table) -> Table:
        """The table with what is known of its message, which may be newer than the database's note."""

    def request_redraw(self, table_id: str) -> None:
        """Show the newest version of a table soon, also when it was shown before."""

    def adopt(self, table_id: str) -> None:
        """The same for a table that another process may have left owed."""

    def note(self, table: Table, message_id: int) -> None:
        """Note that a table was shown on a message."""

    async def newer(self, table: Table) -> Table | None:
        """The table as it is now, if it has moved on from the version that has just been shown."""

    def answering(self, table_id: str) -> AbstractContextManager[None]:
        """Inside, an answer to a command is on its way that shows a table: nobody sends the table's first message."""

    def note_record(self, table: Table, message_id: int, page: int) -> Table:
        """Note that a message is the record of a round from now on; the table with it. What follows is still owed."""

    def restore(self, table: Table, message_id: int) -> None:
        """Put back a record that an older picture has come over."""

    async def forget(self, table: Table) -> None:
        """A table that is over and that nobody can see any more is owed to nobody."""

    async def move(self, table: Table, message_id: int) -> None:
        """Note that a table is shown on a new message from now on; the old one goes."""

    async def discard(self, table: Table, message_id: int) -> None:
        """Have a message deleted that is not the table's any more."""


@dataclass(frozen=True, slots=True)
class Context:
    """What every cog works with."""

    core: Core
    display: Display
    clicked: Callable[[str, int], None]
    """Notes that at a table a user was there, so that nobody is reminded of what they are looking at."""
    wake_at: Callable[[datetime | None], None]
    """Has the clock wake its workers at a moment, if one is given."""
    privacy_url: str | None = None
    terms_url: str | None = None
    decided: Recent[int, Press] = field(default_factory=lambda: Recent(PEOPLE))
    """By person the press of their latest decision on a private page: the second one of a double click is equal."""
    _openings: Recent[int, asyncio.Lock] = field(default_factory=lambda: Recent(PEOPLE))

    def opening(self, user_id: int) -> asyncio.Lock:
        """Held while a person opens a table in a thread: one after the other."""
        if user_id not in self._openings:
            self._openings[user_id] = asyncio.Lock()
        return self._openings[user_id]
