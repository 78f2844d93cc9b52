"""What several commands share: settings, one-sentence endings, the database, the log."""

import asyncio
import faulthandler
import logging
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click
from pydantic import ValidationError
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from bot.config import Settings
from bot.discord_api.errors import register_discord_errors
from bot.observing.logs import set_up_logging
from bot.shutdown import KILLED_AFTER
from bot.store.database import Database, parse_url
from bot.store.errors import DatabaseError, register_database_errors
from highscore.errors import DeckError

CANNOT_START = (DatabaseError, DeckError, SQLAlchemyError, UnicodeDecodeError, OSError)
"""Errors that a person can set right: files, their contents (where pages are damaged, also text), and permissions."""
_NO_STANDARD_ERROR = (RuntimeError, ValueError, OSError)
"""What ``faulthandler`` raises where there is none, or none that is a file."""
LONGEST_REASON = 300
NEEDS_CARE = 2
"""Exit code when something has to be set right by a person first."""


def end(sentence: str, code: int = NEEDS_CARE) -> NoReturn:
    click.echo(sentence, err=True)
    raise SystemExit(code)


@contextmanager
def or_end(what_is: str, errors: tuple[type[Exception], ...] = CANNOT_START, code: int = NEEDS_CARE) -> Iterator[None]:
    """End the program where one of these errors is raised, with what that leaves behind and why."""
    try:
        yield
    except errors as error:
        end(f"{what_is}: {reason(error)}.", code)


def printable(text: object) -> str:
    """The text as one line that cannot steer the terminal; files may hold names that try to."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in str(text))


def reason(error: Exception) -> str:
    """What went wrong, for the end of a sentence: one line of at most ``LONGEST_REASON`` characters, no full stop."""
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        # The driver would repeat what it cannot read.
        text = "the database is damaged: not all text in it is UTF-8"
    elif isinstance(error, SQLAlchemyError):
        # The driver's own words, without SQLAlchemy's, which may repeat statements and parameters.
        text = f"the database cannot be used: {getattr(error, 'orig', None) or type(error).__name__}"
    else:
        text = str(error) or type(error).__name__
    # A proxy's whole page may be in Discord's answer.
    return printable(text.splitlines()[0][:LONGEST_REASON].rstrip(". "))


@contextmanager
def settings_file() -> Iterator[Path]:
    """The file of settings, for whoever reads it; ends the program with a sentence where it cannot be read.

    What reads it would pass over one that is no file, and over a link that leads nowhere.
    """
    file = Path(str(Settings.model_config["env_file"]))
    if (file.is_symlink() or file.exists()) and not file.is_file():
        end(f"{file} is no file, so no settings can be read from it. Put a file in its place, or take it away.")
    try:
        yield file
    except UnicodeDecodeError:
        end(f"The file {file} is not UTF-8 text. Save it as UTF-8.")
    except OSError as error:
        end(f"The file {file} cannot be read: {error.strerror}.")


def load_settings() -> Settings:
    """The settings; ends the program with a sentence that names a wrong one. Never repeats a value."""
    try:
        with settings_file():
            settings = Settings()
    except ValidationError as error:
        wrong = "; ".join(
            ": ".join([*(str(name).upper() for name in one["loc"]), one["msg"]]) for one in error.errors()
        )
        end(f"Some settings are wrong. {wrong}. See .env.example for what they mean.")
    # It goes into an HTTP header, where a line break in the middle of a pasted token would be an error.
    token = "" if settings.discord_token is None else settings.discord_token.get_secret_value().strip()
    if not (token.isascii() and token.isprintable()) or " " in token:
        end("Some settings are wrong. DISCORD_TOKEN: has characters in it that tokens do not have. Copy it once more.")
    return settings


def database_url(settings: Settings) -> URL:
    """The database of the settings. Raises DatabaseError where DATABASE_URL names none."""
    return parse_url(settings.database_url.get_secret_value())


@asynccontextmanager
async def open_database(url: URL, *, checkpoints: bool = False) -> AsyncIterator[Database]:
    """A database, closed at the end. A command leaves checkpoints to the bot, which may run beside it."""
    database = Database(url, checkpoints=checkpoints)
    try:
        yield database
    finally:
        await database.close()


def start_logging(settings: Settings, stream: TextIO | None = None) -> logging.Handler:
    """Log as the settings say, to standard error by default, without anything secret or personal."""
    register_discord_errors()
    register_database_errors()
    return set_up_logging(settings.log_level, settings.log_format, settings.secrets, stream)


def run_until_stopped(main: Coroutine[Any, Any, None]) -> None:
    """Run until done, or until Ctrl-C or SIGTERM, which cancel it so that it can finish in order.

    Should something hang all the same, also Python's own end, the process is ended after ``KILLED_AFTER`` seconds with
    exit code 1, and where it hung goes to standard error, as where Python itself crashed. A second signal changes
    nothing.
    """
    with suppress(*_NO_STANDARD_ERROR):
        faulthandler.enable()
    stop: list[Callable[[], object]] = []
    told: list[int] = []

    def told_to_stop(number: int, _frame: object) -> None:
        told.append(number)
        with suppress(*_NO_STANDARD_ERROR):
            faulthandler.dump_traceback_later(KILLED_AFTER, exit=True)
        while stop:
            stop.pop()()

    async def watched() -> None:
        task = asyncio.ensure_future(main)
        # Not the loop's own handlers: they wait for the loop, which may be what hangs, and are not there on Windows.
        stop.append(partial(asyncio.get_running_loop().call_soon_threadsafe, task.cancel))
        if told:  # before there was a task
            task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
        finally:
            stop.clear()

    before = {number: signal.signal(number, told_to_stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        asyncio.run(watched())
    finally:
        faulthandler.cancel_dump_traceback_later()
        for number, handler in before.items():
            signal.signal(number, handler)
