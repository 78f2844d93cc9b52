from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.error_log import error_log
from tests.playground.visitor import Visitor, run, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

__all__ = ["ada", "address", "bruno", "error_log", "state"]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "playground.sqlite"


@pytest.fixture
async def address(state: Path) -> AsyncIterator[str]:
    async with run(state) as found:
        yield found


@pytest.fixture
async def ada(address: str) -> AsyncIterator[Visitor]:
    async with visit(address, "Ada") as visitor:
        yield visitor


@pytest.fixture
async def bruno(address: str) -> AsyncIterator[Visitor]:
    async with visit(address, "Bruno") as visitor:
        yield visitor


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def desk(browser: Browser) -> AsyncIterator[list[Page]]:
    """Open pages for tests to take and to bring back: opening one takes longer than many a test.

    Each is in a context of its own. Of two in one, the browser draws one as slowly as what is in the background.
    """
    pages = []
    for _page in range(2):
        context = await browser.new_context(
            viewport={"width": 1280, "height": 800}, color_scheme="dark", locale="en-US", reduced_motion="reduce"
        )
        pages.append(await context.new_page())
    yield list(pages)
    for page in pages:
        await page.context.close()
