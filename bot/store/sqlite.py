"""SQLite: the settings of the connections, and the threads in which they are used.

The file is in WAL mode with ``synchronous=FULL``, so a committed move survives a power cut. There is one write
connection, so writers queue inside the process. With SQLite's own waiting for a locked file, the 99th percentile of a
write was 533 ms instead of 39 ms. Write transactions begin with BEGIN IMMEDIATE. A deferred transaction that reads
first and writes later would fail, without waiting, if another one has written in between.

Only the bot's write connection makes checkpoints, right after its own commits. SQLite before 3.51.3 can lose commits if
two connections make checkpoints (https://sqlite.org/wal.html#walresetbug). Readers cannot write, and commands that may
run at the same time as the bot leave checkpoints to it. The last connection that closes the file also makes a
checkpoint, but under a lock that excludes all others.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool

from bot.store.errors import DatabaseError

WAIT_SECONDS = 5.0
"""The seconds to wait for another process that is using the file."""
COMPANIONS = ("-wal", "-shm", "-journal")
"""The endings of the files that SQLite creates next to a database in use."""

FILE_MODE = 0o600
"""The mode of database files. They contain names, lucky words and sealed seeds, so no other user of the machine may
read them.
"""
_FOLDER_MODE = 0o700

WAL_RESET_FIXED = (3, 51, 3)
_FIXED_EARLIER = ((3, 50, 7), (3, 44, 6))
"""Older release lines of SQLite that also have the fix."""


class InUse(DatabaseError):
    """Another process has the database open."""


def has_wal_reset_bug(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Return whether this SQLite can lose commits if two connections make checkpoints.

    The bot has only one such connection, so commits are lost only if another program writes to the file:
    https://sqlite.org/wal.html#walresetbug
    """
    return version < WAL_RESET_FIXED and not any(
        version[:2] == fixed[:2] and version >= fixed for fixed in _FIXED_EARLIER
    )


def make_folder(folder: Path) -> None:
    """Create a folder that only this user can enter, and its parents, unless they exist."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=_FOLDER_MODE, exist_ok=True)


def make_file(file: Path) -> None:
    """Create an empty file that only this user can read, unless it exists. SQLite gives its log the same mode."""
    make_folder(file.parent)
    if not file.exists():
        file.touch(mode=FILE_MODE)


@contextmanager
def open_exclusively(database: Path, wait: float = WAIT_SECONDS) -> Iterator[sqlite3.Connection]:
    """Yield the only connection to a database. Until it is closed, nobody else can read or write.

    Create an empty file if there is none. Raise InUse if another process still has the file open after ``wait``
    seconds, and sqlite3.Error if the file is not a database.
    """
    with closing(sqlite3.connect(database, isolation_level=None, timeout=wait)) as connection:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        try:
            # In exclusive mode the lock stays after the transaction has ended.
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            if is_busy(error):
                raise InUse(f"{database} is in use") from None
            raise
        yield connection


def is_in_use(database: Path) -> bool:
    """Return whether another process has this database open. A file that is missing, empty or unreadable is not in
    use.
    """
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
    """Return whether another connection caused the error, so that another try may succeed."""
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def open_snapshot(database: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection in a read transaction. All its reads see the same state, even while the bot plays."""
    uri = f"{database.resolve().as_uri()}?mode=rw"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT_SECONDS)) as connection:
        connection.execute("PRAGMA query_only=ON")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master")
        yield connection


