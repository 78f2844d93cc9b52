"""What several commands share: settings, and one-sentence endings."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, NoReturn

import click
from pydantic import ValidationError

from bot.settings import Settings

NEEDS_CARE = 2
"""Exit code when something has to be set right by a person first."""


def end(sentence: str, code: int = NEEDS_CARE) -> NoReturn:
    """Print a sentence to standard error and exit."""
    click.echo(sentence, err=True)
    raise SystemExit(code)


def load_settings() -> Settings:
    """The settings; ends the program with a sentence that names a wrong one. Never repeats a value."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc'])).upper()}: {one['msg']}" for one in error.errors())
        end(f"Some settings are wrong. {wrong}. See .env.example for what they mean.")


def run_until_stopped(main: Coroutine[Any, Any, None]) -> None:
    """Run until done, or until Ctrl-C or SIGTERM, which cancel it so that it can finish in order."""

    async def watched() -> None:
        task = asyncio.ensure_future(main)
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM"):
            try:
                loop.add_signal_handler(getattr(signal, name), task.cancel)
            except NotImplementedError:  # Windows: Ctrl-C arrives as KeyboardInterrupt instead
                break
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                raise

    try:
        asyncio.run(watched())
    except KeyboardInterrupt:
        click.echo("Stopped.")
