"""Everything that is stored, to be compared with what is stored later."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from tests.bot.server import Server, database_file


def stored(server: Server) -> list[str]:
    """Every row of every table."""
    with closing(sqlite3.connect(database_file(server.settings))) as connection:
        return list(connection.iterdump())
