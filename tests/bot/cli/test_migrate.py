import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import models, schema
from tests.bot.cli.commands import DATABASE, execute, invoke, refusal

HEAD = schema.list_revisions()[-1]


def test_an_empty_database_gets_every_table_and_is_left_as_it_is_from_then_on() -> None:
    result = invoke("migrate")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"The database went from schema nothing to {HEAD}.\n"
    with closing(sqlite3.connect(DATABASE)) as connection:
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert found == {"alembic_version", *models.metadata.tables}
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
    before = DATABASE.read_bytes()
    result = invoke("migrate")
    assert (result.exit_code, result.stdout) == (0, f"The database is at schema {HEAD} already.\n")
    assert DATABASE.read_bytes() == before
    execute(DATABASE, "UPDATE alembic_version SET version_num = '9999'")
    before = DATABASE.read_bytes()
    sentence = "The database was not touched: the database was made by a newer version"
    assert refusal(invoke("migrate")).startswith(sentence)
    assert DATABASE.read_bytes() == before


@pytest.mark.parametrize("command", ["migrate", "rebuild", "doctor", "backup", "copy-database"])
@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("INSERT INTO alembic_version VALUES ('8999')", "the database is marked with several schema versions at once"),
        ("UPDATE alembic_version SET version_num = CAST(x'30ff' AS TEXT)", "not all text in it is UTF-8"),
    ],
)
def test_a_database_whose_schema_cannot_be_told_is_named_by_every_command(
    damage: str, sentence: str, command: str, database: Path
) -> None:
    execute(database, damage)
    urls = (f"sqlite:///{database}", "sqlite:///other.sqlite3") if command == "copy-database" else ()
    result = invoke(command, *urls)
    assert result.exit_code in (1, 2)
    assert sentence in result.output


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://bot:hunter2@localhost/games", "names the database 'mysql'"),
        ("bot:hunter2", "DATABASE_URL cannot be parsed"),
        ("sqlite+aiosqlite://", "names no file"),
        ("sqlite+aiosqlite:///:memory:", "names no file"),
        ("sqlite+aiosqlite:///occupied/games.sqlite3", "occupied"),
        ("sqlite+aiosqlite:///folder", "folder cannot be opened: unable to open database file"),
        ("sqlite+aiosqlite:///occupied", "file is not a database"),
        # A part of these would be dropped.
        ("sqlite+aiosqlite:///a?b.sqlite3", "has a question mark in it"),
        ("sqlite:///a.sqlite3?", "has a question mark in it"),
        ("sqlite:///a?mode=memory&uri=true", "has a question mark in it"),
        ("sqlite://games.sqlite3", "needs three slashes"),
        ("sqlite://ada@/games.sqlite3", "needs three slashes"),
        ("postgresql://127.0.0.1:1/games?sslmode", "has an option without a value"),
        ("postgresql://127.0.0.1:1/games?sslmode=&ssl=require", "has an option without a value"),
    ],
)
def test_a_database_that_cannot_be_used_is_said_in_a_sentence(url: str, sentence: str) -> None:
    Path("occupied").write_bytes(b"by something else " * 100)
    Path("folder").mkdir()
    said = refusal(invoke("migrate", DATABASE_URL=url))
    assert said.startswith("The database was not touched: ")
    assert sentence in said
    assert "\n" not in said


def test_another_process_that_holds_the_database_is_waited_for_and_then_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.store.sqlite._BUSY_MS", 50)
    DATABASE.parent.mkdir()
    with closing(sqlite3.connect(DATABASE)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        sentence = "The database was not touched: the database cannot be used: database is locked."
        assert refusal(invoke("migrate")) == sentence
    assert invoke("migrate").exit_code == 0
