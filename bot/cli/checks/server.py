"""The checks of a PostgreSQL server: its version, its clock, its connections, and the bot's rights."""

import ipaddress
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from bot.cli.checks.findings import Finding, bad, ok, remark
from bot.store.database import Database
from bot.store.postgres import APPLICATION, READERS, WRITERS
from bot.store.schema import SchemaState

OFF = timedelta(seconds=2)
"""A larger difference of clocks is worth knowing: leases last some ten seconds of a process's own clock."""
FAR_OFF = timedelta(seconds=20)
"""The difference of clocks beyond which two processes could do the same work."""
ASKED = 3
"""The number of times the server's time is asked for; the quickest answer is the most exact."""
CONNECTIONS = READERS + WRITERS
"""The most connections that a process of the bot opens."""

_SERVER = text(
    """
    SELECT current_setting('server_version') AS version,
           current_setting('server_encoding') AS encoding,
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
           (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS most_of_role,
           (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS most_of_database,
           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
           (SELECT count(DISTINCT pid) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = :name AND pid <> pg_backend_pid()) AS ours,
           pg_is_in_recovery() AS standby,
           current_schema() AS schema,
           has_schema_privilege(current_schema(), 'CREATE') AS may_create,
           inet_server_addr() AS address,
           (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted
    """
).bindparams(name=APPLICATION)


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


def examine_server(connection: Connection, state: SchemaState) -> list[Finding]:
    row = dict(connection.execute(_SERVER).mappings().one())
    findings = [ok(f"PostgreSQL {row['version']} answers")]
    if row["encoding"] != "UTF8":
        findings.append(bad(f"the database is encoded as {row['encoding']}; it has to be UTF8"))
    if row["standby"]:
        findings.append(bad("the server is a standby, on which nothing can be written"))
    if row["schema"] is None:
        findings.append(bad("no schema of the database's search_path is there"))
    elif state.current is None and not row["may_create"]:
        grant = "GRANT CREATE ON SCHEMA ... TO ..."
        findings.append(bad(f"the user may make no tables in the schema {row['schema']!r}: {grant}"))
    if row["encrypted"] is False and row["address"] is not None and not _is_near(row["address"]):
        findings.append(remark("the connection to the database is not encrypted; add ?sslmode=require to DATABASE_URL"))
    return [*findings, _check_connections(row), _check_clock(connection)]


def _is_near(address: Any) -> bool:
    """Return whether an address is on this machine or in a private network."""
    return bool(ipaddress.ip_address(str(address).partition("/")[0]).is_private)


def _check_connections(row: dict[str, Any]) -> Finding:
    most = min(limit for limit in (row["most"], row["most_of_role"], row["most_of_database"]) if limit >= 0)
    text = f"{most} connections are allowed, {row['used']} are open there; a process of the bot takes {CONNECTIONS}"
    if most < CONNECTIONS:
        return bad(text)
    few = row["most"] - row["used"] + row["ours"] < CONNECTIONS
    return remark(f"{text}: few are left") if few else ok(text)


def _check_clock(connection: Connection) -> Finding:
    answers: list[tuple[timedelta, timedelta]] = []
    for _time in range(ASKED):
        before = datetime.now(UTC)
        server: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        took = datetime.now(UTC) - before
        answers.append((took, server - (before + took / 2)))
    _took, difference = min(answers)
    seconds = f"{abs(difference).total_seconds():.1f} s"
    if abs(difference) < OFF:
        return ok(f"the clocks of this machine and of the database agree to {seconds}")
    which = "ahead of" if difference > timedelta(0) else "behind"
    kind = bad if abs(difference) > FAR_OFF else remark
    return kind(f"the clock of the database is {seconds} {which} this machine's: set both by the network (NTP)")
