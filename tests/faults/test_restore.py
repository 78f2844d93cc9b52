"""SIGKILL while a backup is put back: the database is the old one or the new one, and nothing in between."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
KILLS = 200 if LARGE else 10
ROWS = 2_000
"""Rows of 4 kB, so that there is some time to be killed in."""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def restorer() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.restorer"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    stdin, stdout = _pipes(process)
    stdin.close()
    assert process.wait(10) == 0
    stdout.close()


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def _make(path: Path, content: str, *, log: bool) -> None:
    """A database in which every row says the same; with ``log`` it is still in its log, as after a kill."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL" if log else "PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("CREATE TABLE rows (content TEXT NOT NULL)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO rows VALUES (?)", [(content * 4_000,)] * ROWS)
        connection.execute("COMMIT")
        if log:
            for end in ("", "-wal", "-shm"):
                copied = path.with_name(path.name + end)
                copied.with_name(f"killed-{copied.name}").write_bytes(copied.read_bytes())
    if log:
        for end in ("", "-wal", "-shm"):
            path.with_name(f"killed-{path.name}{end}").replace(path.with_name(path.name + end))


def _content(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ((content, number),) = connection.execute("SELECT substr(content, 1, 1), count(*) FROM rows GROUP BY content")
        assert number == ROWS
        return str(content)


def test_a_restore_that_is_killed_happened_or_did_not(restorer: subprocess.Popen[str], tmp_path: Path) -> None:
    stdin, stdout = _pipes(restorer)
    chance = random.Random(6)
    backup = tmp_path / "backup.sqlite3"
    _make(backup, "n", log=False)
    outcomes: Counter[str] = Counter()
    takes = 0.0
    for run in range(KILLS):
        folder = tmp_path / str(run)
        folder.mkdir()
        database, previous = folder / "games.sqlite3", folder / "previous.sqlite3"
        _make(database, "o", log=True)
        began = time.monotonic()
        print(backup, database, previous, file=stdin, flush=True)
        _word, pid = stdout.readline().split()
        said = [] if run else [stdout.readline().strip()]
        # The first is let finish and tells how long it takes.
        takes = takes if run else time.monotonic() - began
        # Mostly early: the end is only moving the log into the file.
        time.sleep(takes * chance.random() ** 2 if run else 0)
        os.kill(int(pid), signal.SIGKILL)
        while not (line := stdout.readline()).startswith("ended"):
            assert line, "it is gone; its error is above"
            said.append(line.strip())
        assert line.split() == ["ended", str(-signal.SIGKILL)]
        found = _content(database)
        assert found == "n" or "done" not in said
        if found == "n" or previous.exists():
            assert _content(previous) == "o"
        outcomes[found] += 1
    assert set(outcomes) == {"o", "n"}
    print(f"{KILLS} restores, all but one killed, one takes {takes:.2f} s: {dict(outcomes)}")
