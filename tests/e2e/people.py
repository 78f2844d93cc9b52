"""People in a real browser, playing in the playground with real clicks."""

from __future__ import annotations

import io
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from bot.app import HighScoreBot
from bot.cli.play import list_locales, make_introduction, make_shortcuts
from bot.config import Settings
from bot.locales import _, language_for, pgettext, speaking_in
from bot.ui.buttons import Verb
from playground.run import playground

try:
    from playwright.async_api import TimeoutError as TimeoutError_
except ImportError:  # then no test gets as far as to need it
    TimeoutError_ = TimeoutError  # type: ignore[assignment,misc]

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page, ViewportSize

REAL_CLICKS = [pytest.mark.long, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
"""The marks of tests in a browser: it is one for all of them, in the session's loop."""
KEPT = os.environ.get("HIGHSCORE_SCREENSHOTS")
"""The folder in which pictures are kept, if they are: then of every language, width and scheme."""
DESKTOP: ViewportSize = {"width": 1280, "height": 1000}
PHONE: ViewportSize = {"width": 390, "height": 844}
WIDTHS = {"phone": PHONE, "desktop": DESKTOP} if KEPT else {"desktop": DESKTOP}
BROKEN_ROWS = """() => [...document.querySelectorAll(".row")].filter(
    (row) => new Set([...row.children].map((each) => each.offsetTop)).size > 1).map((row) => row.innerText)"""
"""The rows of buttons of which some have dropped to the next line."""
COLOURS = 256
"""The colours of a kept picture: as many as a palette has."""


@asynccontextmanager
async def running(browser: Browser, settings: Settings, folder: Path) -> AsyncIterator[str]:
    """Run a playground with the real bot, and yield its address; all its pages are closed in the end."""
    others = set(browser.contexts)
    with_emoji = settings.model_copy(update={"emoji": True})
    state = folder / "discord.sqlite3"
    shortcuts, introduction, locales = make_shortcuts(), make_introduction(), list_locales()
    async with playground(
        lambda: HighScoreBot(with_emoji), state=state, shortcuts=shortcuts, introduction=introduction, locales=locales
    ) as found:
        yield found
        for context in set(browser.contexts) - others:
            await context.close()


class Person:
    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name

    def button(self, verb: Verb) -> Locator:
        return self.page.locator(f'button[data-control^="hs:{verb.value}:"]:enabled').last

    async def can(self, verb: Verb) -> bool:
        return await self.button(verb).count() > 0

    async def press(self, verb: Verb) -> None:
        """Press it, and wait until the page shows what came of it."""
        await self._answered(await self._click(verb))

    async def try_press(self, *verbs: Verb) -> bool:
        """Press the first of these there is, unless it goes away in that moment; tells whether it was pressed."""
        for verb in verbs:
            if await self.can(verb):
                try:
                    clicked = await self._click(verb, within=1_000)
                except TimeoutError_:
                    return False
                await self._answered(clicked)
                return True
        return False

    async def _click(self, verb: Verb, within: float | None = None) -> str | None:
        """Click the button; return its ``custom_id``.

        Raises a timeout where it cannot be pressed within so many milliseconds.
        """
        button = self.button(verb)
        control = await button.get_attribute("data-control", timeout=within)
        # A private message may take the place of an earlier one, so their number does not tell that one has come.
        await self.page.evaluate("document.querySelectorAll('.only-you').forEach((foot) => { foot.dataset.seen = 1; })")
        await button.click(timeout=within)
        return control

    async def _answered(self, control: str | None) -> None:
        """Wait until the button is gone or the bot has answered privately: until then the page is an old one."""
        await self.page.wait_for_function(
            "(control) => !document.querySelector(`button[data-control='${control}']:enabled`)"
            " || document.querySelector('.only-you:not([data-seen])')",
            arg=control,
        )

    async def command(self, text: str) -> None:
        await self.page.fill("#entry", text)
        await self.page.wait_for_selector(".suggestion[aria-selected=true]")
        await self.page.keyboard.press("Enter")
        await self.page.keyboard.press("Enter")

    async def begin_command(self, name: str) -> None:
        await self.page.fill("#entry", f"/highscore {name}")
        await self.page.wait_for_selector(".suggestion[aria-selected=true]")
        await self.page.keyboard.press("Enter")

    async def ask(self, text: str, answer: str) -> None:
        """Send a command, and wait until the last message is its answer, in which something can be read."""
        last = self.page.locator(".log > .message").last
        before = await last.get_attribute("data-id") if await last.count() else ""
        await self.command(text)
        await self.page.wait_for_function(
            """([before, answer]) => {
                const last = [...document.querySelectorAll(".log > .message")].at(-1);
                return last && last.dataset.id !== before && last.innerText.includes(answer);
            }""",
            arg=[before, answer],
        )

    async def choose(self, option: str, typed: str) -> None:
        await self.page.click(f"text=+ {option}")
        await self.page.keyboard.type(typed)
        await self.page.keyboard.press("Enter")

    async def picture(self, name: str) -> None:
        """Keep what the page shows, where somebody wants it."""
        if KEPT:
            await self.page.evaluate("document.getElementById('scroller').scrollTo(0, 1e9)")
            await self.page.mouse.move(0, 0)
            # Of a button that went away while it was being clicked.
            await self.page.wait_for_function("() => !document.querySelector('.toast')")
            await self.page.wait_for_function("() => [...document.images].every(each => each.complete)")
            await self.page.wait_for_timeout(400)
            keep(await self.page.screenshot(), Path(KEPT) / f"{name}.png")


class Screens:
    """A person's page, looked at in several widths. Several pages would draw everything several times."""

    def __init__(self, person: Person, folder: str) -> None:
        self.person = person
        self.folder = folder
        """That of the pictures, with a field for the width."""

    async def see(self, name: str, sign: str) -> None:
        """Wait until the page shows something, and keep what it shows."""
        page = self.person.page
        for width, size in WIDTHS.items():
            await page.set_viewport_size(size)
            await page.locator(sign).last.wait_for()
            # A click on an element that is being redrawn would be lost.
            await page.wait_for_timeout(150)
            await self.person.picture(f"{self.folder.format(width=width)}/{name}")
            if width == "phone":
                assert await page.evaluate(BROKEN_ROWS) == [], name


def keep(screenshot: bytes, path: Path) -> None:
    """Keep a picture of a page, made small. A palette of the most frequent colours would make small symbols grey."""
    path.parent.mkdir(parents=True, exist_ok=True)
    small = Image.open(io.BytesIO(screenshot)).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2)
    small.save(path, optimize=True)


