"""Fixtures of the tests with faults."""

from collections.abc import AsyncIterator

import pytest

from tests.bot.fixtures import (
    database_url,
    keycaps,
    rare_looks,
    same_chance,
    server,
    settings,
    slow_retries,
)
from tests.error_log import error_log
from tests.postgresql import new_database

__all__ = [
    "database_url",
    "error_log",
    "keycaps",
    "postgresql",
    "rare_looks",
    "same_chance",
    "server",
    "settings",
    "slow_retries",
]


@pytest.fixture
async def postgresql() -> AsyncIterator[str]:
    """The URL of an empty PostgreSQL database of the test's own."""
    async with new_database() as url:
        yield url
