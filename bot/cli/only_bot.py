"""That one bot at most plays on a SQLite file: two would both answer every click."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import URL

from bot.store.errors import DatabaseError
from bot.store.sqlite_file import is_busy

WAIT = 2.0
"""Seconds to wait for another bot that is just ending."""
LOCK = ".lock"
"""Behind the database's name: an empty file that says nothing by being there, only by being locked."""


@contextmanager
def only_bot(url: URL) -> Iterator[None]:
    """Keep other bots off this database, where that is a SQLite file; those on PostgreSQL may share one.

    Not by the database itself, which backups and other commands may have open too. The lock is one of SQLite's on a
    file of its own: it works wherever SQLite does, also on Windows, and the system takes it away when the process ends,
    however it ends. Raises DatabaseError with a sentence that says what to do.
    """
    if url.get_backend_name() != "sqlite" or url.database is None:
        yield
        return
    # Two ways to the same file have one lock.
    database = Path(url.database).resolve()
    lock = database.with_name(database.name + LOCK)
    lock.parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = sqlite3.connect(lock, isolation_level=None, timeout=WAIT)
    except sqlite3.Error as error:
        raise DatabaseError(f"{lock} cannot be locked: {error}") from error
    with closing(connection):
        try:
            # Nothing is written, so there is nothing to leave beside it.
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if not is_busy(error):
                raise DatabaseError(f"{lock} cannot be locked: {error}") from error
            raise DatabaseError(
                f"another bot is running on {url.database}, and two would both answer every click; stop that one"
                " first, or give this one a file of its own (DATABASE_URL)"
            ) from None
        yield
