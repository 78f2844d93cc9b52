"""A database and the use cases on it, without Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.config import Settings
from bot.services.core import Core
from tests.bot.cores import opened


@pytest.fixture
async def core(settings: Settings) -> AsyncIterator[Core]:
    async with opened(settings) as made:
        yield made
