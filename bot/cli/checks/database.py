"""The checks of the database: its schema, the file of a SQLite database, and the clock of a PostgreSQL server."""

import os
import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, text

from bot.cli.checks.findings import Finding, bad, ok, remark
from bot.cli.checks.pooler import check_pooler
from bot.cli.common import CANNOT_START, open_database, reason_of, url_of
from bot.config import Settings
from bot.store.backup import backup_folder, list_backups
from bot.store.errors import DatabaseError
from bot.store.schema import SchemaState, load_schema_state
from bot.store.sqlite_file import WAL_RESET_FIXED, has_wal_reset_bug, is_in_use

OFF = timedelta(seconds=2)
"""A larger difference of clocks is worth knowing: leases last some ten seconds of a process's own clock."""
FAR_OFF = timedelta(seconds=20)
"""The difference of clocks beyond which two processes could do the same work."""
ASKED = 3
"""The number of times the server's time is asked for; the quickest answer is the most exact."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OLD = timedelta(days=7)
"""The age from which the newest backup is worth a remark."""


async def check_database(settings: Settings) -> list[Finding]:
    findings: list[Finding] = []
    try:
        url = url_of(settings)
        shared = url.get_backend_name() == "postgresql"
        if not shared:
            findings, exists = examine_file(Path(url.database or ""))
            if not exists:
                return findings
    except (DatabaseError, OSError) as error:
        return [bad(f"the database: {reason_of(error)}")]
    try:
        async with open_database(url) as opened:
            pooler = await check_pooler(opened) if shared else None
            if pooler is not None:
                findings.append(pooler)
                if pooler.kind == "BAD":
                    return findings
            state = await load_schema_state(opened)
            findings += await opened.read(_examine_server if shared else _examine_pages)
            return [*findings, _check_schema(state)]
    except CANNOT_START as error:
        return [*findings, bad(f"the database cannot be read: {reason_of(error)}")]


def _examine_server(connection: Connection) -> list[Finding]:
    version = connection.scalar(text("SHOW server_version"))
    return [ok(f"PostgreSQL {version} answers"), _check_clock(connection)]


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


def _examine_pages(connection: Connection) -> list[Finding]:
    result = str(connection.exec_driver_sql("PRAGMA quick_check").scalar())
    return [(ok if result == "ok" else bad)(f"the database can be read: {result}")]


def _check_schema(state: SchemaState) -> Finding:
    if state.up_to_date:
        return ok(f"the database has schema {state.current}")
    if state.known:
        return ok(f"the database has schema {state.current or 'nothing'}; run brings it to {state.wanted}")
    return bad(f"the database was made by a newer version of this bot (schema {state.current})")


def examine_file(database: Path) -> tuple[list[Finding], bool]:
    """Check everything about the file that needs no connection to it; return the findings, and whether it exists."""
    if not database.exists():
        return [_check_version(), _check_missing(database)], False
    used = [ok("the database is open in another process: the bot runs, or a command")] if is_in_use(database) else []
    return [_check_version(), *used, *_check_rights(database), _check_backups(database)], True


def _check_missing(database: Path) -> Finding:
    folder = next(parent for parent in database.absolute().parents if parent.exists())
    if os.access(folder, os.W_OK | os.X_OK):
        return ok(f"there is no database at {database} yet; run makes it")
    return bad(f"there is no database at {database}, and none can be made: {folder} is not writable")


def _check_version() -> Finding:
    version = f"SQLite {sqlite3.sqlite_version}"
    if not has_wal_reset_bug():
        return ok(version)
    fixed = ".".join(map(str, WAL_RESET_FIXED))
    return remark(
        f"{version} can lose moves when two programs write to the database at the same moment (fixed in {fixed});"
        " the bot and its commands avoid that, so let no other program write to it while the bot runs"
    )


def _check_rights(database: Path) -> list[Finding]:
    paths = (database, database.absolute().parent)
    findings = [bad(f"{path} is not writable for this user") for path in paths if not os.access(path, os.W_OK)]
    return [*findings, *open_to_others(database, "the database")]


def open_to_others(file: Path, what: str) -> list[Finding]:
    """Find out if others on this machine can read a file. A folder that nobody else may enter protects it, too."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if os.name != "posix" or not mode & OTHERS or not file.absolute().parent.stat().st_mode & OTHERS:
        return []
    return [remark(f"others on this machine can read {what} (mode {mode:o}): chmod 600 {file}")]


def _check_backups(database: Path) -> Finding:
    folder = backup_folder(database)
    files = list_backups(folder, database)
    if not files:
        return remark(f"there is no backup in {folder}; highscore-bot backup makes one while the bot plays")
    made = datetime.fromtimestamp(files[-1].stat().st_mtime, UTC)
    found = f"{len(files)} backups in {folder}, the last of {made:%Y-%m-%d %H:%M} UTC"
    return remark(f"{found}: that is long ago") if datetime.now(UTC) - made > OLD else ok(found)
