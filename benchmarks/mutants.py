"""Mutation testing: ``python -m benchmarks.mutants --contexts FILE --junit FILE [options] PATH...``.

A mutant is the program with one small fault, such as a swapped comparison or a deleted statement. For each mutant of a
seeded sample, pytest runs tests that execute the changed line. A failing test kills the mutant. A mutant that survives
shows a line whose effect no test checks, or a change without effect. Only function bodies are mutated, because coverage
names no tests for code that runs at import.

The coverage data and the test durations come from one run of the suite with pytest-cov::

    printf '[run]\\nrelative_files = true\\nconcurrency = thread, greenlet\\n' > coverage.rc
    export COVERAGE_FILE=contexts
    pytest --cov=bot --cov-context=test --cov-config=coverage.rc --cov-report= --junitxml=times.xml

``--cap`` limits the tests of a mutant to a sum of durations. Half of it goes to the tests with the largest share of
their lines in the mutated file, the rest to the quickest. A test that exceeds ten times its duration by a margin counts
as failed. In the end all tests that killed a mutant run without a mutant; kills by those that fail are not counted.

pytest imports and collects once, then forks for each mutant. The fork replaces the code object of one function; no file
is changed, so child processes of a test run without the fault. Each result is a line of JSON in ``--out``; a second run
with the same file continues the first.
"""

import argparse
import faulthandler
import gc
import json
import os
import random
import re
import resource
import signal
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks.mutating import Site, replace_code, sites

MARGIN, CPU_MARGIN = 60.0, 15.0
"""Seconds added to ten times a test's duration before the fork is ended: of wall time and of CPU time."""
MEMORY = 6 * 2**30
"""Address space of a fork, in bytes: an endless loop may allocate without limit."""


