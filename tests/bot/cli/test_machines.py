"""Odd machines: output that is not UTF-8, names that no encoding has, drives that cannot flush, zones that are none."""

import errno
import logging
import os
import re
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner, Result

from bot.cli import COMMANDS, main
from bot.discord_api.permissions import PERMISSIONS
from highscore.proof import format_export
from tests.bot.cli.commands import DATABASE, invoke, rows
from tests.bot.cli.process import ROOT, environment
from tests.bot.cli.test_verify import exported
from tests.bot.stocked import stocked
from tests.discord import TOKEN, Discord

ODD = Path("\N{CJK UNIFIED IDEOGRAPH-65E5} \N{GAME DIE} ? %41 \N{LATIN SMALL LETTER E WITH ACUTE}")
"""A folder. Few encodings have its name, and some of its characters mean something in a URL."""
STORED, BACKUP, PROOF, DECK = ODD / "games.sqlite3", ODD / "backup.sqlite3", ODD / "proof.json", ODD / "deck.toml"
SAID = {
    "backup": (["backup", str(ODD / "copy.sqlite3")], 0, "copy.sqlite3: 0.5 MB, schema "),
    "copy-database": (["copy-database", "env:DATABASE_URL", f"sqlite:///{quote(str(ODD))}/copy.sqlite3"], 0, "Copied "),
    "doctor": (["doctor"], 0, " Tavern' gives the bot all it needs"),
    "migrate": (["migrate"], 0, "The database is at schema "),
    "odds": (["odds", "same-frozen"], 2, " has no card 'same-frozen'"),
    "play": (["play", "--state", str(ODD)], 0, "The playground is open at http://127.0.0.1:1/"),
    "rebuild": (["rebuild"], 0, "Rebuilt 4 games of 1 servers."),
    "restore": (["restore", str(BACKUP)], 0, "games.sqlite3.before-restore-"),
    "run": (["run"], 2, "The bot stops: "),
    "verify": (["verify", str(PROOF)], 0, "Ben"),
}
"""For each command arguments, the exit code, and a part of what it says then."""


