from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.config import Settings
from tests.bot.server import Server, serve
from tests.discord.bots import Tavern, a_tavern


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every look at the port ask the database anew."""
    monkeypatch.setattr("bot.operations.health.BACKLOG_FRESH_SECONDS", 0.0)
    monkeypatch.setattr("bot.operations.health.FRESH_SECONDS", 0.0)


@pytest.fixture
async def watched(settings: Settings) -> AsyncIterator[Server]:
    async with serve(settings.model_copy(update={"metrics_port": 0})) as running:
        yield running


@pytest.fixture
async def tavern(tmp_path: Path) -> AsyncIterator[Tavern]:
    async with a_tavern(tmp_path, metrics_port=0) as tavern:
        await tavern.discord.until(tavern.bot.is_ready)
        yield tavern
