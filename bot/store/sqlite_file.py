"""A database file of SQLite, seen from outside: ways to open it beside the bot or in its place.

All of it is synchronous and for the command line; nothing here runs inside the bot.

A connection in WAL mode holds a shared lock on the file while it is open, also when it does nothing, and the system
takes the lock away when the process dies. So the holder of the exclusive lock is alone, and a running bot, or anything
else that has the file open, is noticed reliably (https://sqlite.org/wal.html, https://sqlite.org/lockingv3.html).
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.store.errors import DatabaseError

WAIT = 5.0
"""The seconds to wait for another process that has the file for a moment."""
COMPANIONS = ("-wal", "-shm", "-journal")
"""The ends of the names of SQLite's files beside a database in use; each belongs to the file of that name only."""

OURS = 0o600
"""The mode of files, which hold names, lucky words and sealed seeds: nobody else on the machine needs to read them."""
_OURS_TO_ENTER = 0o700

WAL_RESET_FIXED = (3, 51, 3)
_FIXED_EARLIER = ((3, 50, 7), (3, 44, 6))
"""The older lines of SQLite that got the fix too."""


class InUse(DatabaseError):
    """Another process has the database open."""


def has_wal_reset_bug(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Return whether this SQLite loses commits if two connections checkpoint (https://sqlite.org/wal.html#walresetbug).

    Only one of the bot does; it takes another program that writes to the same file.
    """
    return version < WAL_RESET_FIXED and not any(
        version[:2] == fixed[:2] and version >= fixed for fixed in _FIXED_EARLIER
    )


def make_folder(folder: Path) -> None:
    """Make a folder that only this user can enter, and those above it, unless they exist."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=_OURS_TO_ENTER, exist_ok=True)


def make_file(file: Path) -> None:
    """Make an empty file that only this user can read, unless it exists. SQLite gives its log the same mode."""
    make_folder(file.parent)
    if not file.exists():
        file.touch(mode=OURS)


@contextmanager
def open_exclusively(database: Path, wait: float = WAIT) -> Iterator[sqlite3.Connection]:
    """Give the only connection to a database: as long as it is open, nobody else can read or write.

    Make an empty file if there is none. Raise InUse if somebody has it open for longer than ``wait`` seconds, and
    sqlite3.Error for a file that is no database.
    """
    with closing(sqlite3.connect(database, isolation_level=None, timeout=0)) as connection:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        until = time.monotonic() + wait
        while True:
            try:
                # In exclusive mode the lock stays when the transaction has ended.
                connection.execute("BEGIN EXCLUSIVE")
                connection.execute("ROLLBACK")
                break
            except sqlite3.OperationalError as error:
                if not is_busy(error):
                    raise
                if time.monotonic() >= until:
                    raise InUse(f"{database} is in use") from None
                time.sleep(0.05)
        yield connection


def is_in_use(database: Path) -> bool:
    """Return whether another process has this database open. A file that cannot be opened at all is not in use."""
    if not database.is_file() or not database.stat().st_size:
        return False
    try:
        with open_exclusively(database, wait=0):
            return False
    except InUse:
        return True
    except sqlite3.Error:
        return False


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether another connection is in the way, so that the same may succeed later."""
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def open_snapshot(database: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection in a read transaction, so that all reads are of one moment, also while the bot plays."""
    uri = f"{database.resolve().as_uri()}?mode=rw"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT)) as connection:
        connection.execute("PRAGMA query_only=ON")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master")
        yield connection


@contextmanager
def open_unchanged(file: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection to a file that nobody changes. It writes nothing, not beside the file either."""
    # A log beside the file holds some of its pages.
    beside = any(file.with_name(file.name + end).exists() for end in COMPANIONS)
    uri = f"{file.resolve().as_uri()}?{'mode=ro' if beside else 'immutable=1'}"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT)) as connection:
        yield connection


def size_of(connection: sqlite3.Connection) -> int:
    """Return the bytes that the database takes as a single file."""
    (pages,), (page,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    return int(pages) * int(page)
