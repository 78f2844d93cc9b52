"""The check for a pooler, such as PgBouncer, between the bot and PostgreSQL."""

from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from bot.cli.checks.findings import Finding, bad, ok, remark
from bot.store.database import Database

_BACKEND = text(
    """
    SELECT pg_backend_pid() AS pid,
           current_setting('lock_timeout') <> '0' AND current_setting('idle_in_transaction_session_timeout') <> '0'
               AS limited
    """
)
_STATEMENT_ELSEWHERE = ("26000", "42P05")
"""The codes for a prepared statement that is missing, or that another process has prepared already."""


async def check_pooler(database: Database) -> Finding | None:
    """Look for a pooler between the bot and PostgreSQL, such as PgBouncer; None without one.

    A pooler does not give a connection the number of PostgreSQL's process. In transaction mode two connections can have
    the same process one after the other, and one connection has several.
    """
    try:
        async with database.reading() as first, database.reading() as second:
            looks = [await connection.run_sync(_look_at_backend) for connection in (first, second, first, second)]
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) not in _STATEMENT_ELSEWHERE:
            raise
        looks = []
    if looks and all(given == pid for given, pid, _limited in looks):
        return None
    pids = [pid for _given, pid, _limited in looks]
    if pids[:2] != pids[2:] or len(set(pids)) != 2:
        return bad(
            "the pooler between the bot and the database changes connections after a transaction, and the bot needs"
            " its own: use pool_mode = session, or connect to PostgreSQL itself (docs/scaling.md)"
        )
    if not all(limited for _given, _pid, limited in looks):
        return remark(
            "the pooler between the bot and the database drops lock_timeout and idle_in_transaction_session_timeout;"
            " set them for the database's user (docs/scaling.md)"
        )
    return ok("the pooler between the bot and the database leaves each connection as it is")


def _look_at_backend(connection: Connection) -> tuple[int, int, bool]:
    """Return the process that the connection was given, the process that answers, and whether waits are limited."""
    driver: Any = connection.connection.driver_connection
    return driver.get_server_pid(), *connection.execute(_BACKEND).one()
