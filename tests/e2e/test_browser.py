"""Whole games in the playground, in a real browser with real clicks. The pictures of README and docs come from here:

``HIGHSCORE_SCREENSHOTS=docs/screenshots python -m pytest tests/e2e/test_browser.py``
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bot.clock.plan
from bot.client import HighScoreBot
from bot.playground.run import playground
from bot.settings import Settings
from bot.ui.buttons import Verb
from tests.browser import open_browser

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page, ViewportSize

pytestmark = pytest.mark.browser

DESKTOP: ViewportSize = {"width": 1280, "height": 1000}
PHONE: ViewportSize = {"width": 390, "height": 844}
TURNS = 7
MOST_CLICKS = 400


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """A browser."""
    async with open_browser() as found:
        yield found


@pytest.fixture
async def address(settings: Settings, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a playground with the real bot."""
    with_emoji = settings.model_copy(update={"emoji": True})
    async with playground(lambda: HighScoreBot(with_emoji), state=tmp_path / "discord.sqlite3") as found:
        yield found


class Person:
    """Somebody with a page of their own."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name

    def button(self, verb: Verb) -> Locator:
        """The newest button of this kind that can be pressed."""
        return self.page.locator(f'button[data-control^="hs:{verb.value}:"]:enabled').last

    async def can(self, verb: Verb) -> bool:
        """Whether there is such a button."""
        return await self.button(verb).count() > 0

    async def press(self, verb: Verb) -> None:
        """Press it, and wait until the page shows what came of it."""
        control = await self.button(verb).get_attribute("data-control")
        await self.button(verb).click()
        await self.page.wait_for_function(
            "old => !document.querySelector(`button[data-control='${old}']:enabled`)"
            " || document.querySelector('.only-you')",
            arg=control,
        )

    async def command(self, text: str) -> None:
        """Type a command and send it."""
        await self.page.fill("#entry", text)
        await self.page.wait_for_selector(".suggestion[aria-selected=true]")
        await self.page.keyboard.press("Enter")
        await self.page.keyboard.press("Enter")

    async def choose(self, option: str, typed: str) -> None:
        """Fill in an option of the command that is being typed."""
        await self.page.click(f"text=+ {option}")
        await self.page.keyboard.type(typed)
        await self.page.keyboard.press("Enter")

    async def picture(self, name: str) -> None:
        """Keep what the page shows, where somebody wants it."""
        if folder := os.environ.get("HIGHSCORE_SCREENSHOTS"):
            await self.page.mouse.move(0, 0)
            await self.page.wait_for_timeout(400)
            await self.page.screenshot(path=Path(folder) / f"{name}.png")


async def enter(browser: Browser, address: str, name: str, viewport: ViewportSize = DESKTOP) -> Person:
    """Somebody opens the page."""
    context = await browser.new_context(viewport=viewport, color_scheme="dark", locale="en-US")
    page = await context.new_page()
    page.set_default_timeout(20_000)
    await page.goto(f"{address}?as={name}")
    await page.wait_for_selector(".log > *")
    return Person(page, name)


async def open_table(person: Person, order: str) -> None:
    """Open a table in a turn order that is typed as it is listed."""
    await person.page.fill("#entry", "/highscore new")
    await person.page.wait_for_selector(".suggestion[aria-selected=true]")
    await person.page.keyboard.press("Enter")
    await person.choose("order", order)
    await person.page.keyboard.press("Enter")
    await person.page.wait_for_selector(f'button[data-control^="hs:{Verb.START.value}:"], .embed')


async def move(person: Person, clicks: int) -> None:
    """One sensible click of a turn: dice are picked and rolled again, and every third time the turn is ended."""
    if await person.can(Verb.TAKE):
        return await person.press(Verb.TAKE)
    if await person.can(Verb.ROLL) and clicks % 3:
        return await person.press(Verb.ROLL)
    if await person.can(Verb.TOGGLE) and clicks % 3 == 1:
        return await person.press(Verb.TOGGLE)
    for verb in (Verb.STOP, Verb.SET_ASIDE):
        if await person.can(verb):
            return await person.press(verb)
    raise AssertionError(f"{person.name} has nothing to press")


async def on_turn(people: list[Person]) -> Person:
    """Whoever the newest message calls."""
    page = people[0].page
    await page.wait_for_selector('button[data-control^="hs:"]:enabled')
    called = await page.locator(".message", has=page.locator(".mention")).last.locator(".mention").inner_text()
    return next(person for person in people if person.name in called)


async def test_three_people_play_a_round_with_real_clicks(browser: Browser, address: str) -> None:
    people = [await enter(browser, address, name) for name in ("Ada", "Bruno", "Clara")]
    ada = people[0]
    await open_table(ada, "rule")
    for person in people[1:]:
        await person.press(Verb.JOIN)
    await ada.page.wait_for_selector("text=Seats (3 of 5)")
    await ada.picture("lobby")
    await ada.press(Verb.START)
    clicks, pictured = 0, False
    while not await ada.page.locator(".embed-title", has_text="Round 1 is over").count():
        clicks += 1
        assert clicks < MOST_CLICKS
        person = await on_turn(people)
        await move(person, clicks)
        if not pictured and await person.can(Verb.STOP):
            pictured = True
            await person.picture("turn")
            phone = await enter(browser, address, person.name, PHONE)
            await phone.picture("turn-phone")
        await ada.page.wait_for_timeout(150)
    await ada.page.wait_for_selector("text=Round 2 of 7")
    await ada.picture("round-end")
    results = await ada.page.locator(".embed-title", has_text=re.compile(r"points$")).count()
    assert results == len(people)
    called = await ada.page.locator(".message .content .mention").count()
    assert called == 1, "only the turn that is played calls its player; the others are closed"


async def test_a_game_against_the_house_goes_on_after_a_restart(
    browser: Browser, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The house plays at a human rhythm; nobody wants to wait for it here.
    monkeypatch.setattr(bot.clock.plan, "HOUSE_SECONDS", 0.05)
    state = tmp_path / "discord.sqlite3"
    async with playground(lambda: HighScoreBot(settings), state=state) as address:
        ada = await enter(browser, address, "Ada")
        await open_table(ada, "open")
        await ada.press(Verb.ADD_HOUSE)
        await ada.press(Verb.START)
        await ada.page.wait_for_selector("text=Round 1 of 7")
    async with playground(lambda: HighScoreBot(settings), state=state) as address:
        ada = await enter(browser, address, "Ada")
        for clicks in range(MOST_CLICKS):
            if await ada.can(Verb.REMATCH):
                break
            for verb in (Verb.TAKE, Verb.STOP, Verb.SET_ASIDE):
                if await ada.can(verb):
                    await ada.press(verb)
                    break
            await ada.page.wait_for_timeout(100 + clicks % 2)
        await ada.page.wait_for_selector("text=wins")
        await ada.picture("final")
        await ada.button(Verb.REPORT).click()
        await ada.page.wait_for_selector("text=Luck and skill")
        await ada.picture("report")
        await ada.button(Verb.PROOF).click()
        await ada.page.wait_for_selector("text=The seed matches the seal")
        assert await ada.page.locator(".only-you").count() == 2
