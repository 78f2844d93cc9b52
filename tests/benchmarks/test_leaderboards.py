"""The benchmark of lookups has a database that the bot can read and write."""

import asyncio
import random
from pathlib import Path

import pytest

from benchmarks import leaderboards
from benchmarks.community import END, make
from benchmarks.leaderboards import LOOKUPS, Place, finish
from bot.config import Settings
from bot.services.core import Core
from bot.store.database import Database, parse_url
from highscore.deck import STANDARD_DECK

pytestmark = pytest.mark.long


async def test_everything_that_is_looked_up_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.community.LOGGED", 10)
    community = await asyncio.to_thread(make, tmp_path / "community.sqlite3", 200)
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    database = Database(parse_url(f"sqlite+aiosqlite:///{community.path}"))
    core = Core(database, lambda: END, STANDARD_DECK, 1, settings.paces)
    place = Place(community, core, random.Random(1))
    for name, lookup in LOOKUPS.items():
        assert await leaderboards._timed(lookup, place) > 0, name
    assert await finish(place) > 0
    await database.close()
