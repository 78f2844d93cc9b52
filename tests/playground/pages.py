"""Pages in a real browser, and how to use them by keyboard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Page, ViewportSize

Open = Callable[..., Awaitable["Page"]]
PHONE: ViewportSize = {"width": 390, "height": 844}


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
