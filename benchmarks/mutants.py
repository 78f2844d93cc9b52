"""Mutation testing: ``python -m benchmarks.mutants --contexts FILE --junit FILE [options] PATH...``.

A mutant is the program with one small fault, such as a swapped comparison or a deleted statement. For each mutant of a
random sample, pytest runs tests that run the changed line. If one fails, the mutant is killed. If none fails, either
no test checks the effect of the line, or the change has no effect. Only function bodies are mutated, because the
coverage data names no tests for code that runs at import.

The coverage data and the durations of the tests come from one run of the tests with pytest-cov::

    printf '[run]\\nrelative_files = true\\nconcurrency = thread, greenlet\\n' > coverage.rc
    export COVERAGE_FILE=contexts
    pytest --cov=bot --cov-context=test --cov-config=coverage.rc --cov-report= --junitxml=times.xml

``--cap`` limits the time for the tests of a mutant. Half of it goes to the tests with the largest share of their lines
in the mutated file, the rest to the quickest tests. A test that runs for more than ten times its duration plus a margin
counts as failed. In the end, all tests that killed a mutant run without a mutant. Kills by tests that fail then are not
counted.

pytest imports and collects once, then forks for each mutant. The fork replaces the code object of one function. No file
is changed, so child processes of a test run without the fault. Each result is a line of JSON in ``--out``. Another run
with the same file continues the first. There is no target. By default there are 400 mutants, and the tests of
each take at most a minute.
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

from benchmarks.mutating import Site, find_sites, replace_code

MARGIN, CPU_MARGIN = 60.0, 15.0
"""The margins that are added to ten times a test's duration: seconds of wall-clock time and of CPU time."""
MEMORY = 6 * 2**30
"""The address space of a fork in bytes, because an endless loop may allocate without limit."""


class Coverage:
    """The tests that run each line, read from the files of coverage.py and pytest."""

    def __init__(self, contexts: Path, junit: Path, files: Collection[str]) -> None:
        self.seconds: dict[str, float] = {}
        """The duration of each test that passed and runs code in these files."""
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
        """Return tests that run the mutated line, the quickest first.

        Together they take at most about ``cap`` seconds. The quickest test is always chosen. Empty if no test runs the
        line.
        """
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
"""A generator that yields a mutant (or None) with the tests to run, and receives the tests that failed."""


def run_trials(sample: Sequence[Site], coverage: Coverage, cap: float, until: float, out: Path) -> Trials:
    """Try mutants until the monotonic clock reaches ``until``. Append the results to ``out``, then print a summary."""
    results = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
    for at, site in enumerate(sample, 1):
        if time.monotonic() > until:
            break
        if any(asdict(site.mutant).items() <= result.items() for result in results):
            continue
        if "super()" in site.mutant.before and "super()" not in site.mutant.after:
            continue  # a function does not accept code with fewer free variables, and super() has one
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
    print("\n".join(summarize(results, unreliable)), flush=True)


def summarize(results: Iterable[Mapping[str, Any]], unreliable: Collection[str]) -> Iterator[str]:
    """Yield the lines of a table of the results, in all and by file."""
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
        """Run the trials after the collection. In a fork, return None so that pytest runs the tests of the trial."""
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
                site, tests = self._trials.send(self._wait_for(child))
        return True

    def _begin(self, site: Site | None, config: pytest.Config) -> None:
        self.forked = True
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        config.pluginmanager.unregister(name="terminalreporter")
        config.option.maxfail = 0 if site is None else 1
        self._arm(0.0)
        if site is not None:
            # Some modules of the command line are imported only by their command.
            import_module(site.mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
            replace_code(site, self._sources[site.mutant.file])
        gc.freeze()  # otherwise the ten collections at the end of pytest visit every imported object

    def _wait_for(self, child: int) -> list[str]:
        """Wait for a fork. Return the tests that failed, or a line that says how else the fork failed, such as a
        hang."""
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
        """End this process after the time limit of a test that usually takes this many seconds. A further call starts
        the time again."""
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="files and folders to mutate")
    parser.add_argument("--contexts", type=Path, required=True, help="coverage data with the tests as contexts")
    parser.add_argument("--junit", type=Path, required=True, help="the JUnit report of the same run")
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"), help="file for the results")
    parser.add_argument("--seed", type=int, default=12, help="of the random sample")
    parser.add_argument("--count", type=int, default=400, help="the size of the random sample")
    parser.add_argument("--cap", type=float, default=60.0, help="seconds of tests for each mutant")
    parser.add_argument("--minutes", type=float, default=1e6, help="start no mutant after this time")
    chosen = parser.parse_args()
    until = time.monotonic() + 60 * chosen.minutes
    files = sorted({file for path in chosen.paths for file in ([path] if path.is_file() else path.rglob("*.py"))})
    sources = {file.as_posix(): file.read_bytes() for file in files}
    everything = [site for file, source in sources.items() for site in find_sites(file, source)]
    sample = random.Random(chosen.seed).sample(everything, min(chosen.count, len(everything)))
    coverage = Coverage(chosen.contexts, chosen.junit, sources)
    print(f"{len(sample)} of {len(everything)} mutants; {len(coverage.seconds)} tests run these files", flush=True)
    code = 70
    with TemporaryDirectory(prefix="mutants-") as folder:
        scratch = Path(folder)
        forks = Forks(run_trials(sample, coverage, chosen.cap, until, chosen.out), coverage.seconds, sources, scratch)
        tested = sorted({test.partition("::")[0] for test in coverage.seconds})
        options = f"-q -p no:cacheprovider --basetemp={scratch / 'tests'} -o tmp_path_retention_policy=failed"
        try:
            code = int(pytest.main([*tested, *options.split()], plugins=[forks]))
        finally:
            if forks.forked:
                os._exit(code)


if __name__ == "__main__":
    main()
