"""Database files that somebody has open, and SQLite versions that are old."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import schema, sqlite
from tests.bot.databases import open_database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games ?#.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE notes (content TEXT)")
    return path


def test_a_sqlite_with_the_bug_is_known_by_its_version() -> None:
    buggy = ((3, 40, 1), (3, 44, 5), (3, 45, 0), (3, 50, 6), (3, 51, 0), (3, 51, 2))
    sound = ((3, 44, 6), (3, 50, 7), (3, 51, 3), (3, 53, 0), (4, 0, 0))
    assert [version for version in (*buggy, *sound) if sqlite.has_wal_reset_bug(version)] == [*buggy]


def test_nobody_uses_a_file_that_is_closed_or_not_there_or_no_database(file: Path, tmp_path: Path) -> None:
    assert not sqlite.is_in_use(file)
    assert not sqlite.is_in_use(tmp_path / "nothing")
    assert not sqlite.is_in_use(tmp_path)
    (tmp_path / "empty").touch()
    assert not sqlite.is_in_use(tmp_path / "empty")
    (tmp_path / "other").write_bytes(b"by something else " * 100)
    assert not sqlite.is_in_use(tmp_path / "other")
    assert {found.name for found in tmp_path.iterdir()} == {file.name, "empty", "other"}


async def test_a_bot_that_does_nothing_at_the_moment_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with open_database(f"sqlite:///{path}") as database:
        await schema.migrate_database(database)
        assert sqlite.is_in_use(path)
    assert not sqlite.is_in_use(path)


def test_another_process_is_noticed_and_its_death_too(file: Path) -> None:
    program = "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('select * from notes'); print(1); input()"
    with subprocess.Popen(
        [sys.executable, "-uc", program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        assert sqlite.is_in_use(file)
        other.kill()
    assert not sqlite.is_in_use(file)


def test_whoever_is_alone_keeps_everybody_else_out(file: Path) -> None:
    with sqlite.open_exclusively(file) as connection:
        connection.execute("INSERT INTO notes VALUES ('mine')")
        assert sqlite.is_in_use(file)
        with (
            closing(sqlite3.connect(file, timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("SELECT * FROM notes")
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT * FROM notes").fetchall() == [("mine",)]


def test_what_is_still_in_the_log_belongs_to_a_file(file: Path) -> None:
    """A copy of all files of a database that is in use, as somebody might make it who knows them."""
    with closing(sqlite3.connect(file)) as connection:
        with connection:
            connection.execute("INSERT INTO notes VALUES ('in the log')")
        copied = file.with_name("copy.sqlite3")
        for end in ("", "-wal"):
            copied.with_name(copied.name + end).write_bytes(file.with_name(file.name + end).read_bytes())
    with sqlite.open_unchanged(copied) as looking:
        assert looking.execute("SELECT content FROM notes").fetchall() == [("in the log",)]
