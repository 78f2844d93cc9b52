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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool

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


Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

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

    def transact(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> asyncio.Future[Result]:
        """Run ``work`` with these arguments in a transaction and commit it, or roll back when it raises."""
        transact = partial(self._transact, work, *args, **kwargs)
        return asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, transact)

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

    def _transact(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        connection = self._own.connection
        if connection is None:
            # It stays open: taking it out of a pool and putting it back costs as much as a read.
            connection = self._own.connection = self.sync_engine.connect()
            self._open.append(connection)
        with connection.begin():
            return work(connection, *args, **kwargs)


class Writer(Threads):
    """The write connection. Whole transactions run in its thread, one after the other."""

    def __init__(self, url: URL, options: dict[str, Any], *pragmas: str) -> None:
        super().__init__("writer", 1, url.set(drivername="sqlite+immediate"), options, *pragmas)

    def truncate_log(self) -> asyncio.Future[bool]:
        """Empty the write-ahead log, which still has deleted rows. Give False if a reader was in the way."""
        return asyncio.get_running_loop().run_in_executor(self._threads, self._truncate_log)

    def _truncate_log(self) -> bool:
        if not self._open:
            return True
        driver: Any = self._open[0].connection.driver_connection
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
