import os
import re
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from bot.store.backup import list_backups
from tests.bot.cli.commands import DATABASE, damage, invoke, refusal, rows, small_files
from tests.bot.stocked import TABLES

FOLDER = Path("data/backups")
OLD = FOLDER / "highscore-20260101T120000Z.sqlite3"


def broken(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection, connection:
        query = "UPDATE games SET state = NULL WHERE status = 'playing' RETURNING id"
        return [row[0] for row in connection.execute(query).fetchall()]


def backup(*arguments: str, **settings: str) -> Result:
    return invoke("backup", *arguments, **settings)


def refused(result: Result) -> str:
    assert result.stderr.count("\n") == 1
    return refusal(result).removeprefix("There is no new backup: ")


@pytest.mark.usefixtures("database")
def test_a_backup_is_called_after_the_time_and_holds_everything_for_its_owner_alone() -> None:
    result = backup()
    assert (result.exit_code, result.stderr) == (0, "")
    (file,) = FOLDER.iterdir()
    assert re.fullmatch(r"highscore-\d{8}T\d{6}Z\.sqlite3", file.name)
    assert result.stdout.startswith(f"{file}: 0.5 MB, schema ")
    assert result.stdout.endswith(f", {TABLES} games.\n")
    assert rows(file) == rows(DATABASE)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (FOLDER, file)] == [0o700, 0o600]


def test_a_file_of_ones_own_choice_or_another_folder(database: Path) -> None:
    Path("elsewhere").mkdir()
    mine = Path("mine.sqlite3")
    assert backup(str(mine)).exit_code == backup("elsewhere").exit_code == 0
    (file,) = Path("elsewhere").iterdir()
    assert rows(mine) == rows(file) == rows(database)
    assert not FOLDER.exists()
    mine.write_text("dear")
    assert refused(backup(str(mine))) == "mine.sqlite3 already exists."
    assert mine.read_text() == "dear"
    assert backup(str(mine), "--force").exit_code == 0
    assert rows(mine) == rows(database)


def test_the_database_itself_is_never_replaced(database: Path) -> None:
    before = database.read_bytes()
    Path("also.sqlite3").symlink_to(database)
    for name in (str(database), str(database.absolute()), "also.sqlite3"):
        assert refused(backup(name, "--force")).endswith("is the database itself.")
    assert database.read_bytes() == before


def test_old_ones_are_deleted_but_nothing_else(database: Path) -> None:
    FOLDER.mkdir()
    old = [f"highscore-2026010{day}T120000Z.sqlite3" for day in range(1, 6)]
    others = ["mine.sqlite3", "other-20260101T120000Z.sqlite3", "highscore-20260101T120000Z.sqlite3.txt"]
    for name in (*old, *others, f".{old[0]}.00ff.partial", f".{old[1]}.00ff.partial"):
        (FOLDER / name).touch()
    os.utime(FOLDER / f".{old[0]}.00ff.partial", (0, 0))
    assert backup("--keep", "3").stdout.endswith("3 older ones were deleted.\n")
    kept = list_backups(FOLDER, database)
    assert [file.name for file in kept[:2]] == old[3:]
    assert kept[2].stat().st_size > 0
    left = {file.name for file in FOLDER.iterdir()} - {file.name for file in kept}
    assert left == {*others, f".{old[1]}.00ff.partial"}


def test_deleting_is_only_for_what_is_called_after_the_time(database: Path) -> None:
    result = backup("mine.sqlite3", "--keep", "3")
    assert "--keep is for backups that are called after the time" in refusal(result)
    assert list(Path().iterdir()) == [database.parent]


def test_without_a_database_of_the_bot_there_is_no_backup() -> None:
    assert refused(backup()) == f"there is no database at {DATABASE}."
    assert list(Path().iterdir()) == []
    DATABASE.parent.mkdir()
    DATABASE.write_bytes(b"by something else " * 100)
    assert refused(backup()) == "file is not a database."
    DATABASE.write_bytes(b"")
    assert refused(backup()).endswith(" is not a database of this bot.")


@pytest.mark.usefixtures("database")
def test_a_missing_folder_is_named() -> None:
    assert refused(backup("nowhere/mine.sqlite3")) == "the folder nowhere does not exist."


@pytest.mark.usefixtures("database")
def test_a_disk_that_takes_no_more_in_the_middle_leaves_nothing_behind() -> None:
    with small_files(100_000):
        assert refusal(backup()).startswith("There is no new backup: ")
    assert list(FOLDER.iterdir()) == []


def test_a_damaged_database_gives_no_backup_that_looks_like_one(database: Path) -> None:
    damage(database, "events")
    FOLDER.mkdir()
    OLD.touch()
    assert re.search("is damaged|malformed", refused(backup("--keep", "1")))
    assert list(FOLDER.iterdir()) == [OLD]


def test_a_game_that_does_not_fit_is_said_and_nothing_is_deleted(database: Path) -> None:
    (game,) = broken(database)
    FOLDER.mkdir()
    OLD.touch()
    result = backup("--keep", "1")
    assert result.exit_code == 1
    assert result.stderr == f"The moves of these games do not lead to their states: {game}.\n"
    assert len(list(FOLDER.iterdir())) == 2


def test_on_postgresql_its_own_tool_is_named() -> None:
    assert "pg_dump" in refusal(backup(DATABASE_URL="postgresql://bob:hunter2@db.example/games"))


def test_a_restore_or_anything_else_that_holds_the_database_is_waited_for(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.sqlite.WAIT_SECONDS", 0.1)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert refused(backup()) == "database is locked."
    assert backup().exit_code == 0
