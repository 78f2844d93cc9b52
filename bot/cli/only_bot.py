"""The lock by which at most one bot runs on a SQLite file: two would both answer every click."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import URL

from bot.store.errors import DatabaseError
from bot.store.sqlite_file import is_busy, make_file

WAIT = 2.0
"""The seconds to wait for another bot that is just ending."""
LOCK = ".lock"
"""The suffix of the lock file. The file stays empty; a lock on it, not its presence, means that a bot runs."""


@contextmanager
def only_bot(url: URL) -> Iterator[None]:
    """Keep other bots off a SQLite database; on PostgreSQL several may share one.

    SQLite locks a file of its own, because commands may open the database itself. Such a lock works wherever SQLite
    does, and the operating system releases it when the process ends. Raise DatabaseError with the remedy.
    """
    if url.get_backend_name() != "sqlite" or url.database is None:
        yield
        return
    # Two paths to the same file share one lock.
    database = Path(url.database).resolve()
    lock = database.with_name(database.name + LOCK)
    make_file(lock)
    try:
        connection = sqlite3.connect(lock, isolation_level=None, timeout=WAIT)
    except sqlite3.Error as error:
        raise DatabaseError(f"{lock} cannot be locked: {error}") from error
    with closing(connection):
        try:
            # Nothing is written, so no journal file is needed.
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
