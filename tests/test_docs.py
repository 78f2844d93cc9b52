"""Checks that all that documents point to is there: files, folders, headings, benchmarks, variables."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")))
ROOMS = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != ".git"}
NOT_YET = {"bot/locales/cs/LC_MESSAGES/highscore.po"}
"""The files that a document tells its reader to make."""


@cache
def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def prose(name: str) -> str:
    """Return a document without its blocks of code, in which a # is no heading."""
    return re.sub(r"^ *```.*?^ *```", "", read(name), flags=re.MULTILINE | re.DOTALL)


def anchors(name: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(name), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def named_paths(text: str) -> set[str]:
    quoted = re.findall(r"`([\w./-]+)`", text)
    return {path for path in quoted if "/" in path and path.partition("/")[0] in ROOMS}


def test_what_a_document_names_is_there() -> None:
    named = [(name, path) for name in DOCUMENTS for path in named_paths(read(name)) - NOT_YET]
    # What lies in data/ only a bot that runs makes.
    assert [each for each in named if not each[1].startswith("data/") and not (ROOT / each[1]).exists()] == []


def test_links_lead_somewhere() -> None:
    links = [(name, to) for name in DOCUMENTS for to in re.findall(r"\]\((?!https?://)([^)\s]+)\)", prose(name))]
    assert len(links) > 20
    for name, target in links:
        file, _, anchor = target.partition("#")
        path = (ROOT / name).parent / file if file else ROOT / name
        assert path.exists(), (name, target)
        if anchor:
            assert anchor in anchors(path.resolve().relative_to(ROOT).as_posix()), (name, target)


def threats() -> list[list[str]]:
    table = [line for line in read("docs/security.md").splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]
    assert rows[0] == ["who", "wants", "what prevents it", "tested in"]
    return [row for row in rows[1:] if set("".join(row)) != {"-"}]


def test_every_threat_names_the_tests_of_what_stops_it() -> None:
    rows = threats()
    assert len(rows) >= 15
    for row in rows:
        assert len(row) == 4, row
        tests = named_paths(row[3])
        assert tests, f"nothing says where this is tested: {row[0]}, {row[1]}"
        assert all(path.startswith("tests/") for path in tests)
        # A file without its folder would not be looked for.
        assert all("/" in name for name in re.findall(r"`([^`]+\.py)`", "".join(row)))