async def enter(
    browser: Browser,
    address: str,
    name: str,
    viewport: ViewportSize = DESKTOP,
    *,
    locale: str = "en-US",
    scheme: Any = "dark",
) -> Person:
    context = await browser.new_context(viewport=viewport, color_scheme=scheme, locale=locale, reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(60_000)
    await page.goto(f"{address}?as={name}")
    await page.wait_for_selector(".log > *")
    return Person(page, name)


def folder_of(locale: str) -> str:
    """Return the folder for the pictures of a Discord locale: its language."""
    return locale.partition("-")[0]


def say(locale: str, english: str, context: str | None = None) -> str:
    """Translate a message of the bot, up to its first field; a name of a command or an option by its context."""
    with speaking_in(language_for(locale)):
        said = _(english) if context is None else pgettext(context, english)
    return said.partition("{")[0].strip(" *:\u00a0")


def choice(locale: str, english: str) -> str:
    return say(locale, english).partition(":")[0].strip()


async def open_table(person: Person, order: str, *, command: str = "new", option: str = "order") -> None:
    """Open a table in a turn order that is typed as it is listed; the command has a name in every language."""
    await person.begin_command(command)
    await person.choose(option, order)
    await person.page.keyboard.press("Enter")
    await person.page.wait_for_selector(f'button[data-control^="hs:{Verb.START.value}:"], .embed')
