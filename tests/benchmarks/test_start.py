"""The benchmark of the start starts the bot beside the tables it has made."""

from pathlib import Path

import pytest

from benchmarks import start
from benchmarks.clicking import hurried_folder

pytestmark = pytest.mark.long


def test_it_starts_with_none_and_with_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "OPEN_TABLES", 5)
    monkeypatch.setattr(start, "MOVES", 2)
    # As the benchmark does: on its own, simcord gives a bot five seconds to start, too few on a busy machine.
    with hurried_folder(tmp_path) as folder:
        found = start.measure(folder, 2)
    assert [len(found[many]) for many in (False, True)] == [1, 1]
    assert all(seconds > 0 for times in found.values() for seconds in times)
