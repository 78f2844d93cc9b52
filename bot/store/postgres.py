"""PostgreSQL: the settings of its connections, and the failures after which a transaction is run again.

Several processes write at the same time here. Transactions are READ COMMITTED; the row locks and the advisory locks of
``bot.store.database`` give what SQLite's single writer gives for nothing.
"""

import socket
from typing import Any

from sqlalchemy import URL, event
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_dbapi
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.store.errors import DatabaseError

READERS = 5
WRITERS = 5
"""The connections of a process. A move holds one for about a millisecond; more only wait for each other's locks."""
CONNECT_SECONDS = 10.0
LOCK_SECONDS = 10
"""The time after which a statement stops waiting for a row that another transaction holds."""
IDLE_SECONDS = 60
"""The time after which a transaction whose process has stopped in the middle is rolled back, with its locks."""

SILENT_SECONDS = 25
"""The time after which a server that has vanished without a word is given up."""

APPLICATION = "highscore-bot"
"""The name of our connections in a server's list."""
SERIALIZATION_FAILURE = "40001"
DEADLOCK_DETECTED = "40P01"
IDLE_IN_TRANSACTION = "25P03"
"""Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html: run the transaction again."""
SHUT_DOWN = "57P"
CONNECTION_FAILED = "08"
FULL = "53"
"""The beginnings of codes, same page: the server stops, starts, has lost the connection, or takes no more of them."""


def make_engines(url: URL, options: dict[str, Any]) -> tuple[AsyncEngine, AsyncEngine]:
    """Return an engine for single reading statements and one for transactions. Raise DatabaseError without a driver."""
    connecting = {
        "timeout": CONNECT_SECONDS,
        "server_settings": {
            "application_name": APPLICATION,
            "timezone": "UTC",
            # Compiling a query takes longer than running any of ours.
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
        for engine in (reader, writer):
            event.listen(engine.sync_engine, "connect", _enable_keepalive)
    except ModuleNotFoundError as error:
        raise DatabaseError(
            "DATABASE_URL names PostgreSQL, whose driver is not installed; pip install 'highscore-bot[postgres]'"
        ) from error
    return reader, writer


def may_succeed_again(error: DBAPIError) -> bool:
    """Return whether a transaction that failed like this, before its commit, may succeed in another try."""
    if error.connection_invalidated:
        return True
    code = _code_of(error)
    passing = (SERIALIZATION_FAILURE, DEADLOCK_DETECTED, IDLE_IN_TRANSACTION)
    return code in passing or code.startswith((SHUT_DOWN, CONNECTION_FAILED))


def may_come_back(error: DBAPIError | OSError) -> bool:
    """Return whether a server that could not be reached, with this error, may be there a moment later."""
    if isinstance(error, OSError) or error.connection_invalidated:
        return True
    return _code_of(error).startswith((SHUT_DOWN, CONNECTION_FAILED, FULL))


def _code_of(error: DBAPIError) -> str:
    return (isinstance(error.orig, AsyncAdapt_asyncpg_dbapi.Error) and error.orig.sqlstate) or ""


def _enable_keepalive(connection: DBAPIConnection, _entry: object) -> None:
    """Let the system notice that the server has vanished; nothing else ends the wait for an answer then."""
    # asyncpg has neither types nor a public way to its socket.
    transport = getattr(connection.driver_connection, "_transport", None)
    opened = None if transport is None else transport.get_extra_info("socket")
    if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # No system has all of them, so the type checker cannot know them.
    for name, value in (
        ("TCP_KEEPIDLE", SILENT_SECONDS - 15),
        ("TCP_KEEPINTVL", 5),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", SILENT_SECONDS * 1000),
    ):
        if (option := getattr(socket, name, None)) is not None:
            opened.setsockopt(socket.IPPROTO_TCP, option, value)
