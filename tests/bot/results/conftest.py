"""Fixtures of the tests of results."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.config import Settings
from tests.bot.results.games import Club, club


@pytest.fixture
async def games(settings: Settings) -> AsyncIterator[Club]:
    """A server's people on a database of their own."""
    async with club(settings) as made:
        yield made
