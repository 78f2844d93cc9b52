"""Checks of imports: downwards only, nothing in a circle, and nobody loads what is not theirs.

docs/architecture.md says what lies in which room.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HALL = {"__init__", "__main__", "app", "config", "shutdown"}
"""The modules of ``bot`` that lie in no room."""
FLOORS = (
    ("cli",),
    ("app",),
    ("cogs", "workers", "operations"),
    ("services", "discord_api"),
    ("ui", "store"),
    ("domain",),
    ("highscore",),
)
"""From the top: each room may use those on lower floors, none of its own floor."""
HELPERS = ("observing", "locales")
"""Used by all rooms but those that are pure."""
PURE = ("highscore", "domain", "playground", *HELPERS)
BELOW = {
    room: {below for floor in FLOORS[at + 1 :] for below in floor} for at, row in enumerate(FLOORS) for room in row
}
MAY_USE: dict[str, set[str]] = {
    **{room: below | (set() if room in PURE else set(HELPERS)) for room, below in BELOW.items()},
    "cli": BELOW["cli"] | {*HELPERS, "config", "shutdown", "playground"},
    "app": BELOW["app"] | {*HELPERS, "config", "shutdown"},
    "config": {"domain", "highscore", *HELPERS},
    "shutdown": set(),
    "observing": {"highscore"},
    "locales": {"highscore", "observing"},
    "playground": set(),
    "migrations": {"config", "store"},
}
ENGINE_DOES_WITHOUT = ("discord", "sqlalchemy", "aiosqlite", "asyncio", "random", "secrets", "time", "datetime")
"""Its libraries, the clock, and chance of its own."""
LOADS_NOT = {
    "highscore": ("bot", "playground", "discord", "sqlalchemy", "aiosqlite", "alembic"),
    "playground": ("bot",),
    "bot.observing": ("discord", "sqlalchemy", "aiohttp"),
    "bot.domain": ("discord", "sqlalchemy", "aiohttp", "bot.store", "bot.ui"),
    "bot.store": ("discord", "bot.ui", "bot.services"),
    "bot.ui": ("sqlalchemy", "bot.store", "bot.services"),
    "bot.app": ("alembic", "mako", "playground"),
}
"""The modules that importing all modules of a room must not load, through whatever they import."""
APART = ("playground", "bot.store")
"""Those that load what the rooms after them must not."""


def module_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(root: Path = ROOT) -> dict[str, Path]:
    places = ("bot", "highscore", "migrations", "playground")
    return {module_name(path, root): path for place in places for path in sorted((root / place).rglob("*.py"))}


def imported(path: Path, root: Path = ROOT) -> Iterator[str]:
    """Return everything a module imports anywhere in it; ``from a import b`` is ``a.b``, whatever ``b`` is."""
    package = path.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *filter(None, [node.module])))
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def edges(root: Path) -> dict[str, set[str]]:
    ours = modules(root)

    def module_of(name: str) -> str | None:
        return name if name in ours else module_of(name.rpartition(".")[0]) if name else None

    found = {name: set(map(module_of, imported(path, root))) for name, path in ours.items()}
    return {name: {other for other in others if other is not None} - {name} for name, others in found.items()}


def room_of(module: str) -> str:
    """Return the room a module lies in; each module of the hall is its own room, ``__main__`` is the command line."""
    first, *rest = module.split(".")
    if first != "bot":
        return first
    return "cli" if rest[:1] == ["__main__"] else "".join(rest[:1])


def trespasses(root: Path = ROOT) -> list[str]:
    return sorted(
        f"{name} imports {other}"
        for name, others in edges(root).items()
        for other in others
        if other != "bot" and room_of(name) != room_of(other) and room_of(other) not in MAY_USE[room_of(name)]
    )


def test_rooms_import_downwards_only() -> None:
    assert trespasses() == []


def test_every_room_has_its_place() -> None:
    assert {room_of(name) for name in modules()} - {""} == set(MAY_USE)
    assert {path.stem for path in (ROOT / "bot").glob("*.py")} == HALL


def test_nothing_imports_in_a_circle() -> None:
    try:
        TopologicalSorter(edges(ROOT)).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_the_engine_has_no_clock_and_no_chance_of_its_own() -> None:
    used = {name for module, path in modules().items() if room_of(module) == "highscore" for name in imported(path)}
    assert {name.partition(".")[0] for name in used} & set(ENGINE_DOES_WITHOUT) == set()


LOADING = """
import importlib, json, os, sys
for room, names, others, aside in json.loads(sys.argv[1]):
    if aside and os.fork():
        os.wait()
        continue
    for name in names:
        importlib.import_module(name)
    print(room, *sorted({name for name in sys.modules for other in others if f"{name}.".startswith(f"{other}.")})[:5])
    sys.stdout.flush()
    if aside:
        os._exit(0)
"""


def test_a_room_loads_nothing_that_is_not_for_it() -> None:
    """Load rooms from below upwards in one process, each after those it may use; two of them apart."""
    rooms = [
        (room, [name for name in modules() if name == room or name.startswith(f"{room}.")], others, room in APART)
        for room, others in LOADS_NOT.items()
    ]
    command = [sys.executable, "-c", LOADING, json.dumps(rooms)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.splitlines(), done.stderr) == (list(LOADS_NOT), "")
