"""Running commands in this process, and what several tests of commands do with databases."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from bot.cli import main
from tests.discord import Discord

DATABASE = Path("data/highscore.sqlite3")
"""The path of the default settings."""


def invoke(*arguments: str, **settings: str) -> Result:
    """Run a command. It ends with an exit code, and never shows the secret that the tests use."""
    result = CliRunner().invoke(main, arguments, env=settings)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "hunter2" not in result.output
    return result


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond ``size`` bytes: as on a full disk, writing fails in the middle."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def refusal(result: Result, code: int = 2) -> str:
    """Return the standard error of a command that did nothing."""
    assert (result.exit_code, result.stdout) == (code, "")
    return result.stderr.rstrip("\n")


def requests_to(fake: Discord) -> list[str]:
    return [f"{call.method} {call.path}" for call in fake.calls]


def execute(file: Path, statement: str, *values: object) -> Any:
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(statement, values).fetchone()


def rows(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return sorted(connection.iterdump())


def damage(file: Path, name: str) -> None:
    """Overwrite the first page of a table or an index."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    with file.open("r+b") as opened:
        opened.seek(size * (root - 1))
        opened.write(b"\xff" * size)
