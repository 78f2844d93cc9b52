"""Cost of a click where much is stored: ``python -m benchmarks.growing``.

From a press to its answer, in text, on a simulated Discord (simcord) with real database files: with 100,000 finished
games and 10,000 open tables beside 10 of each, a game each in turns. Target: the median of nine runs' ratios is at
most 1.1.

Then, each in a process of its own, what the imports take of the memory, a bot that has played one game with pictures,
and what 200 tables that are played and 10,000 finished games add to that. Target: at most 30 MB.
"""

import asyncio
import gc
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.clicking import Stopwatch, begin, hurried_folder, play, remove, serving
from benchmarks.community import make
from benchmarks.report import FOLDER, QUICK, Arguments, Report, in_ms, run
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
    """The number of stored games."""

    finished: int
    open: int


SMALL, LARGE = Size(10, 10), Size(100_000, 10_000)
IN_MEMORY = Size(10_000, 0)


def fill(file: Path, size: Size) -> None:
    make(file, size.finished)
    if size.open:
        asyncio.run(copy_tables(file, size.open))


async def clicks(server: Server, rng: random.Random, most: int = sys.maxsize) -> list[float]:
    """Play a game, or its first clicks: the seconds from each press to its answer."""
    times: list[float] = []
    playing = play(server, await begin(server), rng, Stopwatch(server.env, server.channel))
    async for answered in playing:
        times.append(answered)
        if len(times) == most:
            break
    return times


async def play_a_game(file: Path, seed: int) -> float:
    """Serve from a copy of this database and play a game: the median of its clicks, in seconds.

    Always from the same: simcord numbers presses alike every time, and no press is played twice.
    """
    copy = file.with_name("copy.sqlite3")
    shutil.copyfile(file, copy)
    async with serving(copy, pictures=False) as server:
        times = await clicks(server, random.Random(seed))
    remove(copy)
    return median(times)


def compare(small: Path, large: Path, runs: int) -> list[tuple[float, float]]:
    """Return the medians of each run, in seconds."""
    medians = []
    for number in range(runs + 1):
        files = [small, large][:: 1 if number % 2 else -1]
        taken = {file: asyncio.run(play_a_game(file, number)) for file in files}
        medians.append((taken[small], taken[large]))
    return medians[1:]  # The first run warms everything up.


def resident() -> float:
    """Return the memory of this process, in MB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


async def play_at(file: Path, tables: int) -> None:
    """Play a game, so that what it needs is there, and some clicks at each of so many tables; print the memory."""
    rng = random.Random(1)
    async with serving(file, pictures=True) as server:
        server.bot.core.tables_per_channel = tables + 1
        await clicks(server, rng)
        # simcord keeps every picture it was sent, 40 KB each; how many the bot keeps does not depend on the tables.
        await change_settings(server.bot.core, server.guild.id, pictures=False)
        for _ in range(tables):
            await clicks(server, rng, 3)
        gc.collect()
        print(resident())


def memory(call: str) -> float:
    """Run this call in a process of its own, after the imports, and return the number that it prints last."""
    code = f"from pathlib import *; import asyncio, logging, benchmarks.growing as g; logging.disable(30); {call}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def measure(options: Arguments, report: Report) -> None:
    """Measure clicks beside little and much, then the memory."""
    sizes = (SMALL, Size(100, 100) if options.quick else LARGE)
    runs, tables = (2, 5) if options.quick else (RUNS, PLAYED)
    with hurried_folder(options.folder) as folder:
        small, large, played = (folder / f"{which}.sqlite3" for which in ("small", "large", "played"))
        for file, size in ((small, sizes[0]), (large, sizes[1]), (played, IN_MEMORY)):
            fill(file, size)
        times = compare(small, large, runs)
        calls = (
            "print(g.resident())",
            *(f"asyncio.run(g.play_at({file!r}, {count}))" for file, count in ((small, 0), (played, tables))),
        )
        imports, one, many = map(memory, calls)
    for size, medians in zip(sizes, zip(*times, strict=True), strict=True):
        stored = f"{size.finished:,} finished games, {size.open:,} open"
        report.line(f"a click beside {stored}: median, and of {runs} runs", in_ms(medians))
    ratios = [of_large / of_small for of_small, of_large in times]
    report.line("a click beside much, times as long", f"{median(ratios):.2f}", f"{SLOWER:g}", median(ratios) <= SLOWER)
    report.line("  in the runs", f"{min(ratios):.2f} to {max(ratios):.2f}")
    report.line("memory that the imports take", f"{imports:.0f} MB")
    report.line("  a bot and a game more", f"{one - imports:.0f} MB")
    what = f"  {tables} tables and {IN_MEMORY.finished:,} finished games more"
    report.line(what, f"{many - one:.0f} MB", f"{MEGABYTES:g} MB", many - one <= MEGABYTES)


if __name__ == "__main__":
    run(__doc__, measure, QUICK, FOLDER)
