"""SIGKILL while a backup is put back: the database is the old one or the new one, and nothing in between. Backups
while people play have everything that was acknowledged.
"""

import asyncio
import random
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.store.backup import examine_backup
from tests.bot.cli.commands import rows
from tests.bot.cli.process import SOON, running
from tests.discord import newest
from tests.discord.ledger import MOVES, Ledger, Pressed
from tests.faults.lives import Seat
from tests.faults.stage import Stage, staged
from tests.sampling import LARGE

KILLS = 200 if LARGE else 8
BACKUPS = 60 if LARGE else 2
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


PROGRAM = """
import pathlib, signal
from bot.store import backup

backup.restore_backup(*map(pathlib.Path, {paths}))
print("restored", flush=True)
signal.pause()
"""


@pytest.mark.long
def test_a_restore_that_is_killed_happened_or_did_not(tmp_path: Path) -> None:
    chance = random.Random(6)
    backup = tmp_path / "backup.sqlite3"
    make(backup, "n", log=False)
    outcomes: Counter[str] = Counter()
    takes = 0.0
    for run in range(KILLS):
        database, previous = (tmp_path / f"{name}-{run}.sqlite3" for name in ("games", "previous"))
        make(database, "o", log=True)
        with running(program=PROGRAM.format(paths=[str(path) for path in (backup, database, previous)])) as restore:
            began = time.monotonic()
            if run:
                # Mostly early: the end is only moving the log into the file.
                time.sleep(takes * chance.random() ** 2)
            else:
                # The first is not disturbed and measures the time.
                restore.wait_for("restored")
                takes = time.monotonic() - began
            assert restore.end(signal.SIGKILL, within=SOON) == -signal.SIGKILL
        content = content_of(database)
        assert content == "n" or "restored" not in restore.output
        if content == "n" or previous.exists():
            assert content_of(previous) == "o"
        outcomes[content] += 1
    assert set(outcomes) == {"o", "n"}
    print(f"{KILLS} restores, all but one killed, one takes {takes:.2f} s: {dict(outcomes)}")


def build(stage: Stage) -> None:
    stage.add_guild(("relaxed", 1), ("relaxed", 0))


@pytest.mark.long
async def test_backups_of_a_bot_that_plays_have_what_was_acknowledged_and_are_played_on(
    tmp_path: Path, seat: Seat
) -> None:
    """Made while people play, restored after the bot was killed, and the next bot plays on with the last of them."""
    database, last = tmp_path / "games.sqlite3", tmp_path / "last.sqlite3"
    async with staged(tmp_path, random.Random(7), build) as stage:

        def command(*arguments: str) -> tuple[int, str]:
            with running(*arguments, DATABASE_URL=stage.settings.database_url.get_secret_value()) as started:
                return started.wait(), started.output

        def acknowledged() -> list[Pressed]:
            return [each for each in stage.presses if each.acknowledged and each.press.verb in MOVES]

        def have_moved(times: int) -> bool:
            return len(acknowledged()) >= times

        await stage.begin(seat)
        over = asyncio.Event()
        async with stage.reading() as core, asyncio.TaskGroup() as group:
            group.create_task(stage.play(core, over.is_set))
            before: list[Pressed] = []
            for _backup in range(BACKUPS):
                await stage.fake.until(partial(have_moved, len(before) + 3))
                before = acknowledged()
                assert (await asyncio.to_thread(command, "backup", str(last), "--force"))[0] == 0
                Ledger.read(last).check_presses(before)
                assert examine_backup(last).wrong == []
            over.set()
        seat.signal(signal.SIGSTOP)
        sentence = f"{database} is in use. Stop the bot first, and whatever else has it open."
        assert command("restore", str(last)) == (2, f"Nothing was restored: {sentence}\n")
        seat.kill()
        await seat.killed()
        assert command("restore", str(last))[0] == 0
        assert rows(database) == rows(last)
        await stage.begin(seat)
        place = stage.places[0]
        channel = stage.fake.add_channel(place.guild, "after")
        await place.people[0].slash(channel, "highscore new")
        await newest(stage.fake, channel)
        seat.signal(signal.SIGTERM)
        await seat.stopped()
    found = examine_backup(database)
    assert found.wrong == []
    assert found.games == examine_backup(last).games + 1
