"""highscore-bot migrate: from nothing, again, and what it does not touch."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from bot.store.models import metadata

DATABASE = Path("data/highscore.sqlite3")
HEAD = "0001"


def migrate(url: str | None = None) -> Result:
    return CliRunner().invoke(main, ["migrate"], env={} if url is None else {"DATABASE_URL": url})


def test_an_empty_database_gets_every_table() -> None:
    result = migrate()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"The database went from schema nothing to {HEAD}.\n"
    with closing(sqlite3.connect(DATABASE)) as connection:
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert found == {"alembic_version", *metadata.tables}
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]


def test_a_database_that_is_up_to_date_is_left_as_it_is() -> None:
    migrate()
    before = DATABASE.read_bytes()
    result = migrate()
    assert (result.exit_code, result.stdout) == (0, f"The database is at schema {HEAD} already.\n")
    assert DATABASE.read_bytes() == before


def test_a_database_of_a_newer_version_is_not_touched() -> None:
    migrate()
    with closing(sqlite3.connect(DATABASE)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = DATABASE.read_bytes()
    result = migrate()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "The database was not touched: the database was made by a newer version" in result.stderr
    assert result.stderr.count("\n") == 1
    assert DATABASE.read_bytes() == before


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://bot:hunter2@localhost/games", "names the database 'mysql'"),
        ("bot:hunter2", "DATABASE_URL is not understood"),
        ("", "DATABASE_URL is not understood"),
        ("sqlite+aiosqlite://", "names no file"),
        ("sqlite+aiosqlite:///:memory:", "names no file"),
        ("sqlite+aiosqlite:///occupied/games.sqlite3", "occupied"),
        ("sqlite+aiosqlite:///folder", "folder cannot be opened: unable to open database file"),
        ("sqlite+aiosqlite:///occupied", "file is not a database"),
    ],
)
def test_a_database_that_cannot_be_used_is_said_in_a_sentence(url: str, sentence: str) -> None:
    Path("occupied").write_bytes(b"by something else " * 100)
    Path("folder").mkdir()
    result = migrate(url)
    assert isinstance(result.exception, SystemExit), result.exception
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("The database was not touched: ")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert "hunter2" not in result.stderr


def test_another_process_that_holds_the_database_is_waited_for_and_then_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.store.sqlite._BUSY_MS", 50)
    DATABASE.parent.mkdir()
    with closing(sqlite3.connect(DATABASE)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        result = migrate()
    assert result.exit_code == 2
    assert result.stderr == "The database was not touched: the database cannot be used: database is locked.\n"
    assert migrate().exit_code == 0
