"""Backups of a SQLite database: made while the bot runs, checked, pruned and restored.

A backup is made with SQLite's backup API in one read transaction. So it is consistent, and neither waits for writers
nor makes them wait. It is restored with the same API *into* the existing database file, not by replacing the file.
Restoring is one transaction: a kill or a full disk undoes it, and no running process is left with a deleted file.
"""

import json
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, create_engine, func, inspect, select
from sqlalchemy.pool import NullPool

from bot.store import sqlite
from bot.store.errors import DatabaseError
from bot.store.models import IS_OPEN, events, games, seats
from bot.store.rows import events_from_lines
from bot.store.schema import SchemaState, check_objects, load_state
from highscore.events import Remarked
from highscore.game import replay_events
from highscore.notation import decode_game
from highscore.turn_order import TurnOrder

Result = TypeVar("Result")

PARTIAL = ".partial"
"""The end of the names of unfinished backups."""
ABANDONED_AFTER_SECONDS = 3600.0
"""An unfinished backup that is older than this belongs to a program that was killed."""
_TIME = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Contents:
    schema: SchemaState
    games: int
    wrong: list[str]
    """The ids of open games whose events do not lead to their stored state."""


# ------------------------------------------------------------------------------------------------------------- names


def backup_folder(database: Path) -> Path:
    return database.parent / "backups"


def backup_name(database: Path, now: datetime) -> str:
    """Return the name of a backup. It contains the database's name and the time in UTC, so names sort by age."""
    return f"{database.stem}-{now:{_TIME}}.sqlite3"


def list_backups(folder: Path, database: Path) -> list[Path]:
    """Return the backups in a folder that were made of a database with this name, oldest first."""
    ours = re.compile(rf"{re.escape(database.stem)}-\d{{8}}T\d{{6}}Z\.sqlite3")
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if ours.fullmatch(file.name) and file.is_file())


def prune_backups(folder: Path, database: Path, keep: int) -> list[Path]:
    """Delete all backups except the ``keep`` newest, and return them. Delete unfinished ones of killed programs too."""
    surplus = list_backups(folder, database)[: -keep or None]
    for file in surplus:
        file.unlink()
    for file in folder.glob(f".{database.stem}-*{PARTIAL}*"):
        if time.time() - file.stat().st_mtime > ABANDONED_AFTER_SECONDS:
            file.unlink(missing_ok=True)
    return surplus


# ---------------------------------------------------------------------------------------------------------- checking


def examine_backup(file: Path, *, to_restore: bool = False) -> Contents:
    """Check all pages of a file that no program changes, and replay its open games.

    With ``to_restore``, also check that the migrations have created everything in the schema, so that no trigger gets
    into the bot's database. Raise DatabaseError if the file is damaged or is not a database of this bot.
    """
    with sqlite.open_unchanged(file) as connection:
        _check_pages(connection, file.name)
        engine = create_engine("sqlite://", creator=lambda: connection, poolclass=NullPool)
        with engine.connect() as looking:
            if to_restore:
                check_objects(looking)
            schema = load_state(looking)
            if schema.current is None or not inspect(looking).has_table(games.name):
                raise DatabaseError(f"{file.name} is not a database of this bot")
            number = looking.scalar(select(func.count()).select_from(games)) or 0
            return Contents(schema, number, find_wrong_games(looking))


def _check_pages(connection: sqlite3.Connection, name: str) -> None:
    """Raise DatabaseError if SQLite finds pages, indexes or foreign keys that do not fit together."""
    try:
        problems = [str(first) for first, *_ in connection.execute("PRAGMA integrity_check(1)")]
        orphan = connection.execute("PRAGMA foreign_key_check").fetchone() if problems == ["ok"] else None
    except sqlite3.Error as error:
        if sqlite.is_busy(error):
            raise
        raise DatabaseError(f"{name}: {error}") from error
    if problems != ["ok"]:
        raise DatabaseError(f"{name} is damaged: {' '.join(' '.join(problems).split())}")
    if orphan is not None:
        raise DatabaseError(f"{name} is damaged: a row of {orphan[0]} refers to a row that does not exist")


# ------------------------------------------------------------------------------------------------------ there and back


def back_up(database: Path, file: Path, *, replace: bool = False) -> Contents:
    """Copy a database with ``write_copy``, even while a bot is using it.

    Raise the errors of ``write_copy``. Raise DatabaseError also if there is no database, if ``file`` is the database
    itself, or if the copy is damaged.
    """
    if not database.is_file():
        raise DatabaseError(f"there is no database at {database}")
    if file.exists() and file.samefile(database):
        raise DatabaseError(f"{file} is the database itself")
    with sqlite.open_snapshot(database) as source:
        return write_copy(source, file, examine_backup, replace=replace)


