"""highscore-bot doctor: lists the settings, what works, and what is missing."""

import asyncio
import logging
import os
import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
import discord
from pydantic import SecretStr
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from bot.cli.common import CANNOT_START, load_settings, open_database, reason_of, url_of
from bot.cli.run import WHERE_TOKENS_ARE
from bot.config import Settings
from bot.discord_api.errors import DISCORD_ERRORS, make_tracing
from bot.discord_api.permissions import FOR_EVENTS, invite_link, missing_permissions, permission_names
from bot.observing.metrics import Metrics
from bot.store.backup import backup_folder, list_backups
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.schema import SchemaState, load_schema_state
from bot.store.sqlite import WAL_RESET_FIXED, has_wal_reset_bug, is_in_use
from bot.ui.text import GROUP
from bot.workers.commands import find_slash_commands, load_commands
from highscore.errors import DeckError

OFF = timedelta(seconds=2)
"""If the clocks of this machine and of the database differ by this much, the doctor says so."""
FAR_OFF = timedelta(seconds=20)
"""If they differ by more than this, it is an error. The shortest leases are 30 s, so two processes could do the
same work at the same time.
"""
ASKED = 3
"""The number of times that the database is asked for its time. The fastest answer is the most exact."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OLD = timedelta(days=7)
"""If the newest backup is older than this, the doctor says so."""
_BACKEND = text(
    """
    SELECT pg_backend_pid() AS pid,
           current_setting('lock_timeout') <> '0' AND current_setting('idle_in_transaction_session_timeout') <> '0'
               AS limited
    """
)
_STATEMENT_ELSEWHERE = ("26000", "42P05")
"""PostgreSQL's codes for a prepared statement that is missing, or that exists already."""
GUILDS_LOOKED_AT = 200
"""At most this many servers are checked, because one request lists no more."""


class Finding(NamedTuple):
    """A result of a check. NB: the operator should know something. BAD: they have to correct something."""

    kind: Literal["ok", "NB", "BAD"]
    text: str

    def __str__(self) -> str:
        return f"{self.kind:<3} {self.text}"


ok, remark, bad = partial(Finding, "ok"), partial(Finding, "NB"), partial(Finding, "BAD")


@click.command()
def doctor() -> None:
    """Check settings, deck, database, token, commands and permissions, and print the invite link.

    Changes nothing. Each line starts with ok, with BAD if you have to correct something, or with NB if you should know
    something.
    """
    # Without a handler, Python would print discord.py's warnings. The findings say the same.
    logging.getLogger("discord").addHandler(logging.NullHandler())
    findings = asyncio.run(_examine(load_settings()))
    for finding in findings:
        click.echo(str(finding))
    if any(finding.kind == "BAD" for finding in findings):
        raise SystemExit(1)


async def _examine(settings: Settings) -> list[Finding]:
    local = [*check_settings(settings), check_deck(settings)]
    return [*local, *await check_database(settings), *await check_discord(settings)]


def check_settings(settings: Settings) -> list[Finding]:
    """List every setting. Secret ones are listed without their values."""
    findings = []
    for name, value in settings:
        text = "(not shown)" if isinstance(value, SecretStr) else "(not set)" if value is None else str(value)
        findings.append(ok(f"{name.upper()} = {text}"))
    if (file := Path(str(settings.model_config["env_file"]))).exists():
        findings += open_to_others(file, "the settings, with what is secret in them")
    return findings


def check_deck(settings: Settings) -> Finding:
    try:
        loaded = settings.load_deck()
    except DeckError as error:
        return bad(f"the deck: {error}")
    return ok(f"the deck {loaded.name!r} has {len(loaded)} cards")


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
    """Check SQLite's version, the rights of the database's file, and its backups.

    Return the findings, and whether the file exists.
    """
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
    """Return a remark if other users of this machine have rights for a file. If they have none for its folder, the file
    is protected. Windows has other rights, so there is no remark.
    """
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


async def check_pooler(database: Database) -> Finding | None:
    """Detect a pooler between the bot and PostgreSQL, such as PgBouncer, and check its mode. Return None if there is no
    pooler.

    Without a pooler, the process id that a connection was given is that of the PostgreSQL process that answers it. A
    pooler in transaction mode lets a connection use several processes, and two connections the same process in turn.
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
    """Return the process id that the connection was given, the id of the process that answers, and whether the timeouts
    for waiting are set.
    """
    driver: Any = connection.connection.driver_connection
    return driver.get_server_pid(), *connection.execute(_BACKEND).one()


async def check_discord(settings: Settings) -> list[Finding]:
    """Check everything that needs the token. This sends requests, but opens no connection to the gateway."""
    if settings.discord_token is None:
        return [bad(f"there is no DISCORD_TOKEN. {WHERE_TOKENS_ARE}")]
    # A plain client, because the bot itself would register its commands and open the database. The client never
    # connects, but without the intent discord.py would log a warning.
    async with discord.Client(intents=discord.Intents(guilds=True), http_trace=make_tracing(Metrics())) as client:
        try:
            await client.login(settings.discord_token.get_secret_value())
            application = await client.application_info()
            answer = await client.http.get_guilds(limit=GUILDS_LOOKED_AT)
            guilds: list[dict[str, Any]] = [dict(guild) for guild in answer]
            commands = find_slash_commands(await load_commands(client))
        except discord.LoginFailure:
            return [bad(f"Discord does not accept the DISCORD_TOKEN. {WHERE_TOKENS_ARE}")]
        except DISCORD_ERRORS as error:
            return [bad(f"Discord cannot be asked: {reason_of(error)}")]
    findings = [ok(f"the token belongs to the application {application.name!r}")]
    if application.interactions_endpoint_url is not None:
        findings.append(
            bad(
                "the application has an Interactions Endpoint URL, so the bot never sees a click;"
                " remove it at https://discord.com/developers/applications"
            )
        )
    unregistered = remark(f"the command /{GROUP} is not registered; the bot registers it and logs what prevents that")
    findings.append(ok(f"the command /{GROUP} is registered") if GROUP in commands else unregistered)
    if application.user_integration_config is not None:
        findings.append(
            remark(
                "the application offers User Install, which adds nothing that can be used; leave only Guild Install"
                " ticked under Installation at https://discord.com/developers/applications"
            )
        )
    for guild in guilds:
        given, name = discord.Permissions(int(guild["permissions"])), repr(guild["name"])
        missing = permission_names(missing_permissions(given))
        lacks = bad(f"the server {name} does not give the bot {missing}")
        optional = permission_names(missing_permissions(given, FOR_EVENTS))
        without = f"; without {optional}, which is optional, cups have no events" if optional else ""
        findings.append(lacks if missing else ok(f"the server {name} gives the bot all it needs{without}"))
    return [*findings, ok(f"invite it with {invite_link(application.id)}")]
