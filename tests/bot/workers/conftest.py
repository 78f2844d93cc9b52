"""Fixtures of the tests of workers: a clock, and the time it goes by."""

import pytest

from bot.workers.clock import Clock
from tests.bot.workers.turned import Time


@pytest.fixture
async def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture
async def clock(time: Time) -> Clock:
    return Clock(lambda: time.now)
