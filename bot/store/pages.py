"""What is needed to show a table, read in one go."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from bot.domain.notify import Wishes, users_called
from bot.domain.table import Table
from bot.store.reminders import calling_messages
from bot.store.settings import load_wishes
from bot.store.table import DisplayLease, load_stored


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A table that is to be shown, who shows it, and what decides whom its message calls."""

    table: Table
    lease: DisplayLease
    wishes: Mapping[int, Wishes]
    """Whom the page calls, see ``users_called``, and how each of them wants to be told."""
    calling: frozenset[int]
    """The table's messages by which somebody is called who has not acted since."""


def load_page(connection: Connection, table_id: str) -> StoredPage | None:
    """The table with this id and what showing it needs, or None."""
    stored = load_stored(connection, table_id)
    if stored is None:
        return None
    users = users_called(stored.table)
    wishes = load_wishes(connection, users) if users else {}
    return StoredPage(stored.table, stored.lease, wishes, calling_messages(connection, table_id))
