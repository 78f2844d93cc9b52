"""SIGKILL while a backup is put back: the database is the old one or the new one, and nothing in between."""

import asyncio
import os
import random
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults import bots, lives

pytestmark = pytest.mark.asyncio(loop_scope="session")

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
KILLS = 200 if LARGE else 8
ROWS = 2_000
"""Rows of 4 kB, so that there is some time to be killed in."""
ENDS = ("", "-wal", "-shm")


def make(path: Path, content: str, *, log: bool) -> None:
    """Make a database in which every row says the same; with ``log`` it is still in its log, as after a kill."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA journal_mode={'WAL' if log else 'DELETE'}")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("CREATE TABLE rows (content TEXT NOT NULL)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO rows VALUES (?)", [(content * 4_000,)] * ROWS)
        connection.execute("COMMIT")
        files = {end: path.with_name(path.name + end).read_bytes() for end in ENDS if log}
    for end, left in files.items():
        path.with_name(path.name + end).write_bytes(left)


def content_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ((content, number),) = connection.execute("SELECT substr(content, 1, 1), count(*) FROM rows GROUP BY content")
        assert number == ROWS
        return str(content)


@pytest.mark.long
async def test_a_restore_that_is_killed_happened_or_did_not(tmp_path: Path, seat: lives.Seat) -> None:
    chance = random.Random(6)
    backup = tmp_path / "backup.sqlite3"
    make(backup, "n", log=False)
    outcomes: Counter[str] = Counter()
    takes = 0.0
    for run in range(KILLS):
        folder = tmp_path / str(run)
        folder.mkdir()
        database, previous, log = (folder / name for name in ("games.sqlite3", "previous.sqlite3", "log"))
        make(database, "o", log=True)
        await seat.begin(bots.Life(str(folder), "", "", str(log), restores=(str(backup), str(database), str(previous))))
        began = time.monotonic()
        # The first is not disturbed and measures the time; the others are killed, mostly early: the end is only
        # moving the log into the file.
        while not run and bots.DONE not in log.read_text():  # noqa: ASYNC110 - another process says it
            await asyncio.sleep(0.001)
        takes = takes or time.monotonic() - began
        await asyncio.sleep(takes * chance.random() ** 2 if run else 0)
        seat.kill()
        await seat.killed()
        content = content_of(database)
        assert content == "n" or bots.DONE not in log.read_text()
        if content == "n" or previous.exists():
            assert content_of(previous) == "o"
        outcomes[content] += 1
    assert set(outcomes) == {"o", "n"}
    print(f"{KILLS} restores, all but one killed, one takes {takes:.2f} s: {dict(outcomes)}")