@pytest.fixture
def odd(fake: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make everything that the commands read, with such names in it."""
    ODD.mkdir()
    stocked(STORED)
    stocked(BACKUP)
    PROOF.write_text(format_export(replace(exported(), names=("Ada", f"Ben {ODD}", "Cem"))), "utf-8")
    fake.add_guild(f"{ODD} Tavern", []).everybody = PERMISSIONS.value
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{quote(str(STORED))}")
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)

    async def serve(*_: object, ready: Any, **__: object) -> None:
        ready("http://127.0.0.1:1/")

    monkeypatch.setattr("playground.serve", serve)
    monkeypatch.setattr("bot.cli.play._has_screen", lambda: False)
    monkeypatch.setattr("bot.cli.common.set_up_logging", lambda *_: None)


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "shift_jis"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_did_in_any_encoding(
    command: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, code, said = SAID[command]
    if command == "odds":
        DECK.write_text(f'name = "{ODD}"', "utf-8")
        monkeypatch.setenv("DECK_FILE", str(DECK))
        said = "deck.toml"
    if command == "run":
        STORED.write_bytes(b"by something else " * 100)
    result = CliRunner(charset=encoding).invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    assert said in result.output


def test_every_command_has_a_case() -> None:
    assert SAID.keys() == COMMANDS.keys()


@pytest.mark.usefixtures("database")
def test_names_of_files_that_are_no_text_are_written_all_the_same() -> None:
    name = os.fsdecode(b"\xff\xfe.sqlite3")
    for arguments, code, said in (
        (["backup", name], 0, r"\udcff\udcfe.sqlite3: 0.5 MB"),
        (["restore", name], 0, r" is now \udcff\udcfe.sqlite3: schema "),
        (["verify", name], 2, r"\udcff\udcfe.sqlite3: "),
        (["play", "--state", name.removesuffix(".sqlite3")], 2, "The playground stops: the name of a file"),
        (
            ["copy-database", f"sqlite:///{DATABASE}", f"sqlite:///{name}"],
            2,
            "Nothing was copied: TO is not understood",
        ),
    ):
        result = invoke(*arguments)
        assert result.exit_code == code, result.output
        assert said in result.output, arguments


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    "machine",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"TZ": ":/etc/timezone"},
    ],
    ids=str,
)
def test_a_whole_process_on_an_odd_machine(machine: dict[str, str]) -> None:
    ODD.mkdir()
    command = [sys.executable, "-m", "bot", "restore", str(stocked(BACKUP))]
    done = subprocess.run(command, env=environment(machine), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"highscore.sqlite3 is now " in done.stdout
    assert rows(DATABASE) == rows(BACKUP)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("arguments", [["--help"], ["migrate"], ["backup", "copy.sqlite3"]], ids=lambda value: value[0])
def test_where_the_output_is_on_a_full_drive_a_sentence_says_so(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "bot", *arguments]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, env=environment({}), stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1), done.stderr
    assert b"could not be written: [Errno 28] No space left on device" in done.stderr
    assert Path("copy.sqlite3").exists() is ("copy.sqlite3" in arguments), "what was asked is done"


ZONES = (":/etc/timezone", "/etc/passwd", "/", "Europe", ":", "Nowhere/City", "x" * 5000, "../../etc/passwd", "EST5EDT")
TRY_ZONES = """
import os, sys, importlib
for zone in sys.argv[1:]:
    if os.fork() == 0:
        os.environ["TZ"] = zone
        import bot.app
        from bot.ui.leaderboard import format_skeleton
        assert os.environ["TZ"] == zone
        os._exit(0)
    print(os.wait()[1])
"""


def test_no_time_zone_of_the_machine_keeps_the_bot_from_starting() -> None:
    command = [sys.executable, "-c", TRY_ZONES, *ZONES]
    done = subprocess.run(command, cwd=ROOT, env=environment({}), capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["0"] * len(ZONES), done.stderr


@pytest.fixture(params=[errno.EINVAL, errno.EIO, errno.EBADF], ids=errno.errorcode.get)
def stubborn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a drive whose folders cannot be flushed."""
    fsync = os.fsync

    def refuse(number: int) -> None:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            raise OSError(request.param, os.strerror(request.param))
        fsync(number)

    monkeypatch.setattr("os.fsync", refuse)


def warned(result: Result, caplog: pytest.LogCaptureFixture) -> str:
    """Return the warning of a command that did what it was asked."""
    assert (result.exit_code, result.stderr) == (0, "")
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "cannot be flushed" in record.message
    caplog.clear()
    return result.stdout


@pytest.mark.usefixtures("stubborn")
def test_backup_and_restore_where_no_folder_can_be_flushed(database: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "bot")  # Another test may have set the log level of this process.
    folder = DATABASE.parent / "backups"
    folder.mkdir()
    old = folder / "highscore-20260101T120000Z.sqlite3"
    old.touch()
    assert "1 older ones were deleted." in warned(invoke("backup", "--keep", "1"), caplog)
    (copy,) = folder.iterdir()
    assert rows(copy) == rows(database)
    assert warned(invoke("backup", "mine.sqlite3"), caplog).startswith("mine.sqlite3: ")
    assert warned(invoke("backup", "mine.sqlite3", "--force"), caplog).startswith("mine.sqlite3: ")
    said = warned(invoke("restore", "mine.sqlite3"), caplog)
    kept = re.findall(r"What it was before is in (.*)\.\n", said)
    assert rows(Path(kept[0])) == rows(database) == rows(Path("mine.sqlite3"))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("sqlite+aiosqlite:///a?b.sqlite3", "has a question mark in it"),
        ("sqlite:///a.sqlite3?", "has a question mark in it"),
        ("sqlite:///a?mode=memory&uri=true", "has a question mark in it"),
        ("sqlite://games.sqlite3", "needs three slashes"),
        ("sqlite://ada@/games.sqlite3", "needs three slashes"),
        ("postgresql://127.0.0.1:1/games?sslmode", "has an option without a value"),
        ("postgresql://127.0.0.1:1/games?sslmode=&ssl=require", "has an option without a value"),
    ],
)
def test_a_url_of_which_a_part_would_be_dropped_is_refused_by_every_command(url: str, sentence: str) -> None:
    backup = stocked(Path("backup.sqlite3"))
    before = sorted(Path().iterdir())
    for command, *arguments in (
        ["backup"],
        ["copy-database", url, "sqlite:///new.sqlite3"],
        ["copy-database", "sqlite:///backup.sqlite3", url],
        ["doctor"],
        ["migrate"],
        ["rebuild"],
        ["restore", str(backup)],
        ["run"],
    ):
        result = invoke(command, *arguments, DATABASE_URL=url, DISCORD_TOKEN="token")
        assert result.exit_code in (1, 2), command
        assert sentence in result.output, command
    assert sorted(Path().iterdir()) == before
