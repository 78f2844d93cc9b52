"""Fixtures of the tests of what operators see."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

import bot.observing.health
import bot.observing.server
from bot.settings import Settings
from tests.bot.observing.scraping import observed
from tests.bot.server import Server


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the port asks the database anew."""
    monkeypatch.setattr(bot.observing.server, "FRESH_SECONDS", 0.0)
    monkeypatch.setattr(bot.observing.health, "FRESH_SECONDS", 0.0)


@pytest.fixture
async def watched(settings: Settings) -> AsyncIterator[Server]:
    """The bot in a Discord server, with the port for operators open."""
    async with observed(settings) as running:
        yield running
