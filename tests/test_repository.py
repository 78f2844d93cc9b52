"""Checks of the files themselves: locked requirements, documented commands, nothing of somebody's machine."""

import re
import runpy
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.sampling import lack

ROOT = Path(__file__).parents[1]
LOCKS = {
    "requirements-run.txt": "postgres",
    "requirements.txt": "play",
    "requirements-test.txt": "test",
    "requirements-dev.txt": "dev",
}
"""Each file with the extra it has to satisfy, the smallest first."""
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = ("linux", "darwin", "win32")


@cache
def project() -> dict[str, Any]:
    document: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return document


def wanted(extra: str) -> list[Requirement]:
    """List the requirements of pyproject.toml with this extra; extras of ours named in it are followed."""
    listed = [*map(Requirement, project()["dependencies"])]
    for requirement in map(Requirement, project()["optional-dependencies"][extra]):
        if canonicalize_name(requirement.name) == canonicalize_name(project()["name"]):
            for inner in requirement.extras:
                listed += wanted(inner)
        else:
            listed.append(requirement)
    return listed


def locked(text: str) -> list[tuple[Requirement, str]]:
    """Return the requirements of a lock file, each with the text that follows it: its hashes."""
    lines = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    entries = [line.partition(" --hash=") for line in lines.splitlines() if line.strip()]
    return [(Requirement(requirement), separator + hashes) for requirement, separator, hashes in entries]


def unmet(requirement: Requirement, pins: list[tuple[Requirement, str]]) -> Iterator[str]:
    """Yield each Python and system on which the pins do not give the requirement, and why."""
    for python in PYTHONS:
        for system in SYSTEMS:
            place = {
                "python_version": python,
                "python_full_version": f"{python}.0",
                "sys_platform": system,
                "platform_system": {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[system],
                "extra": "",
            }
            if requirement.marker is not None and not requirement.marker.evaluate(place):
                continue
            here = [
                pin
                for pin, _ in pins
                if canonicalize_name(pin.name) == canonicalize_name(requirement.name)
                and (pin.marker is None or pin.marker.evaluate(place))
            ]
            if len(here) != 1:
                yield f"{requirement} is pinned {len(here)} times for Python {python} on {system}"
            elif not requirement.specifier.contains(pinned(here[0]), prereleases=True):
                yield f"{here[0]} is not {requirement}"


def pinned(pin: Requirement) -> Version:
    """Return the one version a pin allows."""
    (specifier,) = pin.specifier
    assert specifier.operator == "=="
    return Version(specifier.version)


@pytest.mark.parametrize(("file", "extra"), LOCKS.items())
def test_the_locked_versions_are_what_pyproject_asks_for(file: str, extra: str) -> None:
    pins = locked((ROOT / file).read_text("utf-8"))
    assert [reason for requirement in wanted(extra) for reason in unmet(requirement, pins)] == [], "run .ci/lock"


@pytest.mark.parametrize("file", LOCKS)
def test_every_locked_version_is_exact_and_has_its_hashes(file: str) -> None:
    pins = locked((ROOT / file).read_text("utf-8"))
    assert len(pins) > 20
    for pin, hashes in pins:
        assert pin.url is None, f"{pin} comes from somewhere of its own"
        assert pinned(pin) > Version("0")
        assert re.fullmatch(r"( *--hash=sha256:[0-9a-f]{64})+\s*", hashes), f"{pin} has no hashes"


def test_what_is_tested_is_what_is_played_with() -> None:
    files = [{str(pin) for pin, _ in locked((ROOT / file).read_text("utf-8"))} for file in LOCKS]
    for smaller, larger in pairwise(files):
        assert smaller <= larger, "run .ci/lock"


@cache
def files() -> dict[str, str]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode != 0:
        # An archive has no list of its files.
        lack("this folder is no clone, so which files belong to the project is not known")
    found = {}
    for name in sorted(filter(None, listing.stdout.decode().split("\0"))):
        content = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" not in content:
            found[name] = content.decode("utf-8")
    return found


def lines_with(pattern: str) -> list[str]:
    expression = re.compile(pattern)
    return [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in files().items()
        for number, line in enumerate(text.splitlines(), 1)
        if expression.search(line)
    ]


# Each pattern is written so that it does not match its own line here.
@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"/(?:work|home|root|Users)[/]\w", id="a path of somebody's machine"),
        pytest.param(r"(?:pypi|pythonhosted|npmjs|debian)\.(?:org|com)(?!\w)", id="the address of a registry"),
        pytest.param(r"(?i)--(?:extra-)?index[-]url|--find[-]links|--trusted[-]host", id="an index of packages"),
        pytest.param(r"\b(?:TO[D]O|FIX[M]E|X{3})\b", id="something left to do"),
        pytest.param(r"^(?:<{7}|>{7}|={7})(?: |$)", id="a conflict of a merge"),
        pytest.param(r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}", id="a token of Discord"),
    ],
)
def test_nothing_in_the_files_that_does_not_belong_there(pattern: str) -> None:
    assert lines_with(pattern) == []


def readme_command() -> Callable[[str], str]:
    found: Callable[[str], str] = runpy.run_path(str(ROOT / ".ci" / "readme.py"))["command"]
    return found


@pytest.mark.parametrize(
    ("name", "lock", "ending"),
    [("play", "requirements.txt", "-m bot play"), ("test", "requirements-test.txt", "-m pytest -n 2 --dist worksteal")],
)
def test_the_readme_gives_one_command_to_play_and_one_to_test(name: str, lock: str, ending: str) -> None:
    command = readme_command()(name)
    assert "\n" not in command, "one command"
    assert f" {lock} " in command
    assert command.endswith(ending)
