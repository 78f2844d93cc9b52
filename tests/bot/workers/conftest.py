from collections.abc import AsyncIterator

import pytest

import bot.workers.delivery
from bot.services.core import Core
from tests.bot.workers.showing import Channel, Showing
from tests.bot.workers.turned import Time


@pytest.fixture
async def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
async def showing(core: Core, channel: Channel, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Showing]:
    """Return a process that shows tables and soon tries again what has failed."""
    monkeypatch.setattr(bot.workers.delivery, "FIRST_RETRY", 0.1)
    made = Showing(core, channel)
    yield made
    channel.open.set()
    await made.delivery.close()
