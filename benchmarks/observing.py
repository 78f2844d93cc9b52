"""What observing costs: ``python -m benchmarks.observing [--check]``.

Measures, on this machine, medians of several runs:

* what counting and timing adds to one move: everything of ``bot.observing`` that a press of a button goes through, from
  its arrival to its landing, with nothing in between. Target: at most 0.1 ms (a move takes some milliseconds);
* one line of the log, as text and as JSON;
* writing all metrics out, which is done on the event loop, and counting the backlog with 10,000 finished tables.
  Target for both together: at most 25 ms.
"""

import argparse
import asyncio
import io
import logging
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bot.observing.context import also, nobody
from bot.observing.in_flight import InFlightInteractions, answered, committed
from bot.observing.logs import LogFormat, formatter
from bot.observing.metrics import InteractionKind, Metrics
from bot.operations.backlog import load_backlog
from bot.store.database import Database, parse_url
from bot.store.schema import migrate
from highscore.events import Decided, TakeDice

MOVE_TARGET = 0.1
SCRAPE_TARGET = 25.0
"""Milliseconds."""
TABLES = 10_000
RUNS, TIMES = 7, 2_000

clock = time.perf_counter


async def moves(*, observed: bool) -> float:
    """Milliseconds for one press: its task, with or without what is observed of it."""
    metrics = Metrics()
    flying = InFlightInteractions(metrics)
    happened = (Decided(0, TakeDice()),)

    async def handle(arrived: float) -> None:
        if observed:
            flying.begin(
                InteractionKind.BUTTON,
                arrived,
                game="5f0c9a17e2b4",
                guild=2,
                channel=3,
                interaction=1,
                user=4,
                command="take",
            )
            metrics.moved(happened)
            committed()
            answered()

    began = clock()
    for _ in range(TIMES):
        await asyncio.create_task(handle(clock()))
    await asyncio.sleep(0)
    return (clock() - began) / TIMES * 1000


def line(form: LogFormat) -> float:
    """Milliseconds for one line with ids."""
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(formatter(form, {"a-token", "a-password"}))
    record = logging.makeLogRecord(
        {"name": "bot", "levelno": 20, "levelname": "INFO", "msg": "table %s", "args": ("x",)}
    )
    with nobody():
        also(game="5f0c9a17e2b4", guild=2**60, channel=2**60, interaction=2**60, user=2**60)
        began = clock()
        for _ in range(TIMES):
            handler.emit(record)
        return (clock() - began) / TIMES * 1000


def written_out() -> float:
    """Milliseconds to write all metrics out."""
    metrics = Metrics()
    began = clock()
    for _ in range(50):
        metrics.text()
    return (clock() - began) / 50 * 1000


async def counted(file: Path) -> float:
    """Milliseconds to count the backlog."""
    database = Database(parse_url(f"sqlite:///{file.as_posix()}"))
    try:
        await migrate(database)
        fill(file)
        now = datetime.now(UTC)
        await count(database, now)
        began = clock()
        for _ in range(50):
            await count(database, now)
        return (clock() - began) / 50 * 1000
    finally:
        await database.close()


async def count(database: Database, now: datetime) -> None:
    await database.read(load_backlog, now)


def fill(file: Path) -> None:
    """Finished tables, of which nothing is owed."""
    row = "insert or ignore into games (id, guild_id, channel_id, host_id, status, version, locale, max_seats,"
    row += " turn_order, deck, seed, seal, options, timing, news, shown_version, shown_page, page_since, log,"
    row += " created_at, updated_at)"
    row += " values (?, 1, 1, 1, 'finished', 50, 'en', 5, 'open', '{}', x'00', '', '{}', '{}', '[]', 50, 7, 50, '[]',"
    row += " ?, ?)"
    with closing(sqlite3.connect(file)) as connection, connection:
        moment = "2026-01-01 00:00:00.000000"
        connection.executemany(row, ((f"{number:012x}", moment, moment) for number in range(TABLES)))


def middle(measure: Callable[[], float]) -> float:
    return median(measure() for _ in range(RUNS))


def run(work: Callable[[], Awaitable[float]]) -> float:
    async def once() -> float:
        return await work()

    return asyncio.run(once())


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say whether the targets were met."""
    parser = argparse.ArgumentParser(prog="benchmarks.observing", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    options = parser.parse_args(arguments)
    bare = middle(lambda: run(lambda: moves(observed=False)))
    observed = middle(lambda: run(lambda: moves(observed=True)))
    text, json = middle(lambda: line("text")), middle(lambda: line("json"))
    out = middle(written_out)
    with tempfile.TemporaryDirectory() as folder:
        backlog = run(lambda: counted(Path(folder) / "games.sqlite3"))
    print(f"{'a press that is not observed (its task alone)':52} {bare:8.4f} ms")
    print(f"{'a press that is observed':52} {observed:8.4f} ms")
    print(f"{'  so observing adds to a move':52} {observed - bare:8.4f} ms   target {MOVE_TARGET:g}")
    print(f"{'a line of the log as text':52} {text:8.4f} ms")
    print(f"{'a line of the log as JSON':52} {json:8.4f} ms")
    print(f"{'writing all metrics out':52} {out:8.4f} ms")
    print(f"{f'counting the backlog beside {TABLES:,} finished tables':52} {backlog:8.4f} ms")
    print(f"{'  so a scrape takes':52} {out + backlog:8.4f} ms   target {SCRAPE_TARGET:g}")
    missed = observed - bare > MOVE_TARGET or out + backlog > SCRAPE_TARGET
    if missed:
        print("MISSED")
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
