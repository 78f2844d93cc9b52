import random
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from discord.app_commands import Group
from pydantic import SecretStr

import bot.app
import bot.domain.deadlines
import bot.store.sharing
import bot.workers.delivery
from bot.config import Settings
from bot.services.core import Core
from bot.ui import text, turn
from tests.bot.cores import opened
from tests.bot.databases import SQLITE, empty_postgresql, empty_sqlite, name_without_database
from tests.bot.games import Club, club
from tests.bot.server import RETRY, Server, serve
from tests.error_log import error_log
from tests.simulation import translate_once

__all__ = ["error_log"]


@pytest.fixture(autouse=True)
def same_chance(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Give every run of a test the same seeds and table ids, on every database, and every test its own."""
    chance = random.Random(name_without_database(request.node.name))
    monkeypatch.setattr("secrets.token_bytes", lambda size=32: chance.randbytes(size))
    monkeypatch.setattr("secrets.token_hex", lambda size=32: chance.randbytes(size).hex())


@pytest.fixture(autouse=True)
def slow_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let retries wait for the virtual clock instead of costing real seconds."""
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", RETRY)


@pytest.fixture(autouse=True)
def slow_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the house wait for the virtual clock."""
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", RETRY)


@pytest.fixture(autouse=True)
def slow_lobbies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the lobby in the channel of a thread wait for the virtual clock."""
    monkeypatch.setattr(bot.store.sharing, "REDRAW_DELAY", timedelta(seconds=RETRY))


@pytest.fixture(autouse=True)
def rare_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock look once a day for what other processes left behind: here there are none.

    Letting a day pass would otherwise be seventeen thousand looks.
    """
    for name in ("LOOK_AGAIN", "LONGEST_SLEEP"):
        monkeypatch.setattr(bot.app, name, 24 * 3600.0)


@pytest.fixture(autouse=True)
def keycaps() -> None:
    """Use keycaps and plain commands until a bot has ids: another test's bot may have had them in this process."""
    turn.use_emoji({})
    text.link_commands({})


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Make a database of the test's own, migrated and without rows. tests/conftest.py says of which kinds."""
    return empty_sqlite(tmp_path) if request.param == SQLITE else empty_postgresql(request.config)


@pytest.fixture
def settings(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Make settings with an empty database of their own, whatever the environment of the tests says."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Group, "get_translated_payload", translate_once)
    # The people of the tests act faster than anybody; tests/bot/discord_api/test_rate_limit.py has limits.
    return Settings(
        database_url=SecretStr(database_url),
        emoji=False,
        press_limit=0,
        command_limit=0,
    )


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    async with serve(settings) as running:
        yield running


@pytest.fixture
async def games(settings: Settings) -> AsyncIterator[Club]:
    async with club(settings) as made:
        yield made


@pytest.fixture
async def core(settings: Settings) -> AsyncIterator[Core]:
    """Make the use cases without a bot, on a database of their own; their clock stands still."""
    async with opened(settings) as made:
        yield made


@pytest.fixture
async def cores(settings: Settings) -> AsyncIterator[tuple[Core, Core]]:
    """Make two processes in miniature: two cores on one database, with connections and leases of their own."""
    # If two connections checkpoint a file of SQLite, commits can be lost: bot/store/sqlite.py.
    async with opened(settings) as one, opened(settings, checkpoints=False) as other:
        yield one, other
