from collections.abc import Iterator

import pytest

from tests.bot.conftest import database_url, keycaps, rare_looks, same_chance, settings, slow_retries
from tests.error_log import error_log
from tests.faults.lives import Seat
from tests.postgresql import postgresql as postgresql

__all__ = ["database_url", "error_log", "keycaps", "rare_looks", "same_chance", "settings", "slow_retries"]


@pytest.fixture
def pair() -> Iterator[tuple[Seat, Seat]]:
    """Give two places for bots, which are killed at the end."""
    seats = Seat(), Seat()
    yield seats
    for seat in seats:
        if seat.process is not None:
            seat.kill()
            seat.process.wait()


@pytest.fixture
def seat(pair: tuple[Seat, Seat]) -> Seat:
    return pair[0]
