"""Connections and transactions.

SQLite is used in WAL mode with ``synchronous=FULL``: a committed move survives a power cut. There is one write
connection, so writers queue in the process (design: p99 39 ms instead of 533 ms with SQLite's own busy waiting), and
its transactions begin IMMEDIATE: a deferred one that reads first and writes later loses updates silently.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import URL, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry

Result = TypeVar("Result")

READERS = 2
"""Read connections kept open. Reads are short; more only helps a slow disk."""

_BUSY_MS = 5_000
"""How long to wait for another process (a backup, ``migrate``) that holds the file."""


class DatabaseError(Exception):
    """A database that cannot be used. The sentence says what to do."""


def parse_url(text: str) -> URL:
    """Read DATABASE_URL. Raises DatabaseError for what the bot cannot use; never repeats the URL, which is secret."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # SQLAlchemy lets a port that is no number through, with the text around it
        raise DatabaseError(
            "DATABASE_URL is not understood; write it like sqlite+aiosqlite:///data/highscore.sqlite3"
        ) from None
    if url.drivername not in ("sqlite", "sqlite+aiosqlite"):
        raise DatabaseError(
            f"DATABASE_URL names the database {url.drivername!r}; this version plays on sqlite+aiosqlite:///FILE"
        )
    if url.database in (None, "", ":memory:"):
        raise DatabaseError("DATABASE_URL names no file; games that live in memory would be lost at every restart")
    return url.set(drivername="sqlite+aiosqlite")


class Database:
    """One database for the life of the process. ``close`` when done."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self._writes: set[asyncio.Task[Any]] = set()
        self._turn = asyncio.Lock()
        self._write_connection: AsyncConnection | None = None
        self._reads = 0
        self._unread = asyncio.Event()
        self._unread.set()
        self._closed = False
        if url.database is not None:
            _check_file(Path(url.database))
        self._writer = self._engine(1)
        self._reader = self._engine(READERS)
        # Reading stays with aiosqlite's own: a leaderboard or a whole game's events may take a while.
        event.listen(self._writer.sync_engine, "do_connect", _choose_driver)
        event.listen(self._writer.sync_engine, "begin", _begin_immediate)

    def _engine(self, connections: int) -> AsyncEngine:
        engine = create_async_engine(
            self.url,
            poolclass=AsyncAdaptedQueuePool,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=60,
            # Errors are logged; the values of a statement have people's names and lucky words in them.
            hide_parameters=True,
            # SQLAlchemy's own reset would be one more round trip to the driver's thread for every transaction, and
            # there is nothing to reset: every transaction here is committed or rolled back by its context manager.
            pool_reset_on_return=None,
        )
        event.listen(engine.sync_engine, "connect", _configure)
        return engine

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; sees the last committed state."""
        self._check_open()
        self._reads += 1
        self._unread.clear()
        try:
            async with self._reader.connect() as connection:
                yield connection
        finally:
            self._reads -= 1
            if not self._reads:
                self._unread.set()

    async def write(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        """Run ``work`` in one write transaction and commit it, or roll everything back when it raises.

        The transaction goes on when the caller is cancelled: cancelling in the middle of a commit would leave it
        open whether it happened.
        """
        self._check_open()
        task = asyncio.create_task(self._transaction(work), name="write transaction")
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

    async def _transaction(self, work: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        # The one write connection stays open: taking it out of the pool and putting it back costs as much as a read.
        async with self._turn:
            if self._write_connection is None:
                self._write_connection = await self._writer.connect()
            async with self._write_connection.begin():
                return await work(self._write_connection)

    async def close(self) -> None:
        """Let what is in flight finish, then close the connections.

        A connection that is in use stays open: its thread, which is no daemon, would keep the program from ending.
        """
        while self._writes or self._reads:
            if self._writes:
                await asyncio.wait(self._writes)
            await self._unread.wait()
        self._closed = True
        if self._write_connection is not None:
            await self._write_connection.close()
        await self._reader.dispose()
        await self._writer.dispose()

    def _check_open(self) -> None:
        if self._closed:
            raise DatabaseError("the database is closed; the bot is stopping")


class _Driver(aiosqlite.Connection):
    """aiosqlite that hands to its thread only what may wait: for another process, or for the disk.

    For the write transactions, whose statements find their rows by key: each takes some microseconds, while the way to
    the thread and back, which aiosqlite takes four times a statement, takes some hundred (benchmarks/moves.py).
    Beginning waits for other processes' locks and committing for the disk, so these go there, and the event loop goes
    on meanwhile.
    """

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        begins = bool(args) and isinstance(args[0], str) and args[0].startswith("BEGIN")
        if begins or getattr(fn, "__name__", "") in ("commit", "rollback", "close"):
            return await super()._execute(fn, *args, **kwargs)  # type: ignore[no-untyped-call]
        if not self._running or self._connection is None:
            raise ValueError("Connection closed")
        return fn(*args, **kwargs)


def _choose_driver(_dialect: Any, _entry: Any, _args: Any, options: dict[str, Any]) -> None:
    options |= {"async_creator_fn": _open, "check_same_thread": False}


def _open(*args: Any, **options: Any) -> _Driver:
    driver = _Driver(partial(sqlite3.connect, *args, **options), iter_chunk_size=64)
    # As SQLAlchemy does with the connections it opens by itself.
    driver._thread.daemon = True
    return driver


def _check_file(path: Path) -> None:
    """Raise DatabaseError for a file that cannot be opened; otherwise it is there afterwards, perhaps empty.

    aiosqlite would find out too, but its thread then writes a traceback when the event loop ends before it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        sqlite3.connect(path).close()
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be opened: {error}") from error


def _configure(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # The driver must not begin transactions by itself (it would begin them DEFERRED); _begin_immediate does.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={_BUSY_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
