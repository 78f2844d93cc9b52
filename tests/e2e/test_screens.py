"""A whole game with a restart, and every screen in German.

With ``HIGHSCORE_SCREENSHOTS`` in all languages and as on a phone, and the pictures are kept, a folder for each of them.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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


async def speak(person: people.Person, locale: str) -> None:
    for which in (0, 1):
        await person.page.click("#settings")
        await person.page.locator("select.field").nth(which).select_option(locale)
        await person.page.keyboard.press("Escape")


@pytest.mark.parametrize("locale", list(list_locales()) if people.KEPT else ["de"])
async def test_a_whole_game_and_every_screen(
    browser: Browser, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    monkeypatch.setattr("bot.domain.deadlines.HOUSE_SECONDS", 0.05)
    words, named = partial(people.say, locale), partial(people.say, locale, context=COMMAND)
    async with people.running(browser, settings, tmp_path) as address:
        ada = await people.enter(browser, address, "Ada", people.DESKTOP)
        await speak(ada, locale)
        screens = people.Screens(ada, f"{people.folder_of(locale)}/{{width}}")
        order = people.choice(locale, "open: anybody who has time"), people.say(locale, "order", OPTION)
        await people.open_table(ada, order[0], command=named("new"), option=order[1])
        await ada.press(Verb.OPTIONS)
        await ada.press(Verb.ADD_HOUSE)
        await ada.press(Verb.ADD_HOUSE)
        rule = words("Seven dice, seven cards: the best result on each wins gold.")
        await screens.see("lobby", f"text={rule}")
        await ada.press(Verb.START)
        await screens.see("round-begins", f"text={words('Take the dice')}")
    async with people.running(browser, settings, tmp_path) as address:
        ada = await people.enter(browser, address, "Ada", people.DESKTOP)
        screens = people.Screens(ada, f"{people.folder_of(locale)}/{{width}}")
        await play(screens, people.say(locale, "Worth, in points: **{value}**"))
        await screens.see("final", f"text={words('Rematch')}")
        # On a busy machine a button may have been pressed that was stale already, which is said privately.
        before = await ada.page.locator(".only-you").count()
        await ada.button(Verb.REPORT).click()
        await screens.see("report", f"text={words('Match report')}")
        await ada.button(Verb.FIGURES).click()
        await screens.see("figures", f"text={words('Luck and skill')}")
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
            await screens.see(command, f"text={text}")
        await ada.begin_command(named("leaderboard"))
        await ada.choose(order[1], people.choice(locale, "records: the best result ever on each card"))
        await ada.page.keyboard.press("Enter")
        await screens.see("records", "text=🏅")
        if people.folder_of(locale) != "en":
            public = " ".join(await ada.page.locator(".message:not(.ephemeral) .body").all_inner_texts())
            assert ENGLISH.findall(public) == []


async def play(screens: people.Screens, hint: str) -> None:
    """Play the whole game against the house, with a picture of the first turn of each look and of the first hint."""
    ada = screens.person
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
            button = (await ada.button(Verb.HINT).inner_text()).split()[-1]
            await screens.see(f"turn-{look.value}", f"text={button}")
            if not hinted:
                hinted = True
                await ada.button(Verb.HINT).click()
                await screens.see("hint", f"text={hint}")
                await ada.page.locator(".only-you button").last.click()
        await ada.try_press(Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE)
        await ada.page.wait_for_timeout(20)
    raise AssertionError("the game does not end")
