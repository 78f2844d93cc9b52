"""highscore-bot copy-database that fails: what is at the place of the copy is what was there before."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import main
from bot.store.sqlite_file import remove_on_failure
from tests.bot.stocked import stocked

FROM = Path("from.sqlite3")


@pytest.fixture(autouse=True)
def stock_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with something in every table, whose first game does not fit its moves."""
    monkeypatch.chdir(tmp_path)
    file = stocked(FROM)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE games SET state = NULL WHERE id = '000000000001'")
    return file


def copy(target: Path) -> str:
    """Try to copy; returns why nothing was."""
    result = CliRunner().invoke(main, ["copy-database", f"sqlite:///{FROM}", f"sqlite:///{target}"])
    assert result.exit_code in (1, 2), result.output
    return result.stderr


def files() -> dict[Path, object]:
    """Everything there is, but the source and what SQLite keeps beside it; of databases what they hold."""
    others = (path for path in Path().rglob("*") if not path.name.startswith(FROM.name))
    return {path: _content(path) if path.is_file() else None for path in others}


def _content(file: Path) -> object:
    content = file.read_bytes()
    if not content.startswith(b"SQLite"):
        return content
    with closing(sqlite3.connect(file)) as connection:
        return sorted(connection.iterdump())


def _touch(target: Path) -> None:
    target.parent.mkdir()
    target.touch()


def _migrate(target: Path) -> None:
    assert CliRunner().invoke(main, ["migrate"], env={"DATABASE_URL": f"sqlite:///{target}"}).exit_code == 0


UNFIT = "do not lead to its stored state"


@pytest.mark.parametrize(
    ("target", "prepare", "sentence"),
    [
        pytest.param("to.sqlite3", lambda _target: None, UNFIT, id="nothing"),
        pytest.param("new/folder/to.sqlite3", lambda _target: None, UNFIT, id="no folder"),
        pytest.param("there/to.sqlite3", _touch, UNFIT, id="an empty file"),
        pytest.param("to.sqlite3", _migrate, UNFIT, id="no rows"),
        pytest.param("to.sqlite3", stocked, "is not empty", id="games"),
        pytest.param("letter.txt", lambda target: target.write_text("Dear Ada,"), "not a database", id="a letter"),
    ],
)
def test_what_was_there_stays(target: str, prepare: Callable[[Path], object], sentence: str) -> None:
    prepare(Path(target))
    before = files()
    assert sentence in copy(Path(target))
    assert files() == before


def test_a_folder_in_which_something_else_was_put_meanwhile_stays() -> None:
    target = Path("new/to.sqlite3")

    def put_something() -> None:
        target.parent.mkdir()
        target.with_name("notes.txt").touch()

    _fail(target, put_something)
    assert files() == {target.parent: None, target.with_name("notes.txt"): b""}


def test_what_somebody_else_has_begun_there_stays() -> None:
    """A bot that was started on it at once."""
    target = Path("to.sqlite3")
    _fail(target, lambda: shutil.copy(FROM, target))
    assert target.read_bytes() == FROM.read_bytes()


def test_what_succeeds_stays() -> None:
    target = Path("new/to.sqlite3")
    with remove_on_failure(target):
        target.parent.mkdir()
        target.touch()
    assert target.exists()


def _fail(target: Path, after: Callable[[], object]) -> None:
    @remove_on_failure(target)
    def fail() -> None:
        after()
        raise LookupError("a mistake")

    with pytest.raises(LookupError, match="a mistake"):
        fail()
