"""A table with everything that showing it needs, read in one go."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from bot.domain.notify import Wishes, users_called
from bot.domain.table import Table
from bot.store.reminders import find_calling_messages
from bot.store.settings import load_wishes
from bot.store.table import DisplayLease, load_stored


@dataclass(frozen=True, slots=True)
class TableToShow:
    """A table to be shown, the process that shows it, and the data that decide who is called."""

    table: Table
    lease: DisplayLease
    wishes: Mapping[int, Wishes]
    """The wishes of the users that the screen calls, see ``users_called``."""
    calling: frozenset[int]
    """The table's messages that still call somebody who has not acted since."""


def load_table_to_show(connection: Connection, table_id: str) -> TableToShow | None:
    """Return the table with this id, or None."""
    stored = load_stored(connection, table_id)
    if stored is None:
        return None
    users = users_called(stored.table)
    wishes = load_wishes(connection, users) if users else {}
    return TableToShow(stored.table, stored.lease, wishes, find_calling_messages(connection, table_id))
