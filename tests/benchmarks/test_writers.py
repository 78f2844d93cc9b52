"""The benchmark of committed moves measures moves that are committed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.report import Report
from benchmarks.writers import databases, measuring
from benchmarks.writers.__main__ import tell
from benchmarks.writers.databases import Files, fill
from benchmarks.writers.floor import Recorded, SqliteFloor, record
from benchmarks.writers.measuring import Case, games_for, play
from benchmarks.writers.plain_orm import PlainOrm
from benchmarks.writers.scripts import Script, script
from benchmarks.writers.variants import Bot, Refused, Variant

CASES = (Case(1, 1), Case(3, 3), Case(4, 2))
MOVES = 6


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.setattr(measuring, "WARM_UP", 1)
    return Files(tmp_path)


async def _recorded(files: Files, scripts: Sequence[Script]) -> Recorded:
    url = await files.fresh()
    await fill(url, scripts)
    return await record(url, scripts, MOVES + measuring.WARM_UP)


async def test_everybody_commits_the_same_moves(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    games = {one.table.id: one for case in CASES for place in games_for(case, MOVES) for one in place}
    variants: tuple[Variant, ...] = (Bot(), PlainOrm(), SqliteFloor(await _recorded(files, list(games.values()))))
    found = {case: {variant.name: [await play(files, variant, case, MOVES)] for variant in variants} for case in CASES}
    assert all(len(chunk.committed) == MOVES for of in found.values() for chunks in of.values() for chunk in chunks)
    assert all(chunk.refused == [] for chunks in found[Case(3, 3)].values() for chunk in chunks)
    tell("SQLite", found, Report())
    told = capsys.readouterr().out
    assert told.count("plain ORM") == len(CASES)
    assert "SQLite, 4 writers at 2 tables" in told


@pytest.mark.parametrize("kind", ["bot", "orm", "floor"])
async def test_a_move_is_made_once(files: Files, kind: str) -> None:
    game = script(0, 0)
    recorded = await _recorded(files, [game])
    variants: dict[str, Variant] = {"bot": Bot(), "orm": PlainOrm(), "floor": SqliteFloor(recorded)}
    variant = variants[kind]
    url = await files.fresh()
    await fill(url, [game])
    await variant.open(url)
    await variant.move(game, 0, 0)
    with pytest.raises(Refused):
        await variant.move(game, 0, 1)
    await variant.move(game, 1, 1)
    await variant.close()
    await databases.check(url, [(game, 2)])
