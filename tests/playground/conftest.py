"""A running playground, and people in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.error_log import error_log
from tests.playground.visitor import Visitor, run, visit

__all__ = ["ada", "address", "bruno", "error_log", "state"]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The file of a playground."""
    return tmp_path / "playground.sqlite"


@pytest.fixture
async def address(state: Path) -> AsyncIterator[str]:
    """The address of a fresh playground."""
    async with run(state) as found:
        yield found


@pytest.fixture
async def ada(address: str) -> AsyncIterator[Visitor]:
    """The owner's page."""
    async with visit(address, "Ada") as visitor:
        yield visitor


@pytest.fixture
async def bruno(address: str) -> AsyncIterator[Visitor]:
    """An ordinary member's page."""
    async with visit(address, "Bruno") as visitor:
        yield visitor
