from collections.abc import AsyncIterator

import pytest

from bot.config import Settings
from bot.store.database import Database
from tests.bot.databases import open_database
from tests.bot.store import counting


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    async with open_database(settings) as opened:
        yield opened


@pytest.fixture
async def counter(settings: Settings, database: Database) -> AsyncIterator[Database]:
    await database.write(counting.make)
    yield database
    # The test may have closed its own.
    async with open_database(settings) as another:
        await another.write(counting.drop)
