"""A whole game with a restart, and every screen in German.

With ``HIGHSCORE_SCREENSHOTS`` in all languages and as on a phone, and the pictures are kept, a folder for each of them.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bot.domain.deadlines
from bot.cli.play import list_locales
from bot.config import Settings
from bot.locales.commands import COMMAND, OPTION
from bot.ui.buttons import Verb
from tests.e2e import people

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = people.REAL_CLICKS

MOST_CLICKS = 2_400
ENGLISH = re.compile(r"\b(Worth now|Keep|Roll|wins|Standings|Seats|Hint|The dice)\b")
"""Words of the English texts that no other language has."""
BROKEN_ROWS = """() => [...document.querySelectorAll(".row")].filter(
    (row) => new Set([...row.children].map((each) => each.offsetTop)).size > 1).map((row) => row.innerText)"""
"""The rows of buttons of which some have dropped to the next line."""


class Screens:
    """One person's page at two widths. Two pages would draw the whole game twice."""

    def __init__(self, person: people.Person, locale: str) -> None:
        self.person = person
        self.locale = locale

    async def see(self, name: str, text: str) -> None:
        """Wait until the page shows a text, and keep what it shows at both widths."""
        page = self.person.page
        for size, width in ((people.PHONE, "phone"), (people.DESKTOP, "desktop"))[0 if people.KEPT else 1 :]:
            await page.set_viewport_size(size)
            await page.locator(f"text={text}").last.wait_for()
            await self.person.picture(f"{people.folder_of(self.locale)}/{width}/{name}")
            if width == "phone":
                assert await page.evaluate(BROKEN_ROWS) == [], name


async def speak(person: people.Person, locale: str) -> None:
    for which in (0, 1):
        await person.page.click("#settings")
        await person.page.locator("select.field").nth(which).select_option(locale)
        await person.page.keyboard.press("Escape")


@pytest.mark.parametrize("locale", list(list_locales()) if people.KEPT else ["de"])
async def test_a_whole_game_and_every_screen(
    browser: Browser, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", 0.05)
    words, named = partial(people.say, locale), partial(people.say, locale, context=COMMAND)
    async with people.running(browser, settings, tmp_path) as address:
        ada = await people.enter(browser, address, "Ada", people.DESKTOP)
        await speak(ada, locale)
        screens = Screens(ada, locale)
        order = people.choice(locale, "open: anybody who has time"), people.say(locale, "order", OPTION)
        await people.open_table(ada, order[0], command=named("new"), option=order[1])
        await ada.press(Verb.OPTIONS)
        await ada.press(Verb.ADD_HOUSE)
        await ada.press(Verb.ADD_HOUSE)
        await screens.see("lobby", words("Seven dice, seven cards: the best result on each wins gold."))
        await ada.press(Verb.START)
        await screens.see("round-begins", words("Take the dice"))
    async with people.running(browser, settings, tmp_path) as address:
        ada = await people.enter(browser, address, "Ada", people.DESKTOP)
        screens = Screens(ada, locale)
        await play(ada, screens)
        await screens.see("final", words("Rematch"))
        # On a busy machine a button may have been pressed that was stale already, which is said privately.
        before = await ada.page.locator(".only-you").count()
        await ada.button(Verb.REPORT).click()
        await screens.see("report", words("Match report"))
        await ada.button(Verb.FIGURES).click()
        await screens.see("figures", words("Luck and skill"))
        await ada.button(Verb.PROOF).click()
        sealed = words("The seed matches the seal {seal}. Compare this seal with the one that was shown at the start.")
        await ada.page.locator(f"text={sealed}").wait_for()
        assert await ada.page.locator(".only-you").count() == before + 3
        for command, text in {
            "rules": words("Page {number} of {pages}"),
            "setup": words("Time zone"),
            "leaderboard": "Ada",
            "stats": "Ada",
            "history": "Pebble",
            "me": words("Export"),
            "daily": words("Card {number} of {cards}") + " 1",
            "help": words("All commands"),
        }.items():
            await ada.ask(f"/highscore {named(command)}", text)
            await screens.see(command, text)
        await ada.begin_command(named("leaderboard"))
        await ada.choose(order[1], people.choice(locale, "records: the best result ever on each card"))
        await ada.page.keyboard.press("Enter")
        await screens.see("records", "🏅")
        if people.folder_of(locale) != "en":
            public = " ".join(await ada.page.locator(".message:not(.ephemeral) .body").all_inner_texts())
            assert ENGLISH.findall(public) == []


async def play(ada: people.Person, screens: Screens) -> None:
    """Play the whole game against the house, with a picture of the first turn of each look and of the first hint."""
    seen: set[str] = set()
    hinted = False
    for _click in range(MOST_CLICKS):
        if await ada.can(Verb.REMATCH):
            return
        looks = [verb for verb in (Verb.SET_ASIDE, Verb.TOGGLE, Verb.ROLL) if await ada.can(verb)]
        # A page that has just ended is still there for a moment, without a hint.
        if looks and (look := looks[0]).value not in seen and await ada.can(Verb.HINT):
            seen.add(look.value)
            if await ada.can(Verb.TOGGLE):
                await ada.press(Verb.TOGGLE)
            await screens.see(f"turn-{look.value}", (await ada.button(Verb.HINT).inner_text()).split()[-1])
            if not hinted:
                hinted = True
                await ada.button(Verb.HINT).click()
                await screens.see("hint", people.say(screens.locale, "Worth, in points: **{value}**"))
                await ada.page.locator(".only-you button").last.click()
        await ada.try_press(Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE)
        await ada.page.wait_for_timeout(20)
    raise AssertionError("the game does not end")
