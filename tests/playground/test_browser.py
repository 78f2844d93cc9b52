from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from simcord.backend.models import Interaction

from playground.run import playground
from playground.simulated import engine
from tests.playground.pages import Open, command, focused, open_table, text
from tests.playground.stub import StubBot

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


async def test_a_command_is_found_filled_in_and_sent_by_keyboard(tab: Open) -> None:
    page = await tab("Ada")
    await page.keyboard.type("/stub ta")
    assert await page.inner_text(".suggestion[aria-selected=true]") == "/stub table\nrounds\nspeed\nOpen a table"
    await page.keyboard.press("Enter")
    assert await focused(page) == "rounds: How many rounds"
    await page.keyboard.type("9")
    await page.keyboard.press("Tab")
    await page.keyboard.type("fa")
    assert await page.inner_text(".suggestion") == "Fast"
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    assert await text(page, ".hint-line") == "rounds must be 7 or less."
    assert await focused(page) == "rounds: How many rounds"
    await page.keyboard.press("Backspace")
    await page.keyboard.type("3")
    await page.click("text=+ partner")
    await page.keyboard.type("Br")
    await page.keyboard.press("Enter")
    await page.click("text=+ open_seats")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".embed")
    assert await text(page, ".message .content") == "Table · 3 rounds, Fast, open: False, with @Bruno"
    assert await text(page, ".message .above") == "Ada used /stub table"
    assert await focused(page) == "Message #game-night"


async def test_a_message_changes_in_every_tab_and_a_private_answer_is_in_one_until_it_is_dismissed(tab: Open) -> None:
    ada, bruno = await tab("Ada"), await tab("Bruno")
    await open_table(ada)
    assert await ada.evaluate("document.querySelector('.embed-image img').naturalWidth") == 240
    colour = await ada.evaluate("getComputedStyle(document.querySelector('.embed')).borderLeftColor")
    assert colour == "rgb(241, 196, 15)"
    await bruno.focus("button:has-text('Roll (0)')")
    await bruno.keyboard.press("Enter")
    for page in (ada, bruno):
        await page.wait_for_selector("button:has-text('Roll (1)')")
        assert "1 so far" in await text(page, ".embed-fields")
    assert await bruno.evaluate("document.activeElement.dataset.control") == "roll:1"
    assert await ada.is_disabled("button:has-text('Disabled')")
    assert await ada.get_attribute(".message a.button", "href") == "https://example.org/rules"
    await bruno.click("button:has-text('Whisper')")
    await bruno.wait_for_selector(".ephemeral >> text=Only you can see this")
    await ada.fill("#entry", "Anything new?")
    await ada.keyboard.press("Enter")
    await ada.wait_for_selector("text=Anything new?")
    assert await ada.query_selector(".ephemeral") is None
    await bruno.click("text=Dismiss message")
    await bruno.wait_for_selector(".ephemeral", state="detached")
    await bruno.reload()
    await bruno.wait_for_selector(".message")
    assert await bruno.query_selector(".ephemeral") is None


async def test_a_form_and_a_select_menu_are_used_by_keyboard(tab: Open) -> None:
    page = await tab("Ada")
    await open_table(page)
    await page.click("button:has-text('Name')")
    await page.wait_for_selector("dialog[open]")
    assert await page.is_visible("dialog label:has-text('Motto')")
    await page.keyboard.press("Enter")
    assert await text(page, "dialog .failed") == "“Table” is required."
    await page.keyboard.type("Blue")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("text=The table is called Blue.")
    await page.wait_for_selector("dialog", state="detached")
    await page.click("button:has-text('Name')")
    await page.wait_for_selector("dialog[open]")
    await page.keyboard.type("Green")
    for key in ("Tab", "Tab", "Space", "ArrowDown", "Enter"):
        await page.keyboard.press(key)
    await page.wait_for_selector("text=The table is called Green. It is Blue.")
    await page.wait_for_selector("dialog", state="detached")
    await page.click("button:has-text('Name')")
    await page.wait_for_selector("dialog[open]")
    await page.keyboard.press("Escape")
    await page.wait_for_selector("dialog", state="detached")
    await page.focus(".select")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".option")
    assert await page.is_disabled(".done")
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Space")
    await page.keyboard.press("Escape")
    await page.wait_for_selector("text=@Ada keeps 6, V.")


async def test_what_the_bot_never_answers_is_said_and_thinking_is_shown(
    tab: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await tab("Ada")
    await open_table(page)
    seen, wait_for_answer = asyncio.Event(), engine.Engine.wait_for_answer

    async def once_seen(simulated: engine.Engine, record: Interaction) -> engine.ActionResult:
        await seen.wait()
        return await wait_for_answer(simulated, record)

    monkeypatch.setattr(engine, "_ANSWER_WITHIN", 0.1)
    monkeypatch.setattr(engine.Engine, "wait_for_answer", once_seen)
    await page.click("button:has-text('Silent')")
    await page.wait_for_selector(".button.busy")
    seen.set()
    await page.wait_for_selector("text=This interaction failed", timeout=30_000)
    await page.wait_for_selector(".button.busy", state="detached")
    seen.clear()
    await command(page, "stub silent")
    await page.wait_for_selector("text=Sending command…")
    seen.set()
    await page.wait_for_selector(".ephemeral >> text=The application did not respond", timeout=30_000)
    assert await page.query_selector("text=Sending command…") is None
    await page.click("button:has-text('Slow')")
    await page.wait_for_selector("text=High Score is thinking…")
    await page.wait_for_selector("text=That took a while.")


async def test_the_page_finds_a_playground_which_was_started_again(
    browser: Browser, state: Path, unused_port: int
) -> None:
    page = await (await browser.new_context()).new_page()
    async with playground(StubBot, state=state, port=unused_port) as address:
        await page.goto(address)
        await open_table(page)
    await page.wait_for_selector("text=Connection lost.")
    async with playground(StubBot, state=state, port=unused_port):
        await page.wait_for_selector("#offline", state="hidden")
        await page.click("button:has-text('Roll (0)')")
        await page.wait_for_selector("button:has-text('Roll (1)')")
    await page.context.close()


async def test_the_menus_of_people_and_messages_open_by_mouse_and_keyboard(tab: Open) -> None:
    page = await tab("Ada")
    await page.click("[data-seat]:nth-child(2)", button="right")
    await page.click("role=menuitem[name=Greet]")
    await page.wait_for_selector(".message >> text=Hello, @Bruno!")
    assert await text(page, ".message .above") == "Ada used Greet"
    await page.hover(".message")
    await page.click(".message [aria-label=Apps]")
    assert await focused(page) == "Repeat this"
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".ephemeral >> text=It says Hello, @Bruno!")
    await page.click(".message .mention", button="right")
    assert await focused(page) == "Greet"
