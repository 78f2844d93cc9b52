"""Somebody who has never played opens the playground, in the language of their browser: a lesson, and a first game."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.config import Settings
from bot.domain.learn import Lesson, lesson_position
from bot.ui.buttons import Verb
from highscore.default_choice import find_default_choice
from highscore.turn import Roll, SetAside
from tests.e2e.people import DESKTOP, KEPT, PHONE, REAL_CLICKS, Person, enter, running

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = REAL_CLICKS
WIDTHS, SCHEMES = ((DESKTOP, "desktop"), (PHONE, "phone")), ("dark", "light")
SHORTCUTS = {
    "en-US": ("Play a first game now", "Learn by playing", "Welcome", "Roll the dice"),
    "de-DE": ("Jetzt ein erstes Spiel spielen", "Spielend lernen", "Willkommen", "Würfeln"),
}


async def test_on_a_phone_the_door_and_the_first_roll_are_on_the_screen(
    browser: Browser, settings: Settings, tmp_path: Path
) -> None:
    async with running(browser, settings, tmp_path) as address:
        ada = await enter(browser, address, "Ada", PHONE)
        shortcut = await ada.page.locator(".shortcut").first.bounding_box()
        await ada.page.locator(".shortcut").first.click()
        await ada.button(Verb.TAKE).wait_for()
        roll = await ada.button(Verb.TAKE).bounding_box()
        for box in (shortcut, roll):
            assert box is not None
            assert 0 <= box["y"] <= PHONE["height"] - box["height"]


@pytest.mark.parametrize("locale", SHORTCUTS if KEPT else ["de-DE"])
async def test_one_click_begins_a_first_game_in_the_language_of_the_browser(
    browser: Browser, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    monkeypatch.setattr("bot.domain.deadlines.HOUSE_SECONDS", 0.05)
    game, _lesson, welcome, begun = SHORTCUTS[locale]
    language = locale[:2]
    async with running(browser, settings, tmp_path) as address:
        ada = await enter(browser, address, "Ada", DESKTOP, locale=locale)
        await ada.page.locator(f".welcome h2:has-text('{welcome}')").wait_for()
        await ada.picture(f"{language}/desktop/front-door")
        await ada.page.click(f".shortcut:has-text('{game}')")
        await ada.page.locator(f"text={begun}").first.wait_for()
        await ada.button(Verb.TAKE).wait_for()
        await ada.press(Verb.TAKE)
        await ada.button(Verb.CARD).wait_for()
        await ada.picture(f"{language}/desktop/first-turn")


@pytest.mark.parametrize(("locale", "scheme"), list(product(SHORTCUTS, SCHEMES)) if KEPT else [("de-DE", "dark")])
async def test_the_lesson_is_played_to_its_end_with_real_clicks(
    browser: Browser, settings: Settings, tmp_path: Path, locale: str, scheme: str
) -> None:
    async with running(browser, settings, tmp_path) as address:
        shortcut = SHORTCUTS[locale][1]
        for viewport, width in WIDTHS if KEPT else WIDTHS[1:]:
            ada = await enter(browser, address, "Ada", viewport, locale=locale, scheme=scheme)
            await ada.page.locator(f".shortcut:has-text('{shortcut}')").click()
            words = 0
            for at in map(lesson_position, range(len(Lesson))):
                message = ada.page.locator(".message.ephemeral").last
                await message.locator(f"[data-control^='hl:'][data-control*=':{at.lesson.value}:']").first.wait_for()
                words += len(re.findall(r"\w+", await message.locator(".embed").inner_text()))
                await ada.picture(f"{locale[:2]}/{width}/learn-{at.lesson.value:02}-{scheme}")
                if at.is_last:
                    break
                await _do(ada, at.lesson.value, at.expected)
            assert words <= 420
            await ada.page.locator(".as-link").last.click()
            await ada.page.context.close()


async def _do(ada: Person, step: int, expected: object) -> None:
    """Press what the lesson asks for, after taps on the dice that the default choice does not keep."""

    async def press(verb: Verb, argument: str = "") -> None:
        exact = f"='hl:{verb.value}:{step}:{argument}'" if argument else f"^='hl:{verb.value}:{step}:'"
        await ada.page.locator(f"button[data-control{exact}]:enabled").last.click()

    if not isinstance(expected, Roll | SetAside):
        await press({"take": Verb.TAKE, "stop": Verb.STOP}.get(str(expected), Verb.NEXT))
        return
    turn = lesson_position(step).game.turn
    assert turn is not None
    dice, free = set(expected.positions), set(turn.free)
    if dice != free:
        wanted, kept = (dice if isinstance(expected, SetAside) else free - dice), set(find_default_choice(turn).kept)
        for at in sorted(wanted ^ kept):
            back, kept = _bits(kept), kept ^ {at}
            await press(Verb.TOGGLE, _bits(kept))
            await ada.page.wait_for_selector(f"button[data-control='hl:{Verb.TOGGLE.value}:{step}:{back}']:enabled")
    await press(Verb.ROLL if isinstance(expected, Roll) else Verb.SET_ASIDE, _bits(dice))


def _bits(dice: set[int]) -> str:
    return str(sum(1 << at for at in dice))
