"""A day at tables whose people are not there together: how many games end, who plays for whom, what Discord is asked.

Run ``python -m benchmarks.day`` from a checkout; ``--tables`` changes how many there are of each kind. All of it takes
half an hour; ``--only`` and ``--medians`` choose what is measured. The services and the workers are the bot's own, on a
SQLite file, and their clock is turned. Discord is a counter: what the workers would send or edit is counted where they
hand it over.

People sit down at 8 in the morning and are awake for 16 hours a day. It takes them a time that is log-normal (sigma
1.0) around its median until they look at a table at which they can do something, and a turn takes 3 minutes. In own
pace whoever has played a card plays on with a chance of two thirds, or never. Who "does not wait" ends a game when they
look and all who have begun are done, as soon as the bot lets them. "Some absent": every tenth person never comes back.
"""

import asyncio
import itertools
import random
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.day.figures import HEADS, Figures, missed
from benchmarks.day.tables import WAYS, Day, Way
from benchmarks.report import Arguments, Report, clock, option, run

MEDIANS = (30, 60, 120)
"""Minutes."""


def one_day(way: Way, median: int, some_absent: bool, tables: int, folder: Path) -> Figures:
    """Let a day happen, with a database of its own."""
    day = Day(way, median, some_absent, tables, random.Random(f"{way.name} {median} {some_absent}"))
    asyncio.run(day.play(folder / f"{way.name} {median} {some_absent}.sqlite3"))
    return Figures.of(day)


def measure(options: Arguments, report: Report) -> None:
    """Measure all kinds of days that were asked for."""
    ways = [way for way in WAYS if options.only == way.name] or [way for way in WAYS if options.only in way.name]
    kinds = list(itertools.product(ways, options.medians, (False, True)))
    began = clock()
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(options.jobs) as pool:
        asked = [pool.submit(one_day, *kind, options.tables, Path(folder)) for kind in kinds]
        found = [one.result() for one in asked]
    print(f"{options.tables} tables of each kind, {clock() - began:.0f} s")
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * 3}{' --: |' * (len(HEADS) - 3)}")
    for figures in found:
        print(f"| {' | '.join(figures.row())} |")
    for figures in found:
        told = ", ".join(f"{count:.1f} {kind}" for kind, count in sorted(figures.requests.items()))
        print(f"requests, {', '.join(figures.row()[:3])}: {told}")
    report.missed += missed(found)


if __name__ == "__main__":
    run(
        __doc__,
        measure,
        option("--tables", type=int, default=200, help="of each kind, as many of each size"),
        option("--only", default="", help="the name of a way, or words that are in several"),
        option("--medians", type=int, nargs="+", default=MEDIANS, help="minutes"),
        option("--jobs", type=int, default=2, help="processes that share the work"),
    )
