"""The benchmark of committed moves measures moves that are committed."""

from pathlib import Path

import pytest

from benchmarks.report import Report
from benchmarks.writers import databases, measuring
from benchmarks.writers.__main__ import tell
from benchmarks.writers.databases import Files, fill
from benchmarks.writers.measuring import Case, play
from benchmarks.writers.plain_orm import PlainOrm
from benchmarks.writers.scripts import script
from benchmarks.writers.variants import Bot, Refused, Variant

pytestmark = pytest.mark.long

CASES = (Case(1, 1), Case(3, 3), Case(4, 2))
MOVES = 6


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.setattr(measuring, "WARM_UP", 1)
    return Files(tmp_path)


async def test_everybody_commits_the_same_moves(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    variants: tuple[Variant, ...] = (Bot(), PlainOrm())
    found = {case: {variant.name: [await play(files, variant, case, MOVES)] for variant in variants} for case in CASES}
    assert all(len(chunk.committed) == MOVES for of in found.values() for chunks in of.values() for chunk in chunks)
    assert all(chunk.refused == [] for chunks in found[Case(3, 3)].values() for chunk in chunks)
    tell("SQLite", found, Report())
    told = capsys.readouterr().out
    assert told.count("plain ORM") == len(CASES)
    assert "SQLite, 4 writers at 2 tables" in told


@pytest.mark.parametrize("variant", [Bot(), PlainOrm()], ids=["bot", "orm"])
async def test_a_move_is_made_once(files: Files, variant: Variant) -> None:
    game = script(0, 0)
    url = await files.fresh()
    await fill(url, [game])
    await variant.open(url)
    await variant.move(game, 0, 0)
    with pytest.raises(Refused):
        await variant.move(game, 0, 1)
    await variant.move(game, 1, 1)
    await variant.close()
    await databases.check(url, [(game, 2)])
