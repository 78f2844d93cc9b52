"""A cup of four from its sign-up to its winner: every message and page of it, with real clicks.

With ``HIGHSCORE_SCREENSHOTS`` in both formats, all languages and widths, and the pictures are kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.cli.play import list_locales
from bot.config import Settings
from bot.domain.cup_leg import Format
from bot.locales.commands import COMMAND, OPTION
from bot.ui.buttons import Verb
from tests.e2e import people
from tests.e2e.test_days import DECISIONS, Day, play, pressable
from tests.playground.visitor import Visitor, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = people.REAL_CLICKS
OTHERS = ("Bruno", "Clara", "David")
BOLD = ("Bruno", "David")
"""Those who roll again wherever they can; the others keep their first rolls."""
UNTIL_REMINDER = 9 * 3600
"""The seconds from the opening of a leg until 18:00."""


@pytest.mark.parametrize(
    ("locale", "form"), list(product(list_locales(), Format)) if people.KEPT else [("de", Format.KNOCKOUT)]
)
async def test_a_cup_by_clicks(browser: Browser, settings: Settings, tmp_path: Path, locale: str, form: Format) -> None:
    typed = {"new": "Autumn", "legs": "3"}
    if form is Format.KNOCKOUT:
        typed = {"new": "Autumn", "format": people.choice(locale, "knockout: two play, one advances"), "days": "1"}
    options = {people.say(locale, name, OPTION): value for name, value in typed.items()}
    command = people.say(locale, "cup", COMMAND)
    async with people.running(browser, settings, tmp_path) as address, AsyncExitStack() as stack:
        person = await people.enter(browser, address, "Ada", locale=locale)
        await person.page.wait_for_selector(f"html[lang='{locale}']")
        player, *others = [await stack.enter_async_context(visit(address, name)) for name in ("Ada", *OTHERS)]
        ada = Day(person, player, f"{people.folder_of(locale)}/{{width}}/{form.value}")
        await sign_up(ada, others, command, options)
        await first_leg(ada, others)
        await look_back(ada)
        for leg in range(2, 3 if form is Format.KNOCKOUT else 4):
            await asyncio.gather(*(play_leg(person) for person in (player, *others)))
            await let_time_pass(ada)
            if leg == 2 and form is Format.LEAGUE:
                await ada.see("cup-leg-3", "button[data-control^='hc:play:'][data-control*=':3:']:enabled")
        await ada.see("cup-over", ".message [data-control^='hc:draws:']")
        await ada.person.command(f"/highscore {command}")
        await ada.see("cups", ".message:last-child [data-control^='hc:options:']")


async def sign_up(ada: Day, others: Sequence[Visitor], command: str, options: dict[str, str]) -> None:
    await ada.person.begin_command(command)
    for option, typed in options.items():
        await ada.person.page.click(f"text=+ {option}")
        await ada.person.page.keyboard.type(typed)
        if await ada.person.page.locator(".suggestion[aria-selected=true]").count():
            await ada.person.page.keyboard.press("Enter")
    await ada.person.page.keyboard.press("Enter")
    await ada.see("cup-opened", "button[data-control^='hc:enter:']:enabled")
    await ada.press("hc", Verb.ENTER)
    for person in others:
        await person.click(*await person.until(partial(pressable, person, "hc", Verb.ENTER), 60.0))
    await ada.see("cup-sign-up", "img[alt*='David']")
    await ada.dismiss()


async def first_leg(ada: Day, others: Sequence[Visitor]) -> None:
    await let_time_pass(ada)
    await ada.see("cup-leg-1", "button[data-control^='hc:play:']:enabled")
    await ada.press("hc", Verb.PLAY)
    await ada.see("cup-page", "button[data-control^='hc:take:']:enabled")
    await ada.press("hc", Verb.TAKE)
    await ada.see("cup-turn", "button[data-control^='hc:card:']:enabled")
    await play(ada.player, "hc")
    await asyncio.gather(*(play_leg(person) for person in others[:-1]))
    await ada.player.do("time", seconds=UNTIL_REMINDER)
    await ada.see("cup-reminder", "button[data-control^='hc:play:']:enabled >> nth=1")
    await play_leg(others[-1])
    await let_time_pass(ada)
    await ada.see("cup-leg-2", "button[data-control^='hc:report:']:enabled")


async def look_back(ada: Day) -> None:
    await ada.press("hc", Verb.REPORT)
    await ada.see("cup-match", ".message.ephemeral button[data-control^='hc:proof:']")
    await ada.press("hc", Verb.REVIEW)
    await ada.see("cup-review", ".message.ephemeral button[data-control^='hc:review:']")
    await ada.dismiss()
    await ada.press("hc", Verb.OPTIONS)
    # The page of the first leg, further up, has a picture, too.
    await ada.see("cup-standing", ".message.ephemeral:last-child .picture img")
    await ada.dismiss()


async def play_leg(person: Visitor) -> None:
    await person.click(*await person.until(lambda: pressable(person, "hc", Verb.PLAY), 60.0))
    await person.until(lambda: pressable(person, "hc", Verb.TAKE), 60.0)
    await play(person, "hc", (Verb.TAKE, Verb.ROLL, *DECISIONS[1:]) if person.name in BOLD else DECISIONS)


async def let_time_pass(ada: Day) -> None:
    page = ada.person.page
    await page.click("#clock")
    await page.locator(".jumps button").first.click()
    await page.wait_for_timeout(300)
    await page.keyboard.press("Escape")
