"""highscore-bot restore: a backup becomes the database, but not while a bot runs on it."""

import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from bot.store import errors, schema
from bot.store.backup import examine_backup
from tests.bot.cli.commands import DATABASE, damage, execute, invoke, refusal, rows, small_files
from tests.bot.databases import update_program
from tests.bot.stocked import TABLES, stocked

BACKUP = Path("backup.sqlite3")
BEFORE = re.compile(r"highscore\.sqlite3\.before-restore-\d{8}T\d{6}Z")


@pytest.fixture
def backup() -> Path:
    return stocked(BACKUP)


@pytest.fixture
def database(database: Path) -> Path:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("DELETE FROM games")
    return database


def restore(*arguments: str, **settings: str) -> Result:
    return invoke("restore", *arguments, **settings)


def refused(result: Result, code: int = 2) -> str:
    said = refusal(result, code)
    assert said.startswith("Nothing was restored: ")
    return said.removeprefix("Nothing was restored: ")


def beside(database: Path) -> list[Path]:
    return sorted(set(database.parent.iterdir()) - {database})


def test_a_backup_becomes_the_database_and_what_it_was_before_is_kept(database: Path, backup: Path) -> None:
    before = rows(database)
    result = restore(str(backup))
    assert (result.exit_code, result.stderr) == (0, "")
    assert rows(database) == rows(backup) != before
    (kept,) = beside(database)
    assert BEFORE.fullmatch(kept.name)
    assert rows(kept) == before
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    said, where = result.stdout.splitlines()
    assert said == f"{database} is now {backup}: schema {examine_backup(backup).schema.current}, {TABLES} games."
    assert where == f"What it was before is in {kept}."
    kept.rename("back.sqlite3")
    assert restore("back.sqlite3").exit_code == 0, "another restore undoes it"
    assert rows(database) == before


def test_without_a_database_it_becomes_the_first_one_and_the_backup_is_left_as_it_is(backup: Path) -> None:
    before = backup.read_bytes()
    backup.chmod(0o400)
    Path("safe").mkdir()
    backup = backup.rename("safe/backup.sqlite3")
    result = restore(str(backup))
    assert result.exit_code == 0
    assert "before" not in result.stdout
    assert rows(DATABASE) == rows(backup)
    assert stat.S_IMODE(DATABASE.stat().st_mode) == 0o600
    assert beside(DATABASE) == []
    assert list(Path("safe").iterdir()) == [backup]
    assert backup.read_bytes() == before


