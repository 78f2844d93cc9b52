"""Odd machines: output that is not UTF-8, names that no encoding has, drives that cannot flush, zones that are none."""

import errno
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result

from tests.bot.cli import commands, process
from tests.bot.stocked import stocked

ODD = Path("\N{CJK UNIFIED IDEOGRAPH-65E5} \N{GAME DIE} ? %41 \N{LATIN SMALL LETTER E WITH ACUTE}")
"""A folder. Few encodings have its name, and some of its characters mean something in a URL."""
BACKUP = ODD / "backup.sqlite3"


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    "machine",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=str,
)
def test_a_whole_process_on_an_odd_machine(machine: dict[str, str]) -> None:
    ODD.mkdir()
    command = [sys.executable, "-m", "bot", "restore", str(stocked(BACKUP))]
    done = subprocess.run(command, env=process.environment(machine), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"highscore.sqlite3 is now " in done.stdout
    assert commands.rows(commands.DATABASE) == commands.rows(BACKUP)


@pytest.fixture(params=[errno.EINVAL, errno.EIO, errno.EBADF], ids=errno.errorcode.get)
def stubborn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a drive whose folders cannot be flushed."""
    fsync = os.fsync

    def refuse(number: int) -> None:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            raise OSError(request.param, os.strerror(request.param))
        fsync(number)

    monkeypatch.setattr("os.fsync", refuse)


def said(result: Result) -> str:
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.usefixtures("stubborn")
def test_backup_and_restore_where_no_folder_can_be_flushed(database: Path) -> None:
    folder = commands.DATABASE.parent / "backups"
    folder.mkdir()
    old = folder / "highscore-20260101T120000Z.sqlite3"
    old.touch()
    assert "1 older ones were deleted." in said(commands.invoke("backup", "--keep", "1"))
    (copy,) = folder.iterdir()
    assert commands.rows(copy) == commands.rows(database)
    assert said(commands.invoke("backup", "mine.sqlite3")).startswith("mine.sqlite3: ")
    assert said(commands.invoke("backup", "mine.sqlite3", "--force")).startswith("mine.sqlite3: ")
    told = said(commands.invoke("restore", "mine.sqlite3"))
    kept = re.findall(r"What it was before is in (.*)\.\n", told)
    assert commands.rows(Path(kept[0])) == commands.rows(database) == commands.rows(Path("mine.sqlite3"))
