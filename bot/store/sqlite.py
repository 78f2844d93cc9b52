"""SQLite: how its connections are opened and configured.

WAL mode with ``synchronous=FULL``: a committed move survives a power cut. There is one write connection, so writers
queue in the process (design: p99 39 ms instead of 533 ms with SQLite's own busy waiting), and its transactions begin
IMMEDIATE: a deferred one that reads first and writes later loses updates silently.

The write connection of the bot alone checkpoints, always right after a commit of its own: SQLite before 3.51.3 can lose
commits where two connections do (https://sqlite.org/wal.html#walresetbug). Readers cannot write, and commands that may
run beside the bot leave checkpoints to it. Whoever is the last to close the file checkpoints too, but under a lock that
keeps everybody else out.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite
from sqlalchemy import URL, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.store.errors import DatabaseError
from bot.store.sqlite_file import make_file

READERS = 2
"""Read connections kept open. Reads are short; more only helps a slow disk."""

IN_A_THREAD: ContextVar[bool] = ContextVar("in a thread", default=False)
"""Whether the statements of this transaction are many rows' worth."""
_BUSY_MS = 5_000
"""How long to wait for another process (a backup, ``migrate``) that holds the file."""
_NO_CHECKPOINTS = "wal_autocheckpoint=0"


def engines(url: URL, options: dict[str, Any], *, checkpoints: bool = True) -> tuple[AsyncEngine, AsyncEngine]:
    """One for reading and one, with a single connection, for writing. Raises DatabaseError for a file that is none.

    Without ``checkpoints`` they are left to another process, or to the moment when the file is closed.
    """
    if url.database is not None:
        _check_file(Path(url.database))
    reader = _engine(url, READERS, options, _NO_CHECKPOINTS, "query_only=ON")
    writer = _engine(url, 1, options, *(() if checkpoints else (_NO_CHECKPOINTS,)))
    # Reading stays with aiosqlite's own: a leaderboard or a whole game's events may take a while.
    event.listen(writer.sync_engine, "do_connect", _choose_driver)
    event.listen(writer.sync_engine, "begin", _begin_immediate)
    return reader, writer


def _engine(url: URL, connections: int, options: dict[str, Any], *pragmas: str) -> AsyncEngine:
    engine = create_async_engine(url, poolclass=AsyncAdaptedQueuePool, pool_size=connections, max_overflow=0, **options)
    event.listen(engine.sync_engine, "connect", lambda connection, _entry: _configure(connection, pragmas))
    return engine


class _Driver(aiosqlite.Connection):
    """aiosqlite that hands to its thread only what may wait: for another process, or for the disk.

    For the write transactions, whose statements find their rows by key: each takes some microseconds, while the way to
    the thread and back, which aiosqlite takes four times a statement, takes some hundred (benchmarks/moves.py).
    Beginning waits for other processes' locks and committing for the disk, so these go there, and the event loop goes
    on meanwhile. So do the statements of a transaction that changes many rows.
    """

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        begins = bool(args) and isinstance(args[0], str) and args[0].startswith("BEGIN")
        # Of the connection: closing a cursor, which SQLAlchemy does after every statement, waits for nothing.
        ends = getattr(fn, "__self__", None) is self._connection and fn.__name__ in ("commit", "rollback", "close")
        if begins or ends or IN_A_THREAD.get():
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
    make_file(path)
    try:
        sqlite3.connect(path).close()
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be opened: {error}") from error


def _configure(connection: DBAPIConnection, pragmas: Sequence[str]) -> None:
    # The driver must not begin transactions by itself (it would begin them DEFERRED); _begin_immediate does.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={_BUSY_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
        *pragmas,
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def truncate_log(connection: AsyncConnection) -> bool:
    """Empty the write-ahead log, in which what was deleted can still be read. Returns whether nobody was in the way."""
    driver: Any = (await connection.get_raw_connection()).driver_connection
    # Waiting for readers would keep the next writer waiting too.
    await driver.execute_fetchall("PRAGMA busy_timeout=0")
    ((busy, *_pages),) = await driver.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
    await driver.execute_fetchall(f"PRAGMA busy_timeout={_BUSY_MS}")
    return not busy


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