@contextmanager
def open_unchanged(file: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection for reading a file that no program changes. SQLite creates no other files next to it, unless
    it has a write-ahead log.
    """
    # A write-ahead log contains some of the database's pages, so SQLite must read it too.
    has_log = any(file.with_name(file.name + end).exists() for end in COMPANIONS)
    uri = f"{file.resolve().as_uri()}?{'mode=ro' if has_log else 'immutable=1'}"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT_SECONDS)) as connection:
        yield connection


Result = TypeVar("Result")

READERS = 2
"""The number of read connections. Reads are short, so more connections would help only with a slow disk."""

DURABILITY = "synchronous=FULL"
"""With this pragma a committed move survives a power cut."""
_BUSY_MS = 5_000
"""The time to wait for another process (a backup, ``migrate``) that has locked the file."""
_NO_CHECKPOINTS = "wal_autocheckpoint=0"
_READING = (_NO_CHECKPOINTS, "query_only=ON")


class _Cursor(sqlite3.Cursor):
    def close(self) -> None:
        cast("_Connection", self.connection).left_open.discard(self)
        super().close()


class _Connection(sqlite3.Connection):
    """A connection that closes the cursors that its users left open when a transaction ends.

    A traceback, for example of a refused press, can refer to a cursor in the middle of its result. Until Python
    collects this cursor, perhaps in another thread, the connection would continue to read the state of the time at
    which the result began.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left_open: set[sqlite3.Cursor] = set()

    def cursor(self, factory: Any = _Cursor) -> Any:
        cursor = super().cursor(factory)
        self.left_open.add(cursor)
        return cursor

    def commit(self) -> None:
        for cursor in [*self.left_open]:
            cursor.close()
        super().commit()

    def rollback(self) -> None:
        for cursor in [*self.left_open]:
            cursor.close()
        super().rollback()


class _Own(threading.local):
    connection: Connection | None = None


class Threads:
    """Open connections, each in its own thread, in which whole transactions run.

    A transaction then switches threads once and back. aiosqlite switches up to four times for every statement, which
    takes longer than a read and several times as long as a move.
    """

    def __init__(self, name: str, most: int, url: URL, options: dict[str, Any], *pragmas: str) -> None:
        # Another thread may close the connections. Until then each is used by one thread only.
        self.sync_engine = create_engine(url, poolclass=NullPool, connect_args={"check_same_thread": False}, **options)
        _configure_all(self.sync_engine, *pragmas)
        self._threads = ThreadPoolExecutor(most, name)
        self._own = _Own()
        self._open: list[Connection] = []

    def transact(self, work: Callable[..., Result], *args: Any, **kwargs: Any) -> asyncio.Future[Result]:
        """Run ``work`` in a thread, commit what it has written, or roll it back if ``work`` raises.

        Only the writer's work is one transaction. For readers, each statement is one.
        """
        transact = partial(self._transact, work, *args, **kwargs)
        return asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, transact)

    async def dispose(self) -> None:
        """Wait for running and queued work, then close the connections."""
        await asyncio.to_thread(self._close)

    def break_off(self) -> None:
        """Drop work that has not begun. Otherwise the program would wait for it at its end."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _close(self) -> None:
        self._threads.shutdown()
        for connection in self._open:
            connection.close()

    def _transact(self, work: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
        connection = self._own.connection
        if connection is None:
            # The connection stays open, because fetching it from a pool and returning it costs as much as a read.
            connection = self._own.connection = self.sync_engine.connect()
            self._open.append(connection)
        with connection.begin():
            return work(connection, *args, **kwargs)


class Writer(Threads):
    """The write connection. Transactions run in its thread one after the other."""

    def __init__(self, url: URL, options: dict[str, Any], *pragmas: str) -> None:
        super().__init__("writer", 1, url.set(drivername="sqlite+immediate"), options, *pragmas)

    def truncate_log(self) -> asyncio.Future[bool]:
        """Empty the write-ahead log. The result is False if a reader prevented it."""
        return asyncio.get_running_loop().run_in_executor(self._threads, self._truncate_log)

    def _truncate_log(self) -> bool:
        if not self._open:
            return True
        driver: Any = self._open[0].connection.driver_connection
        # Waiting for readers would block the next writer too.
        driver.execute("PRAGMA busy_timeout=0")
        ((busy, *_pages),) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        driver.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        return not busy


def open_file(url: URL, options: dict[str, Any], *, checkpoints: bool) -> tuple[AsyncEngine, Threads, Writer]:
    """Return an engine for streaming reads, the threads of readers, and the writer. Raise DatabaseError if the file
    cannot be opened.
    """
    if url.database is not None:
        _check_file(Path(url.database))
    engine = create_async_engine(url, poolclass=AsyncAdaptedQueuePool, pool_size=READERS, max_overflow=0, **options)
    _configure_all(engine.sync_engine, *_READING)
    reader = Threads("reader", READERS, url.set(drivername="sqlite"), options, *_READING)
    return engine, reader, Writer(url, options, *(() if checkpoints else (_NO_CHECKPOINTS,)))


def _configure_all(engine: Engine, *pragmas: str) -> None:
    event.listen(engine, "do_connect", lambda _dialect, _entry, _args, options: options.update(factory=_Connection))
    event.listen(engine, "connect", lambda connection, _entry: _configure(connection, pragmas))


def _check_file(path: Path) -> None:
    """Create the file if there is none. Raise DatabaseError if it cannot be opened.

    aiosqlite would notice such a file too, but its thread prints a traceback if the event loop ends first.
    """
    make_file(path)
    try:
        sqlite3.connect(path).close()
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be opened: {error}") from error


def _configure(connection: DBAPIConnection, pragmas: Sequence[str]) -> None:
    # The driver must not begin transactions by itself. It would begin them only at the first write, after the reads.
    connection.isolation_level = None
    cursor = connection.cursor()
    # WAL mode is stored in the file.
    settings = (f"busy_timeout={_BUSY_MS}", "journal_mode=WAL", DURABILITY, "foreign_keys=ON", "secure_delete=ON")
    for pragma in (*settings, *pragmas):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class _Immediate(SQLiteDialect_pysqlite):
    """SQLite whose transactions begin with BEGIN IMMEDIATE. An event listener could execute this too, but through an
    extra SQLAlchemy statement, which takes as long as a read.
    """

    supports_statement_cache = True

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.execute("BEGIN IMMEDIATE")


registry.register("sqlite.immediate", __name__, _Immediate.__name__)
