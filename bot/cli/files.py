"""What backup and restore share: the database's file, a clause about its contents, and PostgreSQL's own tools."""

import shlex
import sqlite3
from pathlib import Path

from sqlalchemy import URL

from bot.cli.common import CANNOT_START, database_url, end
from bot.config import Settings
from bot.store.backup import Contents
from bot.store.errors import DatabaseError

CANNOT_COPY = (*CANNOT_START, sqlite3.Error)
"""Errors that a person can set right: files, their contents, and free space."""
SAMPLE = 100
"""Games, the newest ones, whose moves are replayed unless all of them are to be."""
CHECK_ALL = f"Replay the moves of all games, not only of the {SAMPLE} newest ones."


def database_file(settings: Settings, tool: str) -> Path:
    """The database's file. Ends the program with the command of PostgreSQL's ``tool`` where there is none."""
    try:
        url = database_url(settings)
    except DatabaseError as error:
        end(f"{error}.")
    if url.get_backend_name() != "sqlite" or url.database is None:
        end(f"The database is on PostgreSQL, which has a tool of its own for that:\n{postgres_command(tool, url)}")
    return Path(url.database)


def postgres_command(tool: str, url: URL) -> str:
    """The call of pg_dump or pg_restore for this database. The password is left to ~/.pgpass or PGPASSWORD."""
    dump = tool == "pg_dump"
    options = (
        ["--format=custom", "--file=highscore.dump"] if dump else ["--clean", "--if-exists", "--single-transaction"]
    )
    place = {"host": url.host, "port": url.port, "username": url.username, "dbname": url.database}
    options += [f"--{option}={value}" for option, value in place.items() if value]
    encrypted = url.query.get("ssl")
    call = shlex.join([tool, *options, *([] if dump else ["highscore.dump"])])
    return call if encrypted is None else f"PGSSLMODE={encrypted} {call}"


def what_was_checked(contents: Contents) -> str:
    """A clause about the contents of a file in which nothing is wrong."""
    checked = contents.replays.games
    which = "all of them" if checked == contents.games else f"{checked:,} of them"
    return f"schema {contents.schema.current}, {contents.games:,} games; the moves of {which} lead to their states"
