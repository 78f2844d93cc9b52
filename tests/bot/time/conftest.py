"""Fixtures of the tests in which time passes."""

from __future__ import annotations

import pytest

import bot.domain.deadlines
from tests.bot.time.passing import HOUSE


@pytest.fixture(autouse=True)
def slow_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house's visible pauses wait for the virtual clock instead of costing real seconds."""
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", HOUSE)
