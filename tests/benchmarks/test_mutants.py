"""Mutation testing finds mutants, chooses their tests and reports which of them are killed."""

import gc
import json
import runpy
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutants import Coverage, trials
from benchmarks.mutating import Site, mutated, replace_code, sites

SOURCE = '''"""Not 1 fault is in here."""
import logging
from dataclasses import dataclass

log = logging.getLogger(__name__)
LIMIT: int = 5


@dataclass(frozen=True)
class Die:
    faces: int = 6

    @property
    def sides(self):
        return self.faces

    @sides.setter
    def sides(self, faces):
        object.__setattr__(self, "faces", faces)


def clip(number: "list[1]", low=0, *, loud=False):
    """Between 2 limits."""
    log.info("clipped %d", number + 1)
    if number > LIMIT and not loud:
        return LIMIT
    if number is None:
        raise ValueError(f"{number + 1}", 1)
    sorted([number], key=abs)
    return max(number - 1 + 1, low)  # \N{EM DASH} text of more bytes than characters
'''
FILE = "clip.py"
FAULTS = [
    ("return", "return self.faces", "return None"),
    ("statement", 'object.__setattr__(self, "faces", faces)', "pass"),
    ("condition", "number > LIMIT and not loud", "(not (number > LIMIT and (not loud)))"),
    ("and, or", "number > LIMIT and not loud", "(number > LIMIT or not loud)"),
    ("comparison", "number > LIMIT", "(number >= LIMIT)"),
    ("not", "not loud", "(loud)"),
    ("return", "return LIMIT", "return None"),
    ("comparison", "number is None", "(number is not None)"),
    ("statement", "sorted([number], key=abs)", "pass"),
    ("keyword", "sorted([number], key=abs)", "(sorted([number]))"),
    ("return", "return max(number - 1 + 1, low)", "return None"),
    ("arithmetic", "number - 1 + 1", "(number - 1 - 1)"),
    ("arithmetic", "number - 1", "(number + 1)"),
    ("constant", "1", "(2)"),
    ("constant", "1", "(0)"),
    ("constant", "1", "(2)"),
    ("constant", "1", "(0)"),
]


@pytest.fixture
def found() -> list[Site]:
    return list(sites(FILE, SOURCE.encode()))


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Run SOURCE; yield the names that it defines."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path.resolve() / FILE
    file.write_text(SOURCE, "utf-8")
    yield runpy.run_path(str(file))
    # To find functions, everything that tests/conftest.py has frozen is thawed.
    gc.freeze()


def site_of(found: Sequence[Site], operator: str, before: str) -> Site:
    return next(it for it in found if (it.mutant.operator, it.mutant.before) == (operator, before))


def test_only_function_bodies_are_mutated(found: list[Site]) -> None:
    assert sorted((it.mutant.operator, it.mutant.before, it.mutant.after) for it in found) == sorted(FAULTS)
    assert {it.mutant.function for it in found} == {"Die.sides", "clip"}
    for site in found:
        text = mutated(SOURCE.encode(), site.mutant).decode()
        compile(text, FILE, "exec")
        changed = [new for new, old in zip(text.splitlines(), SOURCE.splitlines(), strict=True) if new != old]
        assert changed == [text.splitlines()[site.mutant.line - 1]]


def test_an_imported_function_is_replaced(found: list[Site], module: dict[str, Any]) -> None:
    clip, die = module["clip"], module["Die"]()
    replace_code(site_of(found, "arithmetic", "number - 1"), SOURCE.encode())
    assert (clip(7), clip(3)) == (5, 5)
    replace_code(site_of(found, "return", "return self.faces"), SOURCE.encode())
    assert die.sides is None
    replace_code(site_of(found, "statement", 'object.__setattr__(self, "faces", faces)'), SOURCE.encode())
    type(die).sides.fset(die, 8)
    assert die.faces == 6


