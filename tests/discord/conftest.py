"""The real bot on the fake Discord, both in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.bots import Tavern, a_tavern


@pytest.fixture
async def tavern(tmp_path: Path) -> AsyncIterator[Tavern]:
    """A server with two channels and three people, and the bot connected to it."""
    async with a_tavern(tmp_path) as tavern:
        yield tavern
