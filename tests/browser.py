"""A real browser for tests, or a reason why there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest_asyncio

from tests.sampling import lack

if TYPE_CHECKING:
    from playwright.async_api import Browser

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


_WANTED = "set HIGHSCORE_CHROMIUM to the path of a Chromium, and install the extra “test”"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Open one headless Chromium for all tests, in the session's loop: a start takes as long as several tests."""
    path = os.environ.get("HIGHSCORE_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        lack(f"no Chromium found; {_WANTED}")
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        lack(f"Playwright is not installed; {_WANTED}")
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield found
        await found.close()
