"""Odd machines: output that is not UTF-8, names that no encoding has, zones that are none."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.cli.commands import DATABASE, invoke, rows
from tests.bot.cli.process import environment
from tests.bot.stocked import stocked

ODD = Path("\N{CJK UNIFIED IDEOGRAPH-65E5} \N{GAME DIE} ? %41 \N{LATIN SMALL LETTER E WITH ACUTE}")
"""A folder. Few encodings have its name, and some of its characters mean something in a URL."""
STORED, BACKUP, PROOF, DECK = ODD / "games.sqlite3", ODD / "backup.sqlite3", ODD / "proof.json", ODD / "deck.toml"


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