def test_mutants_are_killed_survive_or_have_no_test(
    found: list[Site], module: dict[str, Any], tests: Coverage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run the trials in this process, which takes the place of the forks."""
    sample = [
        site_of(found, "comparison", "number > LIMIT"),
        site_of(found, "statement", "sorted([number], key=abs)"),
        site_of(found, "arithmetic", "number - 1"),
    ]
    told = []
    for _again in range(2):
        trying = trials(sample, tests, 60.0, float("inf"), tmp_path / "out.jsonl")
        failed: list[str] | None = None
        with suppress(StopIteration):
            while True:
                site, running = next(trying) if failed is None else trying.send(failed)
                if site is not None:
                    replace_code(site, SOURCE.encode())
                failed = [] if site is None or (module["clip"](7), module["clip"](3)) == (5, 3) else [running[0]]
        results = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
        assert [result["verdict"] for result in results] == ["survived", "no-test", "killed"]
        assert [result["line"] for result in results] == [25, 29, 30]
        told.append(capsys.readouterr().out.splitlines()[-2:])
    assert told[0] == told[1]
    assert told[0][0].split() == ["all", "1", "1", "1", "33.3%"]
    assert told[0][1].split() == [FILE, "1", "1", "1", "33.3%"]


def test_a_call_of_super_is_not_deleted(tests: Coverage, tmp_path: Path) -> None:
    source = b"class A(B):\n    def __init__(self):\n        super().__init__()\n"
    assert list(trials(list(sites(FILE, source)), tests, 60.0, float("inf"), tmp_path / "out.jsonl")) == []
    assert not (tmp_path / "out.jsonl").exists()


# ---------------------------------------------------------------------------------------------------- choosing tests

SECONDS = {"quick": 0.5, "about[a::b|c]": 3.0, "slow": 20.0, "elsewhere": 0.1, "broken": 0.1}
LINES = {
    FILE: {"quick": [25, 26], "about[a::b|c]": [25, 30], "slow": [30], "broken": [25]},
    "app/other.py": {"quick": [1, 2, 3, 4], "slow": [1], "elsewhere": [2]},
}


@pytest.fixture
def tests(tmp_path: Path) -> Coverage:
    """Make coverage data and durations as coverage.py and pytest write them."""
    with closing(sqlite3.connect(tmp_path / "contexts")) as connection, connection:
        connection.executescript(
            "pragma synchronous = off; create table file (id, path); create table context (id, context);"
            "create table line_bits (file_id, context_id, numbits)"
        )
        connection.execute("insert into context values ('', '')")
        for file, tests in LINES.items():
            connection.execute("insert into file values (?, ?)", (file, f"/somewhere/{file}"))
            for test, lines in tests.items():
                context = f"tests/test_clip.py::Some::{test}"
                bits = sum(1 << line for line in lines).to_bytes(4, "little")
                connection.execute("insert into context values (?, ?)", (file + context, f"{context}|run"))
                connection.execute("insert into line_bits values (?, ?, ?)", (file, file + context, bits))
    cases = "".join(
        f'<testcase classname="tests.test_clip.Some" name="{test}" time="{seconds}">'
        + ("<failure/>" if test == "broken" else "")
        + "</testcase>"
        for test, seconds in SECONDS.items()
    )
    (tmp_path / "times.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    return Coverage(tmp_path / "contexts", tmp_path / "times.xml", list(LINES))


@pytest.mark.parametrize(
    ("operator", "before", "cap", "chosen"),
    [
        ("comparison", "number > LIMIT", 60.0, ["quick", "about[a::b|c]"]),
        ("comparison", "number > LIMIT", 2.0, ["quick"]),
        ("return", "return LIMIT", 60.0, ["quick"]),
        ("arithmetic", "number - 1", 60.0, ["about[a::b|c]", "slow"]),
        ("arithmetic", "number - 1", 1.0, ["about[a::b|c]"]),  # at least one
        ("statement", "sorted([number], key=abs)", 60.0, []),
    ],
)
def test_tests_are_chosen_by_line_and_duration(
    found: list[Site], tests: Coverage, operator: str, before: str, cap: float, chosen: list[str]
) -> None:
    ids = tests.choose(site_of(found, operator, before), cap)
    assert [test.partition("::Some::")[2] for test in ids] == chosen
