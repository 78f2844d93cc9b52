"""How long a click takes: ``python -m benchmarks.moves``.

Measures, in one run on a simulated Discord (simcord) with a real database file:

* from a click to its answer, for every decision of whole games, in text and with pictures, beside the *floor*: a bot
  whose button only answers, with the very same messages and the ready pictures; and beside one durable commit of the
  same rows by bare ``sqlite3``. Target: the median is at most 2 times (floor + commit);
* the same until everything that follows is done (the note of what was shown written), and how many moves a second that
  makes, one after the other and at many tables at once;
* from the answer to a click that ends a turn until the next page is there, and noted. Target: the median is at most 1.5
  times that of a click.

The bots take turns, game by game, so that whatever else the machine does hits all of them.
How many moves a second can be committed, without Discord, is measured by benchmarks.writers; starting the bot by
benchmarks.start.
"""

import asyncio
import random
import sqlite3
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Self

from benchmarks.answering import press_floor
from benchmarks.clicking import (
    TABLES,
    Answer,
    Stopwatch,
    begin,
    current,
    hurried_folder,
    play,
    remove,
    serving,
    some_click,
)
from benchmarks.games import durable
from benchmarks.report import FOLDER, QUICK, Arguments, Report, clock, in_ms, run
from tests.simulation import click_together

CLICK_TARGET = 2.0
PAGE_TARGET = 1.5


@dataclass
class Measured:
    """Seconds of everything that was done more than once."""

    floor: dict[bool, list[float]] = field(default_factory=lambda: defaultdict(list))
    """From the click to the answer of a bot that does nothing else, without and with pictures."""
    commit: list[float] = field(default_factory=list)
    answer: dict[bool, list[float]] = field(default_factory=lambda: defaultdict(list))
    """From the click to the answer, without and with pictures."""
    settled: dict[bool, list[float]] = field(default_factory=lambda: defaultdict(list))
    """From the click until nothing more is to be done."""
    turned: dict[bool, list[float]] = field(default_factory=lambda: defaultdict(list))
    """From the answer until another message has followed it, and nothing more is to be done."""
    together: list[tuple[int, float]] = field(default_factory=list)
    """Moves that were asked for at the same time, and the seconds until all were done."""


async def play_game(measured: Measured, folder: Path, rng: random.Random, *, pictures: bool) -> list[Answer]:
    """Play one game, a click after the other; after each the same rows are committed by bare sqlite3.

    Returns what the clicks were answered with, for the floor.
    """
    file, bare = folder / "game.sqlite3", folder / "bare.sqlite3"
    async with serving(file, pictures=pictures) as server:
        table, stopwatch = await begin(server), Stopwatch(server.env, server.channel)
        with Rows(file, bare, table.id) as rows:
            async for answered, settled, turned in play(server, table, rng, stopwatch):
                measured.answer[pictures].append(answered)
                measured.settled[pictures].append(settled)
                measured.turned[pictures] += [settled - answered] * turned
                measured.commit.append(rows.commit())
    remove(file, bare)
    return stopwatch.answers


async def play_together(measured: Measured, folder: Path, rng: random.Random) -> None:
    """Play at many tables, a click at each of them at the same time."""
    file = folder / "together.sqlite3"
    async with serving(file, pictures=False) as server:
        tables = [await begin(server) for _ in range(TABLES)]
        while tables:
            clicks = [some_click(server, table, rng) for table in tables]
            began = clock()
            await click_together(server.env, server.channel, clicks)
            measured.together.append((len(clicks), clock() - began))
            tables = [table for before in tables if (table := await current(server, before)).status.open]
    remove(file)


class Rows:
    """What a move writes, written once more by bare sqlite3 into a file of its own, with the same durability."""

    def __init__(self, written: Path, own: Path, table_id: str) -> None:
        self._written = sqlite3.connect(written)
        self._written.row_factory = sqlite3.Row
        self._own = durable(own)
        for (statement,) in self._written.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
            self._own.execute(statement)
        self._table_id = table_id
        self._game = self._row("SELECT * FROM games WHERE id = ?", table_id)
        self._insert("games", self._game)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._written.close()
        self._own.close()

    def commit(self) -> float:
        """Commit what the last move changed and appended; the seconds it took."""
        game = self._row("SELECT * FROM games WHERE id = ?", self._table_id)
        event = self._row("SELECT * FROM events WHERE game_id = ? ORDER BY seq DESC LIMIT 1", self._table_id)
        changed = {name: value for name, value in game.items() if value != self._game[name]}
        assert "state" in changed
        update = f"UPDATE games SET {', '.join(f'{name} = ?' for name in changed)} WHERE id = ? AND version = ?"  # noqa: S608
        values = (*changed.values(), self._table_id, self._game["version"])
        self._game = game
        began = clock()
        self._own.execute("BEGIN IMMEDIATE")
        assert self._own.execute(update, values).rowcount == 1
        self._insert("events", event)
        self._own.execute("COMMIT")
        return clock() - began

    def _row(self, query: str, table_id: str) -> dict[str, Any]:
        return dict(self._written.execute(query, (table_id,)).fetchone())

    def _insert(self, name: str, row: dict[str, Any]) -> None:
        self._own.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", tuple(row.values()))  # noqa: S608


def tell(measured: Measured, report: Report) -> None:
    print(f"{'':52} {'median, p99':>30}")
    report.line("one durable commit of the same rows, sqlite3", in_ms(measured.commit))
    for pictures, what in ((False, "in text"), (True, "with pictures")):
        floor, answer, settled = (times[pictures] for times in (measured.floor, measured.answer, measured.settled))
        ratio = median(answer) / (median(floor) + median(measured.commit))
        turned = measured.turned[pictures]
        page = median(turned) / median(answer)
        report.line(f"floor {what}: click to answer, nothing else", in_ms(floor))
        report.line(f"move {what}: click to answer", in_ms(answer))
        report.line(f"move {what}: times (floor + commit)", f"{ratio:.2f}", f"{CLICK_TARGET:g}", ratio <= CLICK_TARGET)
        report.line(f"move {what}: click until all is done", in_ms(settled))
        report.line(f"next page {what}: answer until it is there", in_ms(turned))
        report.line(f"next page {what}: times a click", f"{page:.2f}", f"{PAGE_TARGET:g}", page <= PAGE_TARGET)
        report.line(f"moves a second {what}, one after the other", f"{len(settled) / sum(settled):.0f}")
    moves, seconds = map(sum, zip(*measured.together, strict=True))
    report.line(f"moves a second, {TABLES} tables at once, in text", f"{moves / seconds:.0f}")


def measure(options: Arguments, report: Report) -> None:
    """Whole games, the bots in turns."""
    measured, rng = Measured(), random.Random(1)
    with hurried_folder(options.folder) as folder:
        for number in range((2 if options.quick else 6) + 1):
            # The first round warms everything up and does not count.
            kept = measured if number else Measured()
            for pictures in (False, True):
                given = asyncio.run(play_game(kept, folder, rng, pictures=pictures))
                kept.floor[pictures] += asyncio.run(press_floor(given))
        asyncio.run(play_together(measured, folder, rng))
    tell(measured, report)


if __name__ == "__main__":
    run(__doc__, measure, QUICK, FOLDER)
