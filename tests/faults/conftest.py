from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.bot.conftest import database_url, keycaps, rare_looks, same_chance, server, settings, slow_retries
from tests.error_log import error_log
from tests.faults.lives import Seat, seats
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
    async with new_database() as url:
        yield url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _programs() -> AsyncIterator[tuple[Seat, ...]]:
    """Start the programs once: importing everything and solving all cards takes longer than a life."""
    async with seats(2) as programs:
        yield programs


@pytest_asyncio.fixture(loop_scope="session")
async def pair(_programs: tuple[Seat, ...]) -> AsyncIterator[tuple[Seat, ...]]:
    yield _programs
    for seat in _programs:
        await seat.vacate()


@pytest.fixture
def seat(pair: tuple[Seat, ...]) -> Seat:
    return pair[0]
