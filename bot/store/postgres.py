"""PostgreSQL: the settings of the connections, and the errors after which a transaction is repeated.

Several processes write at the same time, in READ COMMITTED transactions. Where SQLite needs only its single writer, the
code takes the row locks and advisory locks of ``bot.store.database``.
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
"""The numbers of connections of each process. A move uses one for about a millisecond. More connections would only wait
for each other's locks.
"""
CONNECT_SECONDS = 10.0
LOCK_SECONDS = 10
"""A statement fails if it waits this long for a row that another transaction has locked."""
IDLE_SECONDS = 60
"""PostgreSQL rolls back a transaction whose process has sent nothing for this long. This frees the locks of a process
that hangs.
"""

SILENT_SECONDS = 25
"""A connection is closed if the server has not answered TCP for this long."""

APPLICATION = "highscore-bot"
"""The name under which the server lists our connections."""
SERIALIZATION_FAILURE = "40001"
DEADLOCK_DETECTED = "40P01"
IDLE_IN_TRANSACTION = "25P03"
"""Error codes after which the transaction is repeated: https://www.postgresql.org/docs/current/errcodes-appendix.html
"""
SHUT_DOWN = "57P"
CONNECTION_FAILED = "08"
FULL = "53"
"""Prefixes of error codes, from the same page. The server is stopping or starting, the connection is lost, or the
server lacks resources, such as free connections.
"""


def make_engines(url: URL, options: dict[str, Any]) -> tuple[AsyncEngine, AsyncEngine]:
    """Return an engine for reading in autocommit mode, and one for write transactions.

    Raise DatabaseError if asyncpg is not installed.
    """
    connecting = {
        "timeout": CONNECT_SECONDS,
        "server_settings": {
            "application_name": APPLICATION,
            "timezone": "UTC",
            # For our short queries, compiling takes longer than running.
            "jit": "off",
            "lock_timeout": f"{LOCK_SECONDS}s",
            "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
        },
    }
    options = {**options, "poolclass": AsyncAdaptedQueuePool, "max_overflow": 0, "connect_args": connecting}
    try:
        # A reader tests its connection first, so it survives a restart of the server. A writer need not, because it
        # repeats a transaction whose connection was lost.
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
    """Return whether a transaction that failed before its commit may succeed when it is repeated."""
    if error.connection_invalidated:
        return True
    code = _code_of(error)
    passing = (SERIALIZATION_FAILURE, DEADLOCK_DETECTED, IDLE_IN_TRANSACTION)
    return code in passing or code.startswith((SHUT_DOWN, CONNECTION_FAILED))


def may_come_back(error: DBAPIError | OSError) -> bool:
    """Return whether connecting, which has failed with this error, may succeed later."""
    if isinstance(error, OSError) or error.connection_invalidated:
        return True
    return _code_of(error).startswith((SHUT_DOWN, CONNECTION_FAILED, FULL))


def _code_of(error: DBAPIError) -> str:
    return (isinstance(error.orig, AsyncAdapt_asyncpg_dbapi.Error) and error.orig.sqlstate) or ""


def _enable_keepalive(connection: DBAPIConnection, _entry: object) -> None:
    """Let the operating system notice that the server has vanished. Without this, a query would wait for its answer
    forever.
    """
    # asyncpg has no types, and no public way to get its socket.
    transport = getattr(connection.driver_connection, "_transport", None)
    opened = None if transport is None else transport.get_extra_info("socket")
    if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # Each system has only some of these options, so the type checker cannot know them.
    for name, value in (
        ("TCP_KEEPIDLE", SILENT_SECONDS - 15),
        ("TCP_KEEPINTVL", 5),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", SILENT_SECONDS * 1000),
    ):
        if (option := getattr(socket, name, None)) is not None:
            opened.setsockopt(socket.IPPROTO_TCP, option, value)
