"""What backup and restore share: the database's file, words for what was checked, and PostgreSQL's own tools."""

from __future__ import annotations

import shlex
import sqlite3
from pathlib import Path

from sqlalchemy import URL

from bot.cli.common import end
from bot.config import Settings
from bot.store.backup import Contents
from bot.store.database import DatabaseError, parse_url

CANNOT_COPY = (DatabaseError, OSError, sqlite3.Error)
"""What a person can set right: files, what is in them, and room for them."""
SAMPLE = 100
"""Games, the newest ones, whose moves are replayed unless all of them are to be."""
CHECK_ALL = f"Replay the moves of all games, not only of the {SAMPLE} newest ones."


def database_file(settings: Settings, tool: str) -> Path:
    """The database's file. Ends the program with PostgreSQL's own ``tool`` where it is none."""
    try:
        url = parse_url(settings.database_url.get_secret_value())
    except DatabaseError as error:
        end(f"{error}.")
    if url.get_backend_name() != "sqlite" or url.database is None:
        end(f"The database is on PostgreSQL, which has a tool of its own for that:\n{postgres_command(tool, url)}")
    return Path(url.database)


def postgres_command(tool: str, url: URL) -> str:
    """How pg_dump or pg_restore is called for this database. The password is left to ~/.pgpass or PGPASSWORD."""
    if tool == "pg_dump":
        words = [tool, "--format=custom", "--file=highscore.dump"]
    else:
        words = [tool, "--clean", "--if-exists", "--single-transaction"]
    for option, value in (("host", url.host), ("port", url.port), ("username", url.username)):
        if value:
            words.append(f"--{option}={value}")
    words.append(f"--dbname={url.database}")
    if tool != "pg_dump":
        words.append("highscore.dump")
    encrypted = url.query.get("ssl")
    return f"{'' if encrypted is None else f'PGSSLMODE={encrypted} '}{shlex.join(words)}"


def what_was_checked(found: Contents) -> str:
    """A clause about a file that was found to be whole."""
    looked = found.replays.games
    if looked == found.games:
        replayed = "the moves of all of them lead to their states"
    else:
        replayed = f"the moves of the {looked:,} newest lead to their states"
    return f"schema {found.schema.current}, {found.games:,} games; {replayed}"
