"""SIGKILL at random moments: nothing that was acknowledged is lost, nothing happens twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from highscore import replay
from highscore.game import TurnOrder
from highscore.notation import game_from_json, parse_event
from tests.faults.mover import TABLES

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
KILLS = 2_000 if LARGE else 12
KILLS_OF_A_DATABASE = 100
"""Looking through everything after each kill takes ever longer."""
KILLS_WHILE_MIGRATING = 60 if LARGE else 8
ROOT = Path(__file__).parents[2]


class Mover:
    """The program that is killed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.mover"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, database: Path, number: int, acknowledgements: int, seconds: float) -> list[tuple[str, int]]:
        """Let it play until it has acknowledged so many moves, and a little longer; returns all it acknowledged.

        With -1 it is killed while it gets ready.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(f"{database} {number}\n")
        self._process.stdin.flush()
        _word, pid = self._line()
        left, acknowledged, seen = acknowledgements, list[tuple[str, int]](), list[list[str]]()
        while left >= 0:
            seen.append(self._line())
            assert seen[-1][0] != "ended", "it ended by itself; its error is above"
            left -= 1
        time.sleep(seconds)
        os.kill(int(pid), signal.SIGKILL)
        while True:
            line = self._line()
            if line[0] == "ended":
                assert int(line[1]) == -signal.SIGKILL
                break
            seen.append(line)
        acknowledged += [(line[1], int(line[2])) for line in seen if line[0] == "ack"]
        return acknowledged

    def _line(self) -> list[str]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "it is gone; its error is above"
        return line.split()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        assert self._process.wait(10) == 0
        self._process.stdout.close()


@pytest.fixture(scope="module")
def mover() -> Iterator[Mover]:
    started = Mover()
    yield started
    started.close()


def test_no_acknowledged_move_is_lost_and_none_is_played_twice(mover: Mover, tmp_path: Path) -> None:
    chance = random.Random(4)
    moves = tables = 0
    for number in range(0, KILLS, KILLS_OF_A_DATABASE):
        kills = range(number, min(number + KILLS_OF_A_DATABASE, KILLS))
        acknowledged = _kill(mover, tmp_path / f"{number}.sqlite3", kills, chance)
        moves += sum(acknowledged.values())
        tables += len(acknowledged)
    assert moves > KILLS * 10
    print(f"{KILLS} kills, {moves} acknowledged moves at {tables} tables")


def _kill(mover: Mover, database: Path, kills: range, chance: random.Random) -> Counter[str]:
    """Kill it so many times while it plays on one database. Returns its acknowledged moves at each table."""
    known: dict[str, int] = defaultdict(int)
    acknowledged: Counter[str] = Counter()
    for kill in kills:
        for table, version in mover.run(database, kill, chance.randint(0, 60), chance.uniform(0, 0.01)):
            assert version > known[table] or version == 0, "acknowledged twice"
            known[table] = version
            acknowledged[table] += 1
        stored = _check(database)
        for table, version in known.items():
            assert version <= stored[table], f"move {version} of {table} was acknowledged and is gone"
        # One transaction a table may have been committed without anybody having been told.
        unknown = {table: stored[table] - known[table] for table in known}
        assert all(more <= 1 for more in unknown.values())
        known.update({table: stored[table] for table in known})
    return acknowledged


def test_a_migration_that_is_killed_happened_or_did_not(mover: Mover, tmp_path: Path) -> None:
    chance = random.Random(5)
    outcomes = set()
    for run in range(KILLS_WHILE_MIGRATING):
        database = tmp_path / f"{run}.sqlite3"
        mover.run(database, run, -1, chance.uniform(0, 0.12))
        outcomes.add(_tables(database))
        assert mover.run(database, KILLS_WHILE_MIGRATING + run, 3, 0)
        _check(database)
    assert outcomes <= {frozenset(), _tables(database)}


def _tables(database: Path) -> frozenset[str]:
    with closing(sqlite3.connect(database)) as connection:
        return frozenset(name for (name,) in connection.execute("select name from sqlite_master"))


def _check(database: Path) -> dict[str, int]:
    """Every game's events lead to its stored state. Returns the version of each table."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert connection.execute("pragma foreign_key_check").fetchall() == []
        games = connection.execute("select id, version, turn_order, state, status, channel_id from games").fetchall()
        versions = {}
        for table, version, order, state, _status, _channel in games:
            rows = connection.execute(
                "select seq, lines from events where game_id = ? order by seq", (table,)
            ).fetchall()
            versions[table] = version
            if state is None:
                assert all(lines.startswith("remark ") for _seq, lines in rows)
                continue
            seqs = [seq for seq, _lines in rows]
            assert seqs == list(range(seqs[0], version + 1))
            (players,) = connection.execute("select count(*) from seats where game_id = ?", (table,)).fetchone()
            events = [parse_event(line) for _seq, lines in rows for line in lines.splitlines()]
            assert replay(players, TurnOrder(order), events) == game_from_json(json.loads(state))
        still_open = [channel for *_rest, status, channel in games if status in ("lobby", "playing")]
        assert len(still_open) == len(set(still_open)) <= TABLES
        numbers = connection.execute("select interaction_id from events where interaction_id not null").fetchall()
        assert len(numbers) == len(set(numbers))
    return versions
