"""A real browser for tests, or a reason why there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserType

_NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Without a sandbox because tests also run as root in a container, where there is none; the rest keeps the browser
#: from talking to anybody.
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str | None:
    """Find a Chromium: `HIGHSCORE_CHROMIUM`, or one that is installed."""
    return os.environ.get("HIGHSCORE_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


def _missing(what: str) -> None:
    reason = f"{what}; set HIGHSCORE_CHROMIUM to the path of a Chromium, and install the extra “test”"
    if os.environ.get("HIGHSCORE_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)  # README: the test command passes where there is no browser; .ci/run fails above


@asynccontextmanager
async def _chromium() -> AsyncIterator[tuple[BrowserType, dict[str, Any]]]:
    """Yield Playwright's Chromium and the options to start it; skip the test (or fail it) where there is none."""
    path = chromium()
    if path is None:
        _missing("no Chromium found")
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        _missing("Playwright is not installed")
    async with async_playwright() as playwright:
        yield playwright.chromium, {"executable_path": path, "args": _ARGUMENTS}


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """Open a headless Chromium; skip the test (or fail it, with `HIGHSCORE_REQUIRE_ALL=1`) where there is none."""
    async with _chromium() as (chromium, options):
        browser = await chromium.launch(**options)
        try:
            yield browser
        finally:
            await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Open one browser for all tests, in the session's loop: a start takes as long as several tests."""
    async with open_browser() as found:
        yield found
