"""Pages in a real browser, and how to use them by keyboard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from tests.playground.visitor import run

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, ViewportSize

Open = Callable[..., Awaitable["Page"]]
PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest_asyncio.fixture(loop_scope="session")
async def address(state: Path) -> AsyncIterator[str]:
    """Run a fresh playground in the browser's loop; yield its address."""
    async with run(state) as found:
        yield found


@pytest.fixture
def complaints() -> list[str]:
    """Collect the errors of pages, and their requests to other machines."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def tab(browser: Browser, desk: list[Page], address: str, complaints: list[str]) -> AsyncIterator[Open]:
    """Open pages, each as one person; a page without browser options is shown in a window that other tests have used.

    Any complaint that a test does not take off the list fails it.
    """
    used: list[Page] = []
    own: list[Page] = []
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


async def command(page: Page, name: str, *values: str) -> None:
    await page.fill("#entry", f"/{name}")
    await page.wait_for_selector(".suggestion[aria-selected=true]")
    await page.keyboard.press("Enter")
    for place, value in enumerate(values):
        if place:
            await page.keyboard.press("Tab")
        await page.keyboard.type(value)
    await page.keyboard.press("Enter")
    if await page.query_selector(".filling"):
        # The first Enter has taken a choice from the list.
        await page.keyboard.press("Enter")


async def open_table(page: Page) -> None:
    await command(page, "stub table", "3", "Fast")
    await page.wait_for_selector(".embed")


async def text(page: Page, selector: str) -> str:
    return " ".join((await page.inner_text(selector)).split())


async def until(page: Page, true: str) -> None:
    """Wait for something to be true; the page's own policy forbids Playwright to wait inside it."""
    for _ in range(250):
        if await page.evaluate(true):
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"never true: {true}")


async def focused(page: Page) -> str:
    return str(await page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent"))
