from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from tests.error_log import error_log
from tests.playground.pages import Open
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


@pytest_asyncio.fixture(loop_scope="session")
async def tab(browser: Browser, desk: list[Page], state: Path) -> AsyncIterator[Open]:
    """Run a fresh playground, and open pages, each as one person.

    A page without browser options is shown in a window that other tests have used. An error of a page, or a request to
    another machine, fails the test.
    """
    used: list[Page] = []
    own: list[Page] = []
    complaints: list[str] = []
    async with run(state) as address:
        heard: dict[Any, Callable[[Any], None]] = {
            "pageerror": lambda error: complaints.append(str(error)),
            "console": lambda line: complaints.extend([line.text] * (line.type in ("error", "warning"))),
            "request": lambda one: complaints.extend([one.url] * (not one.url.startswith(address))),
        }

        async def open_tab(name: str, **other: Any) -> Page:
            if other:
                page = await (await browser.new_context(locale="en-US", **other)).new_page()
                own.append(page)
            else:
                page = desk.pop()
            used.append(page)
            for event, hear in heard.items():
                page.on(event, hear)
            await page.goto(f"{address}?as={name}")
            await page.wait_for_selector(".log > *")
            return page

        yield open_tab
        for page in used:
            for event, hear in heard.items():
                page.remove_listener(event, hear)
            await page.goto("about:blank")
            if page in own:
                await page.context.close()
            else:
                desk.append(page)
    assert complaints == []
