"""Cost of observing: ``python -m benchmarks.observing``.

Measures, on this machine, medians of several runs:

* what counting and timing adds to one move: everything of ``bot.observing`` that a press of a button goes through, from
  its arrival to its landing, with nothing in between. Target: at most 0.1 ms (a move takes some milliseconds);
* one line of the log, as text and as JSON;
* writing all metrics out, which is done on the event loop, and counting the backlog with 10,000 finished tables.
  Target for both together: at most 25 ms.
"""

import asyncio
import io
import logging
import math
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from prometheus_client import generate_latest

from benchmarks.community import make
from benchmarks.report import Arguments, Report, clock, run
from bot.cli.common import open_database
from bot.observing.context import add_log_fields, without_log_fields
from bot.observing.in_flight import InFlightInteractions, note_answered, note_committed
from bot.observing.logs import LogFormat, make_formatter
from bot.observing.metrics import InteractionKind, Metrics
from bot.operations.backlog import load_backlog
from bot.store.database import parse_url
from highscore.events import Decided, TakeDice

MOVE_TARGET = 0.1
SCRAPE_TARGET = 25.0
"""Milliseconds."""
TABLES = 10_000
RUNS, TIMES = 7, 2_000


async def moves(*, observed: bool) -> float:
    """Return the milliseconds of one press: its task, with or without what is observed of it."""
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
            metrics.count_moves(happened)
            note_committed()
            note_answered()

    began = clock()
    for _ in range(TIMES):
        await asyncio.create_task(handle(clock()))
    await asyncio.sleep(0)
    return (clock() - began) / TIMES * 1000


def line(form: LogFormat) -> float:
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(make_formatter(form, {"a-token", "a-password"}))
    record = logging.makeLogRecord(
        {"name": "bot", "levelno": 20, "levelname": "INFO", "msg": "table %s", "args": ("x",)}
    )
    with without_log_fields():
        add_log_fields(game="5f0c9a17e2b4", guild=2**60, channel=2**60, interaction=2**60, user=2**60)
        began = clock()
        for _ in range(TIMES):
            handler.emit(record)
        return (clock() - began) / TIMES * 1000


def written_out() -> float:
    metrics = Metrics()
    began = clock()
    for _ in range(50):
        generate_latest(metrics.registry)
    return (clock() - began) / 50 * 1000


async def counted(file: Path) -> float:
    async with open_database(parse_url(f"sqlite:///{file.as_posix()}")) as database:
        now = datetime.now(UTC)
        await database.read(load_backlog, now)
        began = clock()
        for _ in range(50):
            await database.read(load_backlog, now)
        return (clock() - began) / 50 * 1000


def middle(measure: Callable[[], float]) -> float:
    return median(measure() for _ in range(RUNS))


def measure(_options: Arguments, report: Report) -> None:
    """Measure a press, a line of the log, and a scrape."""

    def tell(what: str, milliseconds: float, target: float = math.inf) -> None:
        limit = "" if target == math.inf else f"{target:g} ms"
        report.line(what, f"{milliseconds:.4f} ms", limit, milliseconds <= target)

    bare = middle(lambda: asyncio.run(moves(observed=False)))
    observed = middle(lambda: asyncio.run(moves(observed=True)))
    out = middle(written_out)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.sqlite3"
        make(file, TABLES)
        backlog = asyncio.run(counted(file))
    tell("a press that is not observed (its task alone)", bare)
    tell("a press that is observed", observed)
    tell("  so observing adds to a move", observed - bare, MOVE_TARGET)
    tell("a line of the log as text", middle(lambda: line("text")))
    tell("a line of the log as JSON", middle(lambda: line("json")))
    tell("writing all metrics out", out)
    tell(f"counting the backlog beside {TABLES:,} finished games", backlog)
    tell("  so a scrape takes", out + backlog, SCRAPE_TARGET)


if __name__ == "__main__":
    run(__doc__, measure)