def test_the_log_of_a_database_that_is_gone_does_not_get_into_the_restored_one(database: Path, backup: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        with connection:
            connection.execute("DELETE FROM guild_settings")
        log = database.with_name(database.name + "-wal")
        left = log.read_bytes()
    assert left
    database.unlink()
    log.write_bytes(left)
    assert restore(str(backup)).exit_code == 0
    assert rows(database) == rows(backup)


def test_a_bot_that_was_killed_leaves_nothing_out(database: Path, backup: Path) -> None:
    """The rows in the killed bot's log are kept too."""
    with closing(sqlite3.connect(database)) as connection:
        with connection:
            connection.execute("UPDATE player_settings SET notify = 'none'")
        before = rows(database)
        for file in (database, *beside(database)):
            shutil.copy(file, file.with_name(f"killed-{file.name}"))
    for file in beside(database):
        file.rename(file.with_name(file.name.removeprefix("killed-")))
    assert len(beside(database)) == 2, "the log and its index are there"
    assert restore(str(backup)).exit_code == 0
    (kept,) = [file for file in beside(database) if BEFORE.fullmatch(file.name)]
    assert rows(kept) == before
    assert rows(database) == rows(backup)


def foreign(file: Path) -> None:
    file.unlink()
    execute(file, "CREATE TABLE games (id TEXT)")


def masked(file: Path) -> None:
    """Make a database of which a query never ends."""
    execute(file, "DROP TABLE alembic_version")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS version_num FROM n"
    execute(file, f"CREATE VIEW alembic_version AS {endless}")


def scribble(file: Path) -> None:
    """Damage the name of an index, which SQLite repeats when it checks."""
    content = file.read_bytes()
    file.write_bytes(content.replace(b"ix_games_owed", b"ix_games_\xd0wed"))


DAMAGED: list[tuple[str | Callable[[Path], object], int, str]] = [
    (lambda file: damage(file, "ix_events_naming_people"), 2, "backup.sqlite3 is damaged: "),
    ("DELETE FROM games WHERE id = '000000000001'", 2, "backup.sqlite3 is damaged: a row of "),
    (
        "UPDATE alembic_version SET version_num = '9999'",
        2,
        "backup.sqlite3 was made by a newer version of this bot (schema 9999, this one knows up to ",
    ),
    (lambda file: file.write_bytes(b""), 2, "backup.sqlite3 is not a database of this bot."),
    (lambda file: file.write_bytes(b"by something else " * 1000), 2, "backup.sqlite3: file is not a database."),
    (lambda file: file.write_bytes(file.read_bytes()[:100_000]), 2, "backup.sqlite3: database disk image is malformed"),
    (foreign, 2, "backup.sqlite3 is not a database of this bot."),
    (masked, 2, "its view 'alembic_version' differs from what this bot creates."),
    ("CREATE TRIGGER helper AFTER INSERT ON events BEGIN DELETE FROM games; END", 2, "its trigger 'helper' differs"),
    ("CREATE TRIGGER sqlite1stat1 AFTER INSERT ON events BEGIN DELETE FROM games; END", 2, "'sqlite1stat1' differs"),
    ("CREATE TABLE padding (content)", 2, "its table 'padding' differs from what this bot creates."),
    ("DROP INDEX ix_games_owed", 2, "its index 'ix_games_owed' differs from what this bot creates."),
    (
        "INSERT INTO alembic_version VALUES ('0002')",
        2,
        "the database is marked with several schema versions at once",
    ),
    ("UPDATE events SET lines = CAST(x'30ff' AS TEXT)", 2, "the database is damaged: not all text in it is UTF-8."),
    (scribble, 2, "the database is damaged: not all text in it is UTF-8."),
    (
        "UPDATE games SET state = NULL WHERE status = 'playing'",
        1,
        "Take another backup. The moves of these games do not lead to their states: ",
    ),
]


def test_what_is_no_good_backup_is_not_restored(database: Path, backup: Path) -> None:
    before, good = rows(database), backup.read_bytes()
    for change, code, sentence in DAMAGED:
        backup.write_bytes(good)
        if isinstance(change, str):
            execute(backup, change)
        else:
            change(backup)
        assert sentence in refused(restore(str(backup)), code), change
        assert beside(database) == [], change
    assert refused(restore(str(database))) == f"{database} is the database itself."
    assert rows(database) == before
    assert beside(database) == []


def test_a_backup_of_an_older_version_is_brought_up_to_date_by_the_bot(
    database: Path, backup: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    older, newest = schema.list_revisions()[-1], update_program(monkeypatch, tmp_path)
    result = restore(str(backup))
    assert result.exit_code == 0, result.stderr
    assert f"schema {older}," in result.stdout
    assert f"The bot brings it to schema {newest}" in result.stdout.splitlines()[-1]
    assert invoke("migrate").stdout == f"The database went from schema {older} to {newest}.\n"
    assert examine_backup(database).wrong == []


def test_a_damaged_database_is_replaced_and_kept_as_it_is(database: Path, backup: Path) -> None:
    damage(database, "ix_events_naming_people")
    assert restore(str(backup)).exit_code == 0
    assert rows(database) == rows(backup)
    (kept,) = beside(database)
    with pytest.raises(errors.DatabaseError, match=r"damaged|malformed"):
        examine_backup(kept)


def test_what_is_no_database_at_all_has_to_be_moved_away_by_hand(database: Path, backup: Path) -> None:
    database.write_bytes(b"by something else " * 1000)
    before = database.read_bytes()
    assert refused(restore(str(backup))) == (
        f"{database} cannot be opened: file is not a database. Move it away, together with {database.name}-wal and"
        f" {database.name}-shm if they exist, and try again."
    )
    assert database.read_bytes() == before


def test_a_disk_without_room_changes_nothing(database: Path, backup: Path) -> None:
    execute(backup, "UPDATE guild_settings SET settings = settings || printf('%3000000s', '')")
    before = rows(database)
    with small_files(2_000_000):
        assert refused(restore(str(backup)))
    assert rows(database) == before
    assert beside(database) == []


def test_on_postgresql_its_own_tool_is_named(backup: Path) -> None:
    assert "pg_restore" in refusal(restore(str(backup), DATABASE_URL="postgresql://bob:hunter2@db.example/games"))
