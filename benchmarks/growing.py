"""What a click costs where much is stored: ``python -m benchmarks.growing [--check] [--quick] [--folder FOLDER]``.

From a press to its answer, in text, on a simulated Discord (simcord) with real database files: with 100,000 finished
games and 10,000 open tables beside 10 of each, a game each in turns. Target: the median of nine runs' ratios is at
most 1.1.

Then, each in a process of its own, what the imports take of the memory, a bot that has played one game with pictures,
and what 200 tables that are played and 10,000 finished games add to that. Target: at most 30 MB.

``--check`` exits with 1 when a target is missed.
"""

import argparse
import asyncio
import gc
import logging
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.clicking import Stopwatch, begin, current, idle, remove, serving, some_click
from benchmarks.community import make
from benchmarks.start import copy_tables
from bot.services.setup import change_settings
from tests.bot.server import Server

RUNS = 9
SLOWER = 1.1
MEGABYTES = 30.0
PLAYED = 200
"""Tables at which somebody clicks while the memory is measured."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is stored."""

    finished: int
    open: int


SMALL, LARGE = Size(10, 10), Size(100_000, 10_000)
IN_MEMORY = Size(10_000, 0)


def fill(file: Path, size: Size) -> None:
    """A database of finished games and open tables."""
    make(file, size.finished)
    if size.open:
        asyncio.run(copy_tables(file, size.open))


async def play(server: Server, rng: random.Random, clicks: int) -> list[float]:
    """Play a game, or its first clicks: the seconds from each press to its answer."""
    table = await begin(server)
    times: list[float] = []
    stopwatch = Stopwatch(server.env, server.channel)
    with stopwatch.watching():
        while table.status.open and len(times) < clicks:
            _began, taken = await stopwatch.click(some_click(server, table, rng))
            times.append(taken)
            await server.bot.delivery.settled()
            await server.env.settle()
            table = await current(server, table)
    return times


async def play_a_game(file: Path, seed: int) -> float:
    """Serve from a copy of this database and play a game: the median of its clicks, in seconds.

    Always from the same: simcord numbers presses alike every time, and no press is played twice.
    """
    copy = file.with_name("copy.sqlite3")
    shutil.copyfile(file, copy)
    async with serving(copy, pictures=False) as server:
        times = await play(server, random.Random(seed), sys.maxsize)
    remove(copy)
    return median(times)


def measure(small: Path, large: Path, runs: int) -> list[tuple[float, float]]:
    """The medians of each run, in seconds."""
    medians = []
    for run in range(runs + 1):
        files = [small, large][:: 1 if run % 2 else -1]
        taken = {file: asyncio.run(play_a_game(file, run)) for file in files}
        medians.append((taken[small], taken[large]))
    return medians[1:]  # The first run warms everything up.


def resident() -> float:
    """The memory of this process, in MB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


async def play_at(file: Path, tables: int) -> None:
    """Play a game, so that what it needs is there, and some clicks at each of so many tables; print the memory."""
    rng = random.Random(1)
    async with serving(file, pictures=True) as server:
        server.bot.core.tables_per_channel = tables + 1
        await play(server, rng, sys.maxsize)
        # simcord keeps every picture it was sent, 40 KB each; how many the bot keeps does not depend on the tables.
        await change_settings(server.bot.core, server.guild.id, pictures=False)
        for _ in range(tables):
            await play(server, rng, 3)
        gc.collect()
        print(resident())


def memory(call: str) -> float:
    """What a process of its own prints last that does this, after the imports."""
    code = f"from pathlib import *; import asyncio, logging, benchmarks.growing as g; logging.disable(30); {call}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def report(
    sizes: tuple[Size, Size], runs: list[tuple[float, float]], memories: Sequence[float], tables: int
) -> list[str]:
    """Print the figures; the targets that were missed."""
    for size, times in zip(sizes, zip(*runs, strict=True), strict=True):
        between = f"{min(times) * 1000:.2f} to {max(times) * 1000:.2f} ms"
        print(f"{size.finished:>7,} finished games, {size.open:>6,} open: {median(times) * 1000:5.2f} ms, {between}")
    ratios = [large / small for small, large in runs]
    spread = f"{min(ratios):.2f} to {max(ratios):.2f} in {len(runs)} runs"
    slower = f"a click takes {median(ratios):.2f} times, {spread}, target {SLOWER:g}"
    imports, one, many = memories
    what = f"{tables} tables and {IN_MEMORY.finished:,} games"
    larger = f"{what} add {many - one:.0f} MB, target {MEGABYTES:g}"
    print(f"{slower}\nimports take {imports:.0f} MB, a bot and a game {one - imports:.0f} MB more, {larger}")
    return [*([slower] if median(ratios) > SLOWER else []), *([larger] if many - one > MEGABYTES else [])]


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say whether the targets were met."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(prog="benchmarks.growing", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument("--quick", action="store_true", help="a small run, to see that it works")
    parser.add_argument("--folder", type=Path, help="where the databases go")
    options = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    sizes = (SMALL, Size(100, 100) if options.quick else LARGE)
    runs, tables = (2, 5) if options.quick else (RUNS, PLAYED)
    with tempfile.TemporaryDirectory(dir=options.folder) as name, idle(1e-5):
        small, large, played = (Path(name) / f"{which}.sqlite3" for which in ("small", "large", "played"))
        for file, size in ((small, sizes[0]), (large, sizes[1]), (played, IN_MEMORY)):
            fill(file, size)
        times = measure(small, large, runs)
        calls = (
            "print(g.resident())",
            *(f"asyncio.run(g.play_at({file!r}, {count}))" for file, count in ((small, 0), (played, tables))),
        )
        missed = report(sizes, times, [memory(call) for call in calls], tables)
    for sentence in missed:
        print(f"MISSED: {sentence}")
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