def write_copy(
    source: sqlite3.Connection, file: Path, check: Callable[[Path], Result], *, replace: bool = False
) -> Result:
    """Write a database to a new file, which appears only when it is complete, checked and flushed to the disk.

    Return the result of ``check``, which raises if the copy should be discarded. Raise DatabaseError if the folder does
    not exist. Raise DatabaseError if the file exists, unless ``replace``. Raise sqlite3.Error or OSError if it cannot
    be written.
    """
    if not file.parent.is_dir():
        raise DatabaseError(f"the folder {file.parent} does not exist")
    if file.exists() and not replace:
        raise DatabaseError(f"{file} already exists")
    partial = file.with_name(f".{file.name}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, sqlite.FILE_MODE))
        with closing(sqlite3.connect(partial, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous=OFF")  # The file is flushed once, below.
            source.backup(target)
            # This makes the copy a single file without a write-ahead log.
            target.execute("PRAGMA journal_mode=DELETE")
        checked = check(partial)
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        partial.replace(file)
        _flush_folder(file.parent)
    finally:
        for end in ("", *sqlite.COMPANIONS):
            partial.with_name(partial.name + end).unlink(missing_ok=True)
    return checked


def _flush_folder(folder: Path) -> None:
    """Make sure that the file's new name is on the disk."""
    # Windows cannot open a folder, and flushes the name by itself. Some network drives cannot flush folders.
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def restore_backup(file: Path, database: Path, previous: Path) -> bool:
    """Replace the contents of a database with those of a checked backup. Save the old contents in ``previous``.

    Return whether there were old contents. Raise InUse if another process has the database open. Raise DatabaseError,
    sqlite3.Error or OSError if something else prevents the restore. After an error or a kill, the database is as it was
    before. There is one exception: if the new contents turn out to be damaged on the disk, they stay, and the old
    contents are in ``previous``.
    """
    if database.exists() and file.samefile(database):
        raise DatabaseError(f"{file} is the database itself")
    sqlite.make_file(database)
    try:
        with sqlite.open_exclusively(database) as target, sqlite.open_unchanged(file) as source:
            return _replace(target, source, database, previous)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_NOTADB:
            raise
        raise DatabaseError(
            f"{database} cannot be opened: {error}. Move it away, together with {database.name}-wal and"
            f" {database.name}-shm if they exist, and try again"
        ) from error


def _replace(target: sqlite3.Connection, source: sqlite3.Connection, database: Path, previous: Path) -> bool:
    kept: bool = target.execute("PRAGMA page_count").fetchone() != (0,)
    if kept:
        write_copy(target, previous, lambda _copy: None)
    try:
        target.execute("PRAGMA journal_mode=WAL")
        target.execute("PRAGMA synchronous=FULL")
        source.backup(target)
    except BaseException:
        # The transaction is rolled back, so the database still has its old contents.
        if kept:
            previous.unlink(missing_ok=True)
        raise
    _check_pages(target, database.name)
    return kept


def previous_name(database: Path, now: datetime) -> str:
    """Return the name of the file in which a restore saves the old contents."""
    return f"{database.name}.before-restore-{now:{_TIME}}"


def find_wrong_games(connection: Connection) -> list[str]:
    """Return the ids of open games whose events do not lead to their stored state."""
    players = select(func.count()).where(seats.c.game_id == games.c.id).scalar_subquery()
    stored = select(games.c.id, players, games.c.turn_order, games.c.state).where(IS_OPEN).order_by(games.c.id)
    wrong = []
    for game_id, *state in connection.execute(stored).all():
        log = select(events.c.lines).where(events.c.game_id == game_id).order_by(events.c.seq)
        try:
            leads_there = _leads_to(connection.scalars(log).all(), *state)
        # These are raised for events that cannot be read or applied (HighScoreError), and for broken or too deeply
        # nested JSON.
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
            leads_there = False
        wrong += [] if leads_there else [game_id]
    return wrong


def _leads_to(log: Iterable[str], players: int, order: str, state: str | None) -> bool:
    if state is None:  # a lobby
        return all(isinstance(event, Remarked) for event in events_from_lines(log))
    return replay_events(players, TurnOrder(order), events_from_lines(log)) == decode_game(json.loads(state))
