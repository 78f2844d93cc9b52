"""What every cog works with."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bot.discord_api.replies import Offer
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.services.core import Core
from bot.ui.buttons import Press

PEOPLE = 1000
"""Of whom is known that they are opening a table, or what they have decided last."""


class Display(Protocol):
    """Shows tables in their channels: by the answers to presses and commands, and what nobody pressed for."""

    def current(self, table: Table) -> Table:
        """The table with what is known of its message, which may be newer than the database's note."""

    async def offer(self, table: Table, offer: Offer) -> int | None:
        """Take a table's next step by an answer; returns the message, or None where there is nothing for it to do."""

    def is_free(self, table_id: str) -> bool:
        """Whether an offer would be taken at once: no step of the table is under way."""

    def request_redraw(self, table_id: str) -> None:
        """Show the newest version of a table soon, also when it was shown before."""

    async def look_at(self, table: Table, message_id: int) -> None:
        """Look after a message on which somebody has pressed an older picture."""

    async def forget(self, table: Table) -> None:
        """A table that is over and that nobody can see any more is owed to nobody."""


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
        return self._openings.setdefault(user_id, asyncio.Lock())