class Coverage:
    """The tests of each line, from the files of coverage.py and pytest."""

    def __init__(self, contexts: Path, junit: Path, files: Collection[str]) -> None:
        self.seconds: dict[str, float] = {}
        """Duration of each test that passed and executes some of these files."""
        self._tests: dict[str, dict[int, set[str]]] = {file: defaultdict(set) for file in files}
        self._lines: dict[str, Counter[str]] = {file: Counter() for file in files}
        passed = {
            (case.get("classname"), case.get("name")): max(0.01, float(case.get("time", "0")))
            for case in ElementTree.parse(junit).iter("testcase")  # noqa: S314 - written by pytest
            if all(child.tag not in ("failure", "error", "skipped") for child in case)
        }
        # The schema: https://coverage.readthedocs.io/en/latest/dbschema.html.
        query = """select path, context, numbits from line_bits
            join file on file_id = file.id join context on context_id = context.id"""
        with closing(sqlite3.connect(f"{contexts.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            for path, context, numbits in connection.execute(query):
                test = re.sub(r"\|(setup|run|teardown)$", "", context)
                file = next((file for file in files if path == file or path.endswith(f"/{file}")), None)
                if file is not None and (seconds := passed.get(_junit_name(test))) is not None:
                    self.seconds[test] = seconds
                    for line in (
                        8 * at + bit for at, byte in enumerate(numbits) for bit in range(8) if byte >> bit & 1
                    ):
                        self._tests[file][line].add(test)
        for file, lines in self._tests.items():
            for tests in lines.values():
                self._lines[file].update(tests)

    def choose(self, site: Site, cap: float) -> list[str]:
        """Choose tests that execute the mutated line, up to ``cap`` seconds in all (at least one), quickest first."""
        by_line, in_file = self._tests[site.mutant.file], self._lines[site.mutant.file]
        tests = (set[str]().union(*(by_line.get(line, ()) for line in lines)) for lines in site.lines)
        quickest = sorted(next(filter(None, tests), ()), key=lambda test: (self.seconds[test], test))
        closest = sorted(quickest, key=lambda test: -in_file[test] / sum(lines[test] for lines in self._lines.values()))
        chosen, left = set(quickest[:1]), 0.0
        for order in (closest, quickest):
            left += cap / 2
            for test in order:
                if test not in chosen and self.seconds[test] <= left:
                    left -= self.seconds[test]
                    chosen.add(test)
        return [test for test in quickest if test in chosen]


def _junit_name(test: str) -> tuple[str, str]:
    node, bracket, parameters = test.partition("[")
    file, *classes = node.split("::")
    name = classes.pop() if classes else ""
    return ".".join([file.removesuffix(".py").replace("/", "."), *classes]), name + bracket + parameters


Trials = Generator[tuple[Site | None, Sequence[str]], Sequence[str], None]
"""Yields a mutant, or None, with the tests to run; is sent the tests that failed."""


def trials(sample: Sequence[Site], coverage: Coverage, cap: float, until: float, out: Path) -> Trials:
    """Try mutants one by one until the monotonic clock reaches ``until``, append the results to ``out`` and sum up."""
    results = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
    for at, site in enumerate(sample, 1):
        if time.monotonic() > until:
            break
        if any(asdict(site.mutant).items() <= result.items() for result in results):
            continue
        if "super()" in site.mutant.before and "super()" not in site.mutant.after:
            continue  # such code does not fit into the function: it would lack the cell that super() needs
        tests, began = coverage.choose(site, cap), time.monotonic()
        failed = (yield site, tests) if tests else ()
        verdict = "no-test" if not tests else "killed" if failed else "survived"
        taken = round(time.monotonic() - began, 2)
        by = next(iter(failed), None)
        results.append(asdict(site.mutant) | {"verdict": verdict, "by": by, "tests": len(tests), "seconds": taken})
        with out.open("a", encoding="utf-8") as file:
            print(json.dumps(results[-1]), file=file)
        print(at, f"{site.mutant.file}:{site.mutant.line}", site.mutant.operator, verdict, f"{taken} s", flush=True)
    killers = sorted({result["by"] for result in results} & coverage.seconds.keys())
    unreliable = (yield None, killers) if killers else ()
    print("\n".join(summary(results, unreliable)), flush=True)


def summary(results: Iterable[Mapping[str, Any]], unreliable: Collection[str]) -> Iterator[str]:
    """Write a table of the results, in all and by file."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        for row in ("", result["file"]):
            rows[row][result["verdict"]] += result["by"] not in unreliable
    yield f"{'':40}  killed survived  no test    rate"
    for name, found in sorted(rows.items()):
        numbers = [found[verdict] for verdict in ("killed", "survived", "no-test")]
        columns = "".join(f"{number:8} " for number in numbers)
        yield f"{name or 'all':40}{columns}{numbers[0] / (sum(numbers) or 1):7.1%}"
    yield from (f"not counted, fails without a mutant: {test}" for test in unreliable)


class Forks:
    """A plugin of pytest that runs each trial in a fork."""

    def __init__(
        self, trials: Trials, seconds: Mapping[str, float], sources: Mapping[str, bytes], scratch: Path
    ) -> None:
        self._trials, self._seconds, self._sources = trials, seconds, sources
        self._notes, self._nowhere = scratch / "notes", Path(os.devnull).open("w")  # noqa: SIM115 - until the end
        self.forked = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run the trials after pytest's collection. A fork returns None, and its pytest runs the tests of the trial."""
        if session.testsfailed:
            return None
        items = {item.nodeid: item for item in session.items}
        with suppress(StopIteration):
            site, tests = next(self._trials)
            while True:
                self._notes.write_text("")
                if not (child := os.fork()):
                    session.items[:] = [items[test] for test in tests if test in items]
                    self._begin(site, session.config)
                    return None
                site, tests = self._trials.send(self._failed(child))
        return True

    def _begin(self, site: Site | None, config: pytest.Config) -> None:
        self.forked = True
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        config.pluginmanager.unregister(name="terminalreporter")
        config.option.maxfail = 0 if site is None else 1
        self._arm(0.0)
        if site is not None:
            # Some of the command line is imported by the command that needs it.
            import_module(site.mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
            replace_code(site, self._sources[site.mutant.file])
        gc.freeze()  # or the ten collections at the end of pytest would visit every imported object

    def _failed(self, child: int) -> list[str]:
        """Return the tests that failed in a fork, or a description of how else it ended."""
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # child processes of the tests
        notes = [json.loads(line) for line in self._notes.read_text("utf-8").splitlines()]
        failed = [test for test, what in notes if what == "failed"]
        if code == pytest.ExitCode.INTERNAL_ERROR and not notes:
            raise RuntimeError("a mutant could not be made; the traceback is above")
        if code and not failed:
            hangs = notes and code in (pytest.ExitCode.TESTS_FAILED, -signal.SIGPROF)
            return [f"{notes[-1][0]} hangs" if hangs else f"pytest ends with {code}"]
        return failed

    def _note(self, test: str, what: str) -> None:
        with self._notes.open("a", encoding="utf-8") as file:
            print(json.dumps([test, what]), file=file)

    def _arm(self, seconds: float) -> None:
        """End this process unless it calls this again in time."""
        faulthandler.dump_traceback_later(10 * seconds + MARGIN, exit=True, file=self._nowhere)
        signal.setitimer(signal.ITIMER_PROF, 10 * seconds + CPU_MARGIN)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.forked:
            self._note(nodeid, "began")
            self._arm(self._seconds.get(nodeid, 0.0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.forked and report.failed:
            self._note(report.nodeid, "failed")

    def pytest_sessionfinish(self) -> None:
        if self.forked:
            self._arm(0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutation testing by coverage.")
    parser.add_argument("paths", nargs="+", type=Path, help="files and folders to mutate")
    parser.add_argument("--contexts", type=Path, required=True, help="coverage data with a context per test")
    parser.add_argument("--junit", type=Path, required=True, help="JUnit report of the same run")
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--cap", type=float, default=60.0, help="seconds of tests per mutant")
    parser.add_argument("--minutes", type=float, default=1e6, help="start no mutant after this time")
    chosen = parser.parse_args()
    until = time.monotonic() + 60 * chosen.minutes
    files = sorted({file for path in chosen.paths for file in ([path] if path.is_file() else path.rglob("*.py"))})
    sources = {file.as_posix(): file.read_bytes() for file in files}
    everything = [site for file, source in sources.items() for site in sites(file, source)]
    sample = random.Random(chosen.seed).sample(everything, min(chosen.count, len(everything)))
    coverage = Coverage(chosen.contexts, chosen.junit, sources)
    print(f"{len(sample)} of {len(everything)} mutants; {len(coverage.seconds)} tests run these files", flush=True)
    code = 70
    with TemporaryDirectory(prefix="mutants-") as folder:
        scratch = Path(folder)
        forks = Forks(trials(sample, coverage, chosen.cap, until, chosen.out), coverage.seconds, sources, scratch)
        tested = sorted({test.partition("::")[0] for test in coverage.seconds})
        options = [
            "-q",
            "-p",
            "no:cacheprovider",
            f"--basetemp={scratch / 'tests'}",
            "-o",
            "tmp_path_retention_policy=failed",
        ]
        try:
            code = int(pytest.main([*tested, *options], plugins=[forks]))
        finally:
            if forks.forked:
                os._exit(code)


if __name__ == "__main__":
    main()
