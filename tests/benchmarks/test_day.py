"""The benchmark of a day plays real games to their end and counts what they ask of people and of Discord."""

import asyncio
import random
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.day import figures, tables
from benchmarks.day.figures import Figures, missed
from benchmarks.day.tables import DAWN, WAYS, Day, Way
from tests.bot.conftest import same_chance

__all__ = ["same_chance"]

SHARED, *_others, EARLY, OWN = WAYS
SIZES = (2, 3)


@pytest.fixture(autouse=True)
def few_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make one table of two and one of three: larger ones only have more turns."""
    for module in (tables, figures):
        monkeypatch.setattr(module, "SIZES", SIZES)


@pytest.mark.parametrize(("way", "median", "some_absent"), [(SHARED, 30, False), (OWN, 240, True)])
def test_every_game_comes_to_its_end(tmp_path: Path, way: Way, median: int, some_absent: bool) -> None:
    day = Day(way, median, some_absent, len(SIZES), random.Random(3))
    asyncio.run(day.play(tmp_path / "day.sqlite3"))
    found = Figures.of(day)
    assert missed([found]) == []
    assert all(playing.ended for playing in day.playing.values())
    assert (found.stand_ins > 0) == some_absent
    # Everybody is mentioned, and what the channel sees is made by the bot or is the answer to a command.
    assert min(day.discord.mentions[user] for playing in day.playing.values() for user in playing.people) > 0
    assert found.requests["message"] == found.messages - 1


def test_who_does_not_wait_ends_games_before_their_limit(tmp_path: Path) -> None:
    day = Day(EARLY, 30, True, len(SIZES), random.Random(3))
    asyncio.run(day.play(tmp_path / "day.sqlite3"))
    assert missed([Figures.of(day)]) == []
    waiting = [one for one in day.playing.values() if one.absent]
    assert waiting
    for one in waiting:
        begun = set(one.people) - one.absent
        if begun:
            assert one.ended is not None
            assert one.ended < DAWN + timedelta(hours=23)
