"""What may import what: the engine is pure, and the rooms of the bot import one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

IMPURE = ("bot", "discord", "sqlalchemy", "aiosqlite", "asyncio", "random", "secrets", "time", "datetime")
"""What the engine does without: the bot, its libraries, the clock and chance of its own."""

FORBIDDEN = {
    "highscore": IMPURE,
    "bot.store": ("bot.services", "bot.cogs", "bot.ui"),
    "bot.services": ("bot.cogs", "bot.ui"),
    "bot.ui": ("bot.store", "bot.services", "bot.cogs"),
    "bot.cogs": ("bot.store",),
}
"""Each room and what no module in it imports: pictures know no database, cogs reach it through services only."""


def imports(source: str, package: str) -> set[str]:
    """Full names of everything a module imports anywhere in it; ``from a import b`` gives ``a`` and ``a.b``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return found


def modules(room: str, root: Path = ROOT) -> Iterator[tuple[str, str, str]]:
    """Path, package and source of every module of a room, which is a package or a single module."""
    place = root.joinpath(*room.split("."))
    for path in [*sorted(place.rglob("*.py")), *([single] if (single := place.with_suffix(".py")).exists() else [])]:
        package = ".".join(path.relative_to(root).parent.parts)
        yield path.relative_to(root).as_posix(), package, path.read_text("utf-8")


def trespasses(room: str, root: Path = ROOT) -> list[str]:
    """Imports of a room that go the wrong way."""
    return [
        f"{path} imports {name}"
        for path, package, source in modules(room, root)
        for name in sorted(imports(source, package))
        if any(name == forbidden or name.startswith(forbidden + ".") for forbidden in FORBIDDEN[room])
    ]


@pytest.mark.parametrize("room", FORBIDDEN)
def test_imports_point_one_way(room: str) -> None:
    assert trespasses(room) == []


def test_the_engine_and_its_solver_are_looked_at() -> None:
    paths = {path for path, _, _ in modules("highscore")}
    assert {"highscore/__init__.py", "highscore/game.py", "highscore/turn.py"} <= paths


@pytest.mark.parametrize(
    "line",
    [
        "import bot.store.models",
        "import highscore, bot.store as s",
        "from bot.store import models",
        "from bot import store",
        "from ..store import models",
        "from .. import store",
        "def late():\n    from bot.store.models import Game",
        "if TYPE_CHECKING:\n    import bot.store",
    ],
)
def test_every_way_to_import_is_seen(line: str, tmp_path: Path) -> None:
    (tmp_path / "bot" / "ui").mkdir(parents=True)
    (tmp_path / "bot" / "ui" / "board.py").write_text(f"import bot.storehouse\n{line}\n", "utf-8")
    found = trespasses("bot.ui", tmp_path)
    assert found
    assert all(each.startswith("bot/ui/board.py imports bot.store") and "storehouse" not in each for each in found)


def test_a_room_that_is_a_single_module_is_seen(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "ui.py").write_text("from . import store\n", "utf-8")
    assert trespasses("bot.ui", tmp_path) == ["bot/ui.py imports bot.store"]


def test_the_engine_imports_where_there_is_no_discord_and_no_database() -> None:
    program = f"""
import sys
for name in {("bot", "discord", "sqlalchemy", "aiosqlite", "alembic")!r}:
    sys.modules[name] = None
import highscore, highscore.dealer, highscore.notation, highscore.proof
print(highscore.score(highscore.STANDARD_DECK.card("odd-five"), highscore.Dice.parse("V 5 3 3 2 2 4")).total)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("16\n", "")
