"""The objects that every cog works with."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bot.discord_api.replies import Offer
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.services.core import Core
from bot.ui.buttons import Action

PEOPLE = 1000
"""The number of people whose lock or latest decision is remembered."""


class Display(Protocol):
    """The display of tables in their channels, by answers to presses and commands, and by edits of its own."""

    def current(self, table: Table) -> Table:
        """Return the table with its message as this process knows it, which may be newer than in the database."""

    async def offer(self, table: Table, offer: Offer) -> int | None:
        """Take a table's next step by an answer; return the message, or None where the answer has nothing to show."""

    def is_free(self, table_id: str) -> bool:
        """Return whether an offer would be taken at once: no step of the table is under way."""

    def request_redraw(self, table_id: str) -> None:
        """Show the newest version of a table soon, even if it was shown before."""

    async def look_at(self, table: Table, message_id: int) -> None:
        """Check a message with an older button that somebody has pressed."""

    async def forget(self, table: Table) -> None:
        """Owe nothing any more of a table that is over and that nobody can see."""


@dataclass(frozen=True, slots=True)
class Context:
    """The objects that every cog works with."""

    core: Core
    display: Display
    note_click: Callable[[str, int], None]
    """The function that notes a user's presence at a table, so that nobody is reminded of a table before their eyes."""
    wake_at: Callable[[datetime | None], None]
    """The function that has the clock wake its workers at a moment, if one is given."""
    privacy_url: str | None = None
    terms_url: str | None = None
    decided: Recent[int, Action] = field(default_factory=lambda: Recent(PEOPLE))
    """The press of each person's latest decision on a private page, equal to the second one of a double click."""
    _openings: Recent[int, asyncio.Lock] = field(default_factory=lambda: Recent(PEOPLE))

    def opening_lock(self, user_id: int) -> asyncio.Lock:
        """Return the lock that is held while a person opens a table in a thread: one after the other."""
        return self._openings.setdefault(user_id, asyncio.Lock())
