"""Several people beside each other on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import pytest

from tests.playground.pages import Open, browser, complaints, tab

if TYPE_CHECKING:
    from playwright.async_api import Page

__all__ = ["browser", "complaints", "tab"]


async def test_only_people_who_exist_can_sit_side_by_side(address: str) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{address}side-by-side?with=Ada,Bruno") as answer:
            assert answer.status == 200
            assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
        async with session.get(f"{address}side-by-side?with=Ada,Nobody") as answer:
            assert answer.status == 404
            assert "Nobody" in (await answer.json())["error"]


@pytest.mark.browser
async def test_what_one_says_the_other_sees_beside_it(tab: Open) -> None:
    page: Page = await tab("Ada")
    await page.click("#settings")
    await page.click("text=Several seats side by side")
    ada, bruno = page.frame_locator("iframe[title=Ada]"), page.frame_locator("iframe[title=Bruno]")
    await ada.locator("#entry").fill("Your turn, neighbour")
    await ada.locator("#entry").press("Enter")
    await bruno.locator("text=Your turn, neighbour").wait_for()
