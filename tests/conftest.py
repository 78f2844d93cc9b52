"""Common parts of all tests: the number of Hypothesis's examples, and the databases they run on.

The examples are always the same, so a red run stays red. ``HIGHSCORE_LARGE=1`` looks further, with new ones each time.
"""

import gc
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Engine

import bot.store.sqlite
from tests import simulation
from tests.browser import browser
from tests.discord import contract
from tests.sampling import LARGE

__all__ = ["browser"]

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

SAME = settings(derandomize=True, database=None, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("quick", SAME, max_examples=5)
settings.register_profile("thorough", SAME, max_examples=25)
settings.register_profile("large", deadline=None, max_examples=1_000, print_blob=True, suppress_health_check=_SLOW)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the number of examples: few where the tests that take long are left out."""
    quick = config.option.markexpr == "not long"
    settings.load_profile("large" if LARGE else "quick" if quick else "thorough")


# While tests are collected hardly anything becomes garbage, and looking for it took a tenth of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what lives as long as the tests: it took a seventh of their time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def no_power_cuts() -> Iterator[None]:
    """Do not wait for the disk at each commit: what a killed process has committed, the system keeps all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.store.sqlite, "DURABILITY", "synchronous=OFF")
        yield


class _Compiled(dict[tuple[Any, ...], Any]):
    """Compiled statements by all that they depend on but the dialect, which comes first and is each engine's own."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(key[1:], compiled)


@pytest.fixture(autouse=True, scope="session")
def statements_are_compiled_once() -> Iterator[None]:
    """Let all engines of a kind share their compiled statements: each test has engines of its own, and short ones."""
    compiled = defaultdict[type, _Compiled](_Compiled)
    shared = property(lambda engine: compiled[type(engine.dialect)], lambda _engine, _own: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "_compiled_cache", shared, raising=False)
        yield


@pytest.fixture(autouse=True, scope="session")
def simcord_is_held_to_discord() -> Iterator[None]:
    """Let what simcord carries go past Discord's description, as what the fake on sockets carries always does."""
    with simulation.held_to_discord():
        yield


@pytest.fixture(autouse=True)
def as_discord_describes_it() -> Iterator[None]:
    """Fail a test in which something was sent to Discord, or came from it, that its description does not know."""
    yield
    found = list(dict.fromkeys(contract.broken))
    contract.broken.clear()
    if found:
        pytest.fail("not as Discord describes it:\n" + "\n".join(found))


BOTH_DATABASES = ("bot/store", "faults")
"""Folders whose tests run on PostgreSQL too, unless they are marked. Elsewhere those are marked that need it: locks,
claims or SQL decide."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize every test that uses a database with the databases it runs on: the nearest mark says which."""
    if "database_url" not in metafunc.fixturenames:
        return
    kinds = {
        "sqlite": pytest.param("sqlite", id="sqlite"),
        "postgresql": pytest.param("postgresql", id="postgresql", marks=pytest.mark.postgresql),
    }
    marked = {"both_databases": [*kinds], "only_sqlite": ["sqlite"], "only_postgresql": ["postgresql"]}
    folder = metafunc.definition.path.parent.relative_to(Path(__file__).parent).as_posix()
    otherwise = "both_databases" if folder.startswith(BOTH_DATABASES) else "only_sqlite"
    mark = next((each.name for each in metafunc.definition.iter_markers() if each.name in marked), otherwise)
    metafunc.parametrize("database_url", [kinds[kind] for kind in marked[mark]], indirect=True)


MOST_REASONS = 4
"""The number of different reasons for skipped tests that are listed."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """List why tests were skipped, once for each reason, and how to run each failed test alone."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    for reason, number in reasons.most_common(MOST_REASONS):
        terminalreporter.write_line(f"{number} skipped: {reason}")
    if others := reasons.total() - sum(number for _reason, number in reasons.most_common(MOST_REASONS)):
        terminalreporter.write_line(f"{others} skipped for other reasons; pytest -rs lists them")
    failed = [*terminalreporter.stats.get("failed", []), *terminalreporter.stats.get("error", [])]
    large = "HIGHSCORE_LARGE=1 " if LARGE else ""
    marked = "" if config.option.markexpr == "not long" else f"-m {shlex.quote(config.option.markexpr)} "
    for report in failed:
        terminalreporter.write_line(f"run it alone: {large}python -m pytest {marked}{shlex.quote(report.nodeid)}")
    if failed:
        terminalreporter.write_line("Random numbers are seeded: the test draws the same ones each time.")
