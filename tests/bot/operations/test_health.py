import asyncio
import threading
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.config import Settings
from bot.operations.health import CLOCK_SECONDS, GATEWAY_SECONDS, Health
from bot.services.core import Core
from bot.store import sqlite
from tests.bot.cores import opened

WELL = {"gateway": "ok", "database": "ok", "clock": "ok"}


class Patient:
    """A health of parts that the test makes ill."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.connected = True
        self.late_seconds = 0.0
        self.down: dict[int, float] = {}
        gateway: Any = SimpleNamespace(look_for_lost=lambda: self.down)
        self.health = Health(core.database, lambda: self.late_seconds, gateway, lambda: self.connected)

    async def problems(self, patience: float = GATEWAY_SECONDS) -> dict[str, str]:
        parts = await self.health.check_parts(patience)
        assert parts.keys() == WELL.keys()
        return {part: problem for part, problem in parts.items() if problem != "ok"}


@pytest.fixture
async def patient(settings: Settings) -> AsyncIterator[Patient]:
    async with opened(settings) as core:
        yield Patient(core)


async def test_the_gateway_is_ill_before_it_is_connected(patient: Patient) -> None:
    assert await patient.problems() == {}
    patient.connected = False
    assert await patient.problems() == {"gateway": "not connected to Discord yet"}


async def test_a_shard_may_be_cut_off_for_a_minute_but_is_not_ready_then(patient: Patient) -> None:
    patient.down = {3: 0.0}
    assert await patient.problems() == {}
    assert await patient.problems(patience=0.0) == {"gateway": "shard 3 has been cut off for 0 s"}
    patient.down = {3: GATEWAY_SECONDS + 1}
    assert await patient.problems() == {"gateway": "shard 3 has been cut off for 61 s"}


async def test_a_clock_that_is_late_is_ill(patient: Patient) -> None:
    patient.late_seconds = CLOCK_SECONDS - 1
    assert await patient.problems() == {}
    patient.late_seconds = CLOCK_SECONDS
    assert await patient.problems() == {"clock": "300 s late"}


async def test_a_database_that_does_not_answer_is_ill_and_asked_once(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.operations.health.DATABASE_SECONDS", 0.05)
    database, held = patient.core.database, threading.Event()
    others = [asyncio.create_task(database.read(lambda _connection: held.wait())) for _ in range(sqlite.READERS)]
    try:
        looks = await asyncio.gather(*(patient.problems() for _ in range(5)))
        assert looks == [{"database": "TimeoutError: no answer within 0.05 s"}] * 5
        assert [task.get_coro().__name__ for task in asyncio.all_tasks()].count("_timed") == 1  # type: ignore[union-attr]
    finally:
        held.set()
    await asyncio.gather(*others)
    monkeypatch.setattr("bot.operations.health.DATABASE_SECONDS", 60.0)
    assert await patient.problems() == {}
