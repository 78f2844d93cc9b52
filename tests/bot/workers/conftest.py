"""Fixtures of the tests of workers."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.config import Settings
from bot.services.core import Core
from tests.bot.cores import opened
from tests.bot.games import Club, club


@pytest.fixture
async def core(settings: Settings) -> AsyncIterator[Core]:
    async with opened(settings) as made:
        yield made


@pytest.fixture
async def games(settings: Settings) -> AsyncIterator[Club]:
    """A server's people on a database of their own."""
    async with club(settings) as made:
        yield made
