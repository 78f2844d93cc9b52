"""The page in a real browser, with real clicks and keys."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from simcord.backend.models import Interaction

from playground.run import playground
from playground.simulated import engine
from tests.browser import open_profile
from tests.playground.pages import Open, address, command, complaints, focused, open_table, tab, text
from tests.playground.stub import StubBot

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

__all__ = ["address", "complaints", "tab"]

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture
def unused_port() -> int:
    """Find a port nobody listens on."""
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
    assert await text(page, ".hint-line") == "rounds has to be 7 or less."
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


async def test_a_command_that_is_sent_before_the_commands_are_there_waits_for_them(tab: Open) -> None:
    page = await tab("Ada")
    come = asyncio.Event()

    async def later(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await page.route("**/api/commands?*", later, times=1)
    await page.reload()
    await page.wait_for_selector(".log > *")
    await page.fill("#entry", "/stub find")
    await page.click(".send")
    come.set()
    await page.wait_for_selector(".chip")
    assert await page.query_selector(".message") is None
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.fill("#entry", "/stub nothing")
    await page.click(".send")
    await page.wait_for_selector("text=There is no such command here.")


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
    assert await ada.get_attribute("a.button", "href") == "https://example.org/rules"
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
    assert await text(page, "dialog .failed") == "“Table” is needed."
    await page.keyboard.type("Blue")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("text=The table is called Blue.")
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
    seen, outcome = asyncio.Event(), engine.Engine.outcome

    async def once_seen(simulated: engine.Engine, record: Interaction) -> engine.ActionResult:
        await seen.wait()
        return await outcome(simulated, record)

    monkeypatch.setattr(engine, "_ANSWER_WITHIN", 0.1)
    monkeypatch.setattr(engine.Engine, "outcome", once_seen)
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


async def test_time_passes_on_demand(tab: Open) -> None:
    page = await tab("Ada")
    await command(page, "stub later", "1800", "Bruno")
    await page.click("#clock")
    await page.click("text=+1 hour")
    await page.wait_for_selector("text=@Bruno, your turn!")
    await page.wait_for_selector(".clock >> text=+1 h")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Alt+2")
    await page.click(".channel-item.dm")
    await page.wait_for_selector("text=It is your turn in the channel.")


async def test_what_was_written_survives_a_lost_connection(tab: Open, complaints: list[str]) -> None:
    page = await tab("Ada")
    await page.context.set_offline(True)
    await page.fill("#entry", "Lost?")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".toast >> text=The playground does not answer")
    assert await page.input_value("#entry") == "Lost?", "what was written is not lost"
    await page.context.set_offline(False)
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".message >> text=Lost?")
    assert all("ERR_INTERNET_DISCONNECTED" in one for one in complaints)
    complaints.clear()


async def test_the_page_finds_a_playground_which_was_started_again(
    browser: Browser, state: Path, unused_port: int
) -> None:
    page = await (await browser.new_context()).new_page()
    async with playground(StubBot, state=state, port=unused_port) as address:
        await page.goto(address)
        await open_table(page)
    await page.wait_for_selector("text=The connection is lost.")
    async with playground(StubBot, state=state, port=unused_port):
        await page.wait_for_selector("#offline", state="hidden")
        await page.click("button:has-text('Roll (0)')")
        await page.wait_for_selector("button:has-text('Roll (1)')")
    await page.context.close()


@asynccontextmanager
async def forwarding(port: int) -> AsyncIterator[int]:
    """Pass on what comes to another port, as SSH does; yield that port."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(1 << 16):
                writer.write(piece)
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))

    async with await asyncio.start_server(connect, "127.0.0.1", 0) as server:
        yield int(server.sockets[0].getsockname()[1])


async def test_behind_a_forwarded_port_that_was_named(
    browser: Browser, state: Path, tmp_path: Path, unused_port: int
) -> None:
    async with forwarding(unused_port) as forwarded, await browser.new_context() as context:
        page = await context.new_page()
        address = f"http://localhost:{forwarded}"
        async with playground(StubBot, state=state, port=unused_port, forwarded=[address]):
            await page.goto(f"{address}/?as=Ada")
            await open_table(page)
            await page.click("button:has-text('Roll (0)')")
            await page.wait_for_selector("button:has-text('Roll (1)')")
        async with playground(StubBot, state=tmp_path / "other", port=unused_port):
            assert f"This playground is at http://127.0.0.1:{unused_port} only." in await _body(page, address)


async def _body(page: Page, address: str) -> str:
    await page.goto(address)
    return await page.inner_text("body")


async def test_a_browser_that_blocks_site_data_shows_the_page_all_the_same(address: str, tmp_path: Path) -> None:
    preferences = tmp_path / "Default" / "Preferences"
    preferences.parent.mkdir()
    preferences.write_text(json.dumps({"profile": {"default_content_setting_values": {"cookies": 2}}}))
    complaints: list[str] = []
    async with open_profile(tmp_path) as context:
        page = context.pages[0]
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(f"{address}?as=Ada")
        assert "SecurityError" in await page.evaluate("(() => { try { localStorage } catch (e) { return `${e}` } })()")
        await open_table(page)
        await page.click("#channels >> text=lounge")
        assert await text(page, "#channel-name") == "lounge"
        await page.click("#settings")
        await page.click("input[name=theme][value=light]")
        assert await page.evaluate("document.documentElement.dataset.theme") == "light"
    assert complaints == []
