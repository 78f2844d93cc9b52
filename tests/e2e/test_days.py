"""Two people at their own pace, and one of them back on the next days: every screen of it, with real clicks.

With ``HIGHSCORE_SCREENSHOTS`` in all languages, widths and colour schemes, and the pictures are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.cli.play import list_locales
from bot.config import Settings
from bot.domain.server_settings import ServerSettings
from bot.ui.buttons import Verb
from tests.e2e.people import KEPT, REAL_CLICKS, Person, Screens, enter, folder_of, running
from tests.playground.visitor import Visitor, visit

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator

pytestmark = REAL_CLICKS
MOST_CLICKS = 300
DECISIONS = (Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE)


class Day(Screens):
    """A person, whose buttons are known by what they say, whatever their language."""

    def __init__(self, person: Person, player: Visitor, folder: str) -> None:
        super().__init__(person, folder)
        self.player = player

    def button(self, kind: str, verb: Verb, argument: str = "") -> Locator:
        ending = f"[data-control$=':{argument}']" if argument else ""
        return self.person.page.locator(f"button[data-control^='{kind}:{verb.value}:']{ending}:enabled").last

    async def press(self, kind: str, verb: Verb, argument: str = "") -> None:
        await self.button(kind, verb, argument).click()

    async def dismiss(self) -> None:
        """Dismiss the newest private message; others may arrive in the meantime."""
        newest = await self.person.page.locator(".message.ephemeral:has(.only-you)").last.get_attribute("data-id")
        # The page may replace the element of the message at any time, so it is found again by its id.
        message = self.person.page.locator(f".message[data-id='{newest}']")
        await message.locator(".only-you .as-link").click()
        await message.wait_for(state="hidden")


async def play(person: Visitor, kind: str, decisions: Sequence[Verb] = DECISIONS) -> None:
    """Play all cards by the first decision there is."""
    for _click in range(MOST_CLICKS):
        found = next(filter(None, (pressable(person, kind, verb) for verb in decisions)), None)
        if found is None:
            return
        message, control = found
        # Refused where the button is gone already, which is told a moment later.
        await person.post("click", channel=message["channel"], message=message["id"], custom_id=control)
        await person.until(partial(gone, person, kind, found, decisions), within=60.0)
    raise AssertionError("the cards do not end")


def gone(person: Visitor, kind: str, pressed: tuple[dict[str, Any], str], decisions: Sequence[Verb]) -> bool:
    return pressed[1] not in [found[1] for verb in decisions if (found := pressable(person, kind, verb))]


def pressable(person: Visitor, kind: str, verb: Verb) -> tuple[dict[str, Any], str] | None:
    for message in sorted(person.messages.values(), key=lambda one: -int(one["id"])):
        for row in message["components"]:
            for button in row["components"]:
                control = str(button.get("custom_id"))
                if control.startswith(f"{kind}:{verb.value}:") and not button.get("disabled"):
                    return message, control
    return None


@pytest.mark.parametrize(
    ("locale", "scheme"), list(product(list_locales(), ("dark", "light"))) if KEPT else [("en-US", "dark")]
)
async def test_a_game_at_ones_own_pace_and_the_daily_challenge(
    browser: Browser, settings: Settings, tmp_path: Path, locale: str, scheme: str
) -> None:
    async with running(browser, settings, tmp_path) as address:
        person = await enter(browser, address, "Ada", locale=locale, scheme=scheme)
        await person.page.wait_for_selector(f"html[lang='{locale}']")
        async with visit(address, "Ada") as player, visit(address, "Bruno") as bruno:
            ada = Day(person, player, folder_of(locale) + "/{width}" + ("/light" if scheme == "light" else ""))
            await game(ada, bruno)
            await daily(ada)
            await morning(ada)


async def game(ada: Day, bruno: Visitor) -> None:
    """Play a rated game: a private page, what a card means, the standings, the report, and a choice tried again."""
    await ada.person.command("/highscore new")
    await bruno.click(*await bruno.until(lambda: pressable(bruno, "hs", Verb.JOIN), 60.0))
    await ada.see("lobby-own-pace", "button[data-control^='hs:start:']:enabled")
    await ada.press("hs", Verb.START)
    await ada.press("hr", Verb.PLAY)
    await ada.press("hr", Verb.TAKE)
    await ada.see("own-pace", "button[data-control^='hr:card:']:enabled")
    await ada.press("hr", Verb.CARD)
    await ada.see("card", ".only-you >> nth=2")
    await ada.dismiss()
    await play(ada.player, "hr")
    await bruno.click(*await bruno.until(lambda: pressable(bruno, "hr", Verb.PLAY), 60.0))
    await bruno.until(lambda: pressable(bruno, "hr", Verb.TAKE), 60.0)
    await play(bruno, "hr")
    await ada.see("standings", "button[data-control^='hs:again:']:enabled")
    await ada.press("hs", Verb.REPORT)
    await ada.see("report-own-pace", "button[data-control^='hs:share:']:enabled")
    if await ada.button("ht", Verb.TRY).count():
        await ada.press("ht", Verb.TRY)
        await ada.see("practice", "button[data-control^='ht:card:']:enabled")
        await ada.dismiss()
    await ada.person.command("/highscore stats")
    await ada.see("badges", ".message:last-child .picture img")


async def daily(ada: Day) -> None:
    """Play today's challenge to its end."""
    await ada.person.command("/highscore daily")
    await ada.see("daily-begins", "button[data-control^='hd:take:']:enabled")
    await ada.press("hd", Verb.TAKE)
    await ada.see("daily-turn", "button[data-control^='hd:card:']:enabled")
    await play(ada.player, "hd")
    await ada.see("daily-finished", "button[data-control^='hd:share:']:enabled")
    await ada.press("hd", Verb.SHARE)
    await ada.see("daily-shared", "button[data-control^='hd:play:']:enabled")


async def morning(ada: Day) -> None:
    """Set a channel for the mornings; at nine the podium is in it, with a button to one's decisions."""
    page = ada.person.page
    await ada.person.command("/highscore setup")
    channel = page.locator("[data-control='hu:pick:daily_channel']")
    step = 0
    while not await channel.count():
        await ada.see(f"setup-{step}", f"button[data-control='hu:step:{step + 1}']:enabled")
        await page.locator(f"button[data-control='hu:step:{step + 1}']:enabled").last.click()
        await page.wait_for_selector(f"button[data-control='hu:step:{step}']:enabled")
        step += 1
    await channel.last.click()
    await page.locator(".options .option").first.click()
    await page.wait_for_function(
        "() => !document.querySelector(\"[data-control='hu:pick:daily_channel'] .placeholder\")"
    )
    await ada.see("setup-daily", "[data-control='hu:pick:daily_at']")
    # The playground begins at the time it is: before nine, tomorrow at this time is too early.
    for _night in range(1 if datetime.now(UTC).time() >= ServerSettings().daily_at else 2):
        await page.click("#clock")
        await page.locator(".popover button, [role=dialog] button").last.click()
        await page.wait_for_timeout(300)
        await page.keyboard.press("Escape")
    await ada.see("daily-morning", "button[data-control^='hd:proof:']:enabled")
    await ada.press("hd", Verb.REVIEW)
    await ada.see(
        "daily-review",
        ".only-you button[data-control^='hd:review:'], .message.ephemeral button[data-control^='hd:review:']",
    )
    await page.locator(".message.ephemeral button[data-control^='hd:review:']").last.click()
    await ada.see("daily-review-card", ".message.ephemeral button[data-control^='hd:review:']")
