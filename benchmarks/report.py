"""What all benchmarks share: options, figures next to their targets, and the exit code."""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from operator import methodcaller
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NoReturn

clock = time.perf_counter

Arguments = argparse.Namespace
option = partial(methodcaller, "add_argument")
"""Make an option. The arguments are those of ``ArgumentParser.add_argument``."""
QUICK = option("--quick", action="store_true", help="a small run that only shows whether the benchmark works")
FOLDER = option("--folder", type=Path, help="where to create the databases; the speed of its disk affects each commit")


class Report:
    """Prints figures as they are measured, and collects the missed targets."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def line(self, name: str, figures: object, target: str = "", is_met: bool = True) -> None:
        mark = f"   target {target}" + ("" if is_met else ", MISSED") if target else ""
        print(f"{name:52} {figures!s:>30}{mark}", flush=True)
        if not is_met:
            self.missed.append(f"{name}: {figures}, target {target}")

    def check(self, name: str, figure: float, most: float, unit: str = "") -> None:
        """Print a figure that should not be larger than ``most``."""
        self.line(name, f"{figure:.2f}{unit}", f"{most:g}{unit}", figure <= most)


def run(
    document: str | None,
    measure: Callable[[Arguments, Report], Coroutine[Any, Any, None] | None],
    *options: Callable[[argparse.ArgumentParser], object],
) -> NoReturn:
    """Parse the command line, measure, and exit: with ``--check`` and a missed target the exit code is 1."""
    parser = argparse.ArgumentParser(description=document, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    for add_to in options:
        add_to(parser)
    chosen, report = parser.parse_args(), Report()
    measuring = measure(chosen, report)
    if measuring is not None:
        asyncio.run(measuring)
    for sentence in report.missed:
        print(f"MISSED: {sentence}")
    sys.exit(1 if chosen.check and report.missed else 0)


def p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100, method="inclusive")[98]


def in_ms(seconds: Sequence[float]) -> str:
    """Format the median and the 99th percentile in milliseconds, and the number of values."""
    return f"{median(seconds) * 1000:.2f}, {p99(seconds) * 1000:.2f} ms, {len(seconds)} x"
