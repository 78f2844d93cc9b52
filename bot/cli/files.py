"""The parts that backup and restore share: the database's file, and a clause about its contents."""

import sqlite3
from pathlib import Path

from bot.cli.common import CANNOT_START, end, url_of
from bot.config import Settings
from bot.store.backup import Contents
from bot.store.errors import DatabaseError

CANNOT_COPY = (*CANNOT_START, sqlite3.Error)
"""The errors that a person can set right: files, their contents, and free space."""


def find_database_file(settings: Settings) -> Path:
    """Return the database's file. End the program if the database is on PostgreSQL."""
    try:
        url = url_of(settings)
    except DatabaseError as error:
        end(f"{error}.")
    if url.get_backend_name() != "sqlite" or url.database is None:
        end("The database is on PostgreSQL. Use pg_dump and pg_restore: docs/operating.md has the commands.")
    return Path(url.database)


def describe_contents(contents: Contents) -> str:
    return f"schema {contents.schema.current}, {contents.games:,} games"
