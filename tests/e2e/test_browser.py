"""Several people in the playground, in real browsers with real clicks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from bot.config import Settings
from bot.ui.buttons import Verb
from tests.e2e.people import REAL_CLICKS, Person, enter, open_table, running

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = REAL_CLICKS

MOST_CLICKS = 400


async def move(person: Person, clicks: int) -> None:
    """One sensible click of a turn, if their page offers one: dice are picked and rolled again, then kept."""
    again = ((), (Verb.ROLL, Verb.TOGGLE), (Verb.ROLL,))[clicks % 3]
    await person.try_press(Verb.TAKE, *again, Verb.STOP, Verb.SET_ASIDE, Verb.ASK)


async def on_turn(people: list[Person]) -> Person:
    """Whoever the page of the turn calls."""
    page = people[0].page
    await page.wait_for_selector('button[data-control^="hs:"]:enabled')
    calling = page.locator(".message:not(.ephemeral)", has=page.locator(".mention"))
    turn = calling.filter(has=page.locator('button[data-control^="hs:"]')).last
    called = await turn.locator(".content .mention").inner_text()
    return next(person for person in people if person.name in called)


async def test_three_people_play_a_round_with_real_clicks(browser: Browser, settings: Settings, tmp_path: Path) -> None:
    async with running(browser, settings, tmp_path) as address:
        people = [await enter(browser, address, name) for name in ("Ada", "Bruno", "Clara")]
        ada = people[0]
        await open_table(ada, "rule")
        for person in people[1:]:
            await person.press(Verb.JOIN)
        await ada.page.wait_for_selector("text=Seats (3 of 5)")
        await ada.press(Verb.START)
        clicks = 0
        record = ada.page.locator(".embed-title", has_text=re.compile("^Round 1 of 7"))
        while not await record.count():
            clicks += 1
            assert clicks < MOST_CLICKS
            await move(await on_turn(people), clicks)
            await ada.page.wait_for_timeout(20)
        await ada.page.wait_for_selector("text=Round 2 of 7")
        assert await record.count() == 1
        called = await ada.page.locator(".message:not(.ephemeral) .content .mention").count()
        assert called == len(people) + 1, "the opening calls everybody, and the turn its player"
