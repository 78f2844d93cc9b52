from collections.abc import AsyncIterator

import pytest

from bot.config import Settings
from bot.store.database import Database, parse_url
from tests.bot.store import counting


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    opened = Database(parse_url(settings.database_url.get_secret_value()))
    yield opened
    await opened.close()


@pytest.fixture
async def counter(settings: Settings, database: Database) -> AsyncIterator[Database]:
    await database.write(counting.make)
    yield database
    # The test may have closed its own.
    another = Database(parse_url(settings.database_url.get_secret_value()))
    await another.write(counting.drop)
    await another.close()
