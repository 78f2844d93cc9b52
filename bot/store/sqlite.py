"""SQLite: the settings of its connections, and the threads they run in.

WAL mode with ``synchronous=FULL``: a committed move survives a power cut. There is one write connection, so writers
queue in the process (design: p99 39 ms instead of 533 ms with SQLite's own busy waiting), and its transactions begin
IMMEDIATE: a deferred one that reads first and writes later loses updates silently.

The write connection of the bot alone checkpoints, always right after a commit of its own: SQLite before 3.51.3 can lose
commits if two connections do (https://sqlite.org/wal.html#walresetbug). Readers cannot write, and commands that may run
beside the bot leave checkpoints to it. The last connection to close the file checkpoints too, but under a lock that
excludes all others.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool

from bot.store.errors import DatabaseError
from bot.store.sqlite_file import is_busy, make_file

Result = TypeVar("Result")

READERS = 2
"""The read connections kept open. Reads are short; more only help a slow disk."""

DURABILITY = "synchronous=FULL"
"""The pragma by which a committed move survives a power cut."""
_BUSY_MS = 5_000
"""The time to wait for another process (a backup, ``migrate``) that holds the file."""
_WAL_RETRY_MS = 10
_NO_CHECKPOINTS = "wal_autocheckpoint=0"
_READING = (_NO_CHECKPOINTS, "query_only=ON")


class _Cursor(sqlite3.Cursor):
    def close(self) -> None:
        cast("_Connection", self.connection).left_open.discard(self)
        super().close()


class _Connection(sqlite3.Connection):
    """A connection that closes, in its own thread, the cursors that its users left open.

    A traceback, of a refused press for example, keeps such a cursor in the middle of a result. Until it is collected,
    in whatever thread that is, the connection goes on reading what was stored when that result began.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left_open: set[sqlite3.Cursor] = set()

    def cursor(self, factory: Any = _Cursor) -> Any:
        cursor = super().cursor(factory)
        self.left_open.add(cursor)
        return cursor

    def commit(self) -> None:
        self._close_cursors()
        super().commit()

    def rollback(self) -> None:
        self._close_cursors()
        super().rollback()

    def _close_cursors(self) -> None:
        for cursor in [*self.left_open]:
            cursor.close()


class _Own(threading.local):
    connection: Connection | None = None


class Threads:
    """Connections that stay open, each in a thread of its own, in which a whole piece of work is done.

    So there is one way to the thread and back; aiosqlite takes up to four for every statement, which takes longer than
    a read itself, and several times as long as a move.
    """

    def __init__(self, name: str, most: int, url: URL, options: dict[str, Any], *pragmas: str) -> None:
        # Another thread may close them; until then each is used by one alone.
        self.sync_engine = create_engine(url, poolclass=NullPool, connect_args={"check_same_thread": False}, **options)
        _configure_all(self.sync_engine, *pragmas)
        self._threads = ThreadPoolExecutor(most, name)
        self._own = _Own()
        self._open: list[Connection] = []

    def transact(self, work: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """Run ``work`` in a transaction and commit it, or roll back when it raises."""
        return self._in_thread(self._transact, work)

    async def dispose(self) -> None:
        """Let what is being done end, then close the connections."""
        await asyncio.to_thread(self._close)

    def break_off(self) -> None:
        """Drop what has not begun. The threads would do it at the end of the program, which waits for them."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _close(self) -> None:
        self._threads.shutdown()
        for connection in self._open:
            connection.close()

    def _in_thread(self, function: Callable[..., Result], *args: Any) -> asyncio.Future[Result]:
        return asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, function, *args)

    def _transact(self, work: Callable[[Connection], Result]) -> Result:
        connection = self._connection()
        with connection.begin():
            return work(connection)

    def _connection(self) -> Connection:
        # It stays open: taking it out of a pool and putting it back costs as much as a read.
        if self._own.connection is None:
            self._own.connection = self.sync_engine.connect()
            self._open.append(self._own.connection)
        return self._own.connection


class Writer(Threads):
    """The write connection. Whole transactions run in its thread, one after the other."""

    def __init__(self, url: URL, options: dict[str, Any], *pragmas: str) -> None:
        super().__init__("writer", 1, url.set(drivername="sqlite+immediate"), options, *pragmas)

    def truncate_log(self) -> asyncio.Future[bool]:
        """Empty the write-ahead log, which still has deleted rows. Give False if a reader was in the way."""
        return self._in_thread(self._truncate_log)

    def _truncate_log(self) -> bool:
        if not self._open:
            return True
        driver: Any = self._connection().connection.driver_connection
        # Waiting for readers would keep the next writer waiting too.
        driver.execute("PRAGMA busy_timeout=0")
        ((busy, *_pages),) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        driver.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        return not busy


def open_file(url: URL, options: dict[str, Any], *, checkpoints: bool) -> tuple[AsyncEngine, Threads, Writer]:
    """Return an engine for single reading statements, the threads of readers, and the writer. Raise DatabaseError."""
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
    """Make the file if there is none. Raise DatabaseError if it cannot be opened.

    aiosqlite would find out too, but its thread then writes a traceback when the event loop ends before it.
    """
    make_file(path)
    try:
        sqlite3.connect(path).close()
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be opened: {error}") from error


def _configure(connection: DBAPIConnection, pragmas: Sequence[str]) -> None:
    # The driver must not begin transactions by itself: it would begin them DEFERRED.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
    _use_log(cursor)
    for pragma in (DURABILITY, "foreign_keys=ON", "secure_delete=ON", *pragmas):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _use_log(cursor: DBAPICursor) -> None:
    """Put the file into WAL mode, in which it stays.

    If several processes do so at once with a new file, SQLite refuses all but one without waiting: each has read it and
    wants to write. A moment later they find it done.
    """
    for tries_left in reversed(range(_BUSY_MS // _WAL_RETRY_MS)):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not tries_left or not is_busy(error):
                raise
            time.sleep(_WAL_RETRY_MS / 1000)
        else:
            return


class _Immediate(SQLiteDialect_pysqlite):
    """SQLite whose transactions begin IMMEDIATE. A listener would do, by a statement that takes as long as a read."""

    supports_statement_cache = True

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.execute("BEGIN IMMEDIATE")


registry.register("sqlite.immediate", __name__, _Immediate.__name__)
