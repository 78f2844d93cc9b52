"""Whole games in the playground, in a real browser with real clicks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bot.domain.deadlines
from bot.config import Settings
from bot.ui.buttons import Verb
from tests.e2e.people import PHONE, REAL_CLICKS, Person, enter, open_table, running

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = REAL_CLICKS

MOST_CLICKS = 400


async def move(person: Person, clicks: int) -> None:
    """One sensible click of a turn: dice are picked and rolled again, and every third time the turn is ended."""
    if await person.can(Verb.TAKE):
        return await person.press(Verb.TAKE)
    if await person.can(Verb.ROLL) and clicks % 3:
        return await person.press(Verb.ROLL)
    if await person.can(Verb.TOGGLE) and clicks % 3 == 1:
        return await person.press(Verb.TOGGLE)
    for verb in (Verb.STOP, Verb.SET_ASIDE, Verb.ASK):
        if await person.can(verb):
            return await person.press(verb)
    raise AssertionError(f"{person.name} has nothing to press")


async def on_turn(people: list[Person]) -> Person:
    """Whoever the page of the turn calls."""
    page = people[0].page
    await page.wait_for_selector('button[data-control^="hs:"]:enabled')
    calling = page.locator(".message", has=page.locator(".mention"))
    turn = calling.filter(has=page.locator('button[data-control^="hs:"]')).last
    called = await turn.locator(".content .mention").inner_text()
    return next(person for person in people if person.name in called)


async def test_three_people_play_a_round_with_real_clicks(browser: Browser, settings: Settings, tmp_path: Path) -> None:
    async with running(browser, settings, tmp_path) as address:
        await play_a_round(browser, address)


async def play_a_round(browser: Browser, address: str) -> None:
    """Three people, each with a page of their own, from the lobby to the second card."""
    people = [await enter(browser, address, name) for name in ("Ada", "Bruno", "Clara")]
    ada = people[0]
    await open_table(ada, "rule")
    for person in people[1:]:
        await person.press(Verb.JOIN)
    await ada.page.wait_for_selector("text=Seats (3 of 5)")
    await ada.picture("lobby")
    await ada.press(Verb.START)
    clicks, pictured = 0, False
    record = ada.page.locator(".embed-title", has_text=re.compile("^Round 1 of 7"))
    while not await record.count():
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
    assert await record.count() == 1
    called = await ada.page.locator(".message .content .mention").count()
    assert called == len(people) + 1, "the opening calls everybody, and the turn its player"


async def test_a_game_against_the_house_goes_on_after_a_restart(
    browser: Browser, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The house plays at a human rhythm; nobody wants to wait for it here.
    monkeypatch.setattr(bot.domain.deadlines, "HOUSE_SECONDS", 0.05)
    async with running(browser, settings, tmp_path) as address:
        ada = await enter(browser, address, "Ada")
        await open_table(ada, "open")
        await ada.press(Verb.ADD_HOUSE)
        await ada.press(Verb.START)
        await ada.page.wait_for_selector("text=Round 1 of 7")
    async with running(browser, settings, tmp_path) as address:
        ada = await enter(browser, address, "Ada")
        for _click in range(MOST_CLICKS):
            if await ada.can(Verb.REMATCH):
                break
            await ada.try_press(Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE)
            await ada.page.wait_for_timeout(100)
        await ada.page.wait_for_selector("text=wins")
        await ada.picture("final")
        # On a busy machine a button may have been pressed that was stale already, which is said privately.
        before = await ada.page.locator(".only-you").count()
        await ada.button(Verb.REPORT).click()
        await ada.page.wait_for_selector("text=Luck and skill")
        await ada.picture("report")
        await ada.button(Verb.PROOF).click()
        await ada.page.wait_for_selector("text=The seed matches the seal")
        assert await ada.page.locator(".only-you").count() == before + 2
