"""The parts that backup and restore share: the database's file, a clause about its contents, PostgreSQL's tools."""

import shlex
import sqlite3
from pathlib import Path

from sqlalchemy import URL

from bot.cli.common import CANNOT_START, end, url_of
from bot.config import Settings
from bot.store.backup import Contents
from bot.store.errors import DatabaseError

CANNOT_COPY = (*CANNOT_START, sqlite3.Error)
"""The errors that a person can set right: files, their contents, and free space."""
SAMPLE = 100
"""The number of newest games whose moves are replayed unless all of them are."""
CHECK_ALL = f"Replay the moves of all games, not only of the {SAMPLE} newest ones."


def find_database_file(settings: Settings, tool: str) -> Path:
    """Return the database's file; where there is none, end the program with the command of PostgreSQL's ``tool``."""
    try:
        url = url_of(settings)
    except DatabaseError as error:
        end(f"{error}.")
    if url.get_backend_name() != "sqlite" or url.database is None:
        end(f"The database is on PostgreSQL, which has a tool of its own for that:\n{make_postgres_command(tool, url)}")
    return Path(url.database)


def make_postgres_command(tool: str, url: URL) -> str:
    """Make the call of pg_dump or pg_restore for a database. The password is left to ~/.pgpass or PGPASSWORD."""
    dump = tool == "pg_dump"
    options = (
        ["--format=custom", "--file=highscore.dump"] if dump else ["--clean", "--if-exists", "--single-transaction"]
    )
    place = {"host": url.host, "port": url.port, "username": url.username, "dbname": url.database}
    options += [f"--{option}={value}" for option, value in place.items() if value]
    encrypted = url.query.get("ssl")
    call = shlex.join([tool, *options, *([] if dump else ["highscore.dump"])])
    return call if encrypted is None else f"PGSSLMODE={encrypted} {call}"


def describe_contents(contents: Contents) -> str:
    """Describe the contents of a sound file, in a clause."""
    checked = contents.replays.games
    which = "all of them" if checked == contents.games else f"{checked:,} of them"
    return f"schema {contents.schema.current}, {contents.games:,} games; the moves of {which} lead to their states"
