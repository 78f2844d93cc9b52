"""A whole game with a restart, and every screen in German.

With ``HIGHSCORE_SCREENSHOTS`` also in English and as on a phone, and the pictures are kept, a folder for each of them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bot.domain.deadlines
from bot.config import Settings
from bot.ui.buttons import Verb
from tests.e2e.people import DESKTOP, KEPT, PHONE, REAL_CLICKS, Person, enter, open_table, running

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = REAL_CLICKS

MOST_CLICKS = 2_400
MORE = ("leaderboard", "stats", "history", "me", "daily")
TEXTS: dict[str, Any] = {
    "en": {
        "locale": "en-US",
        "lobby": "seven cards",
        "round": "this round",
        "wins": "win",
        "report": "Luck and skill",
        "proof": "The seed matches the seal",
        "hint": "Worth, in points",
        "rules": "dice",
        "setup": "Time zone",
        "order": "open",
        "new": "new",
        "option": "order",
        "rules command": "rules",
        "setup command": "setup",
        "help command": "help",
        "records": ("leaderboard", "order", "records"),
        "more": {
            "leaderboard": "Ada",
            "stats": "Ada",
            "history": "Undertow",
            "me": "stored",
            "daily": "Card 1",
        },
    },
    "de": {
        "locale": "de",
        "lobby": "sieben Karten",
        "round": "dieser Runde",
        "wins": "gewinnt",
        "report": "Glück und Können",
        "proof": "Der Seed passt zum Siegel",
        "hint": "Wert in Punkten",
        "rules": "Würfel",
        "setup": "Zeitzone",
        "order": "offen",
        "new": "neu",
        "option": "reihenfolge",
        "rules command": "regeln",
        "setup command": "einrichten",
        "help command": "hilfe",
        "records": ("rangliste", "reihenfolge", "Rekorde"),
        "more": {
            "rangliste": "Ada",
            "statistik": "Ada",
            "verlauf": "Undertow",
            "ich": "gespeichert",
            "täglich": "Karte 1",
        },
    },
    "pl": {
        "locale": "pl",
        "lobby": "siedem kart",
        "round": "tej rundzie",
        "wins": "wygrywa",
        "report": "Szczęście i umiejętności",
        "proof": "Ziarno pasuje do pieczęci",
        "hint": "Wartość w punktach",
        "rules": "kości",
        "setup": "Strefa czasowa",
        "order": "dowolna",
        "new": "nowy",
        "option": "kolejność",
        "rules command": "zasady",
        "setup command": "konfiguracja",
        "help command": "pomoc",
        "records": ("tabela", "kolejność", "rekordy"),
        "more": {
            "tabela": "Ada",
            "statystyki": "Ada",
            "historia": "Undertow",
            "ja": "zapisane",
            "wyzwanie": "Karta 1",
        },
    },
}
ENGLISH = re.compile(r"\b(Round|Worth now|Keep|Roll|points|wins|Standings|Seats|Hint|Vortex|Total|The dice)\b")
"""Words of the English texts that no other language has."""
BROKEN_ROWS = """() => [...document.querySelectorAll(".row")].filter(
    (row) => new Set([...row.children].map((each) => each.offsetTop)).size > 1).map((row) => row.innerText)"""
"""The rows of buttons of which some have dropped to the next line."""


class Screens:
    """One person's page at two widths. Two pages would draw the whole game twice."""

    def __init__(self, person: Person, language: str) -> None:
        self.person = person
        self.language = language

    async def see(self, name: str, text: str) -> None:
        """Wait until the page shows a text, and keep what it shows at both widths."""
        page = self.person.page
        for size, width in ((PHONE, "phone"), (DESKTOP, "desktop"))[0 if KEPT else 1 :]:
            await page.set_viewport_size(size)
            await page.locator(f"text={text}").last.wait_for()
            await self.person.picture(f"{self.language}/{width}/{name}")
            if width == "phone":
                assert await page.evaluate(BROKEN_ROWS) == [], name


async def speak(person: Person, locale: str) -> None:
    """Set the person's language and the server's."""
    for which in (0, 1):
        await person.page.click("#settings")
        await person.page.locator("select.field").nth(which).select_option(locale)
        await person.page.keyboard.press("Escape")


@pytest.mark.parametrize("language", sorted(TEXTS) if KEPT else ["de"])
async def test_a_whole_game_and_every_screen(
    browser: Browser, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", 0.05)
    texts = TEXTS[language]
    async with running(browser, settings, tmp_path) as address:
        ada = await enter(browser, address, "Ada", DESKTOP)
        await speak(ada, texts["locale"])
        screens = Screens(ada, language)
        await open_table(ada, texts["order"], command=texts["new"], option=texts["option"])
        await ada.press(Verb.OPTIONS)
        await ada.press(Verb.ADD_HOUSE)
        await ada.press(Verb.ADD_HOUSE)
        await screens.see("lobby", texts["lobby"])
        await ada.press(Verb.START)
        await screens.see("round-begins", texts["round"])
    async with running(browser, settings, tmp_path) as address:
        ada = await enter(browser, address, "Ada", DESKTOP)
        screens = Screens(ada, language)
        await play(ada, screens)
        await screens.see("final", texts["wins"])
        assert await ada.page.locator(".message", has_text=texts["wins"]).count()
        # On a busy machine a button may have been pressed that was stale already, which is said privately.
        before = await ada.page.locator(".only-you").count()
        await ada.button(Verb.REPORT).click()
        await screens.see("report", texts["report"])
        await ada.button(Verb.PROOF).click()
        await ada.page.locator(f"text={texts['proof']}").wait_for()
        assert await ada.page.locator(".only-you").count() == before + 2
        for name in ("rules", "setup"):
            await ada.ask(f"/highscore {texts[f'{name} command']}", texts[name])
            await screens.see(name, texts[name])
        for name, text in texts["more"].items():
            await ada.ask(f"/highscore {name}", text)
            await screens.see(MORE[list(texts["more"]).index(name)], text)
        command, option, records = texts["records"]
        await ada.begin_command(command)
        await ada.choose(option, records)
        await ada.page.keyboard.press("Enter")
        await screens.see("records", "🏅")
        await ada.ask(f"/highscore {texts['help command']}", "KOSMOS")
        await screens.see("help", "KOSMOS")
        if language != "en":
            public = " ".join(await ada.page.locator(".message:not(.ephemeral) .body").all_inner_texts())
            assert ENGLISH.findall(public) == []


async def play(ada: Person, screens: Screens) -> None:
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
                await screens.see("hint", TEXTS[screens.language]["hint"])
                await ada.page.locator(".only-you button").last.click()
        await ada.try_press(Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE)
        await ada.page.wait_for_timeout(20)
    raise AssertionError("the game does not end")
