"""PostgreSQL: how its connections are opened, and which failures a transaction survives by being run again.

Several processes write at the same time here. Transactions are READ COMMITTED; what SQLite's single writer gives for
nothing, the row locks and the advisory locks of ``bot.store.locks`` give here.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.store.errors import DatabaseError

READERS = 5
WRITERS = 5
"""Connections of a process. A move holds one for about a millisecond; more only wait for each other's locks."""
CONNECT_SECONDS = 10.0
LOCK_SECONDS = 10
"""How long a statement waits for a row that another transaction holds, before it gives up."""
IDLE_SECONDS = 60
"""A transaction whose process has stopped in the middle of it is rolled back after so long, and its locks with it."""

APPLICATION = "highscore-bot"
"""By which a server's list of connections tells ours."""
SERIALIZATION_FAILURE = "40001"
DEADLOCK_DETECTED = "40P01"
"""https://www.postgresql.org/docs/current/errcodes-appendix.html: run the transaction again."""


def engines(url: URL, options: dict[str, Any]) -> tuple[AsyncEngine, AsyncEngine]:
    """One for reading, statement by statement, and one for transactions. Raises DatabaseError without the driver."""
    connecting = {
        "timeout": CONNECT_SECONDS,
        "server_settings": {
            "application_name": APPLICATION,
            "timezone": "UTC",
            # Compiling a query takes longer than any of ours runs.
            "jit": "off",
            "lock_timeout": f"{LOCK_SECONDS}s",
            "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
        },
    }
    options = {**options, "poolclass": AsyncAdaptedQueuePool, "max_overflow": 0, "connect_args": connecting}
    try:
        # A reader finds out that the server was restarted by asking first. A writer runs its transaction again.
        reader = create_async_engine(
            url, pool_size=READERS, pool_pre_ping=True, isolation_level="AUTOCOMMIT", **options
        )
        writer = create_async_engine(url, pool_size=WRITERS, isolation_level="READ COMMITTED", **options)
    except ModuleNotFoundError as error:
        raise DatabaseError(
            "DATABASE_URL names PostgreSQL, whose driver is not installed; pip install 'highscore-bot[postgres]'"
        ) from error
    return reader, writer


def passes(error: DBAPIError) -> bool:
    """Whether a transaction that failed in this way, before its commit, can succeed when it is run again."""
    if error.connection_invalidated:
        return True
    return getattr(error.orig, "sqlstate", None) in (SERIALIZATION_FAILURE, DEADLOCK_DETECTED)
