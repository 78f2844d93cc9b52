"""Common parts of all benchmarks: options, figures beside their targets, and the exit code."""

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
"""Makes an option of what ``ArgumentParser.add_argument`` takes."""
QUICK = option("--quick", action="store_true", help="a small run, to see that it works")
FOLDER = option("--folder", type=Path, help="where the databases go: a commit costs what its disk costs")


class Report:
    """Prints figures as they are measured, and keeps the targets that were missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def line(self, what: str, figures: object, target: str = "", met: bool = True) -> None:
        """Print a figure; ``met`` is True if it meets its target."""
        mark = f"   target {target}" + ("" if met else ", MISSED") if target else ""
        print(f"{what:52} {figures!s:>30}{mark}", flush=True)
        self.expect(f"{what}: {figures}, target {target}", met)

    def expect(self, target: str, met: bool) -> None:
        if not met:
            self.missed.append(target)


def run(
    document: str | None,
    measure: Callable[[Arguments, Report], Coroutine[Any, Any, None] | None],
    *options: Callable[[argparse.ArgumentParser], object],
) -> NoReturn:
    """Measure as the command line says. With ``--check`` the exit code is 1 where a target is missed."""
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
    """Return the value that all but the slowest hundredth stay below."""
    return quantiles(times, n=100, method="inclusive")[98]


def in_ms(seconds: Sequence[float]) -> str:
    """Format the median and 99th percentile in milliseconds, and the number of values."""
    return f"{median(seconds) * 1000:.2f}, {p99(seconds) * 1000:.2f} ms, {len(seconds)} x"
