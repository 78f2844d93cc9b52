"""What several commands share: settings, the database, the log, ending with a message, and signals."""

import asyncio
import faulthandler
import logging
import signal
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click
import discord
from pydantic import ValidationError
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError, StatementError

from bot.config import Settings
from bot.discord_api.errors import describe_answer, register_discord_errors
from bot.observing.logs import set_up_logging
from bot.shutdown import KILLED_AFTER
from bot.store.database import Database, parse_url
from bot.store.errors import DatabaseError, register_database_errors
from bot.store.sqlite import is_busy, make_file
from highscore.errors import DeckError

CANNOT_START = (DatabaseError, DeckError, SQLAlchemyError, UnicodeError, OSError)
"""The errors that an operator can correct: they come from files, their names and contents (including damaged text),
permissions, and the database.
"""
_NO_STANDARD_ERROR = (RuntimeError, ValueError, OSError)
"""The errors that ``faulthandler`` raises if standard error is missing or is not a file."""
LONGEST_REASON = 300
NEEDS_CARE = 2
"""The exit code if the operator has to correct something first."""


def end(sentence: str, code: int = NEEDS_CARE) -> NoReturn:
    click.echo(sentence, err=True)
    raise SystemExit(code)


@contextmanager
def end_on_error(
    what_is: str, errors: tuple[type[Exception], ...] = CANNOT_START, code: int = NEEDS_CARE
) -> Iterator[None]:
    """If one of these errors is raised in the block, end the program with a message: ``what_is`` and the reason."""
    try:
        yield
    except errors as error:
        end(f"{what_is}: {reason_of(error)}.", code)


def make_printable(text: object) -> str:
    """Replace each unprintable character by U+FFFD. Files may contain names that would control the terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in str(text))


def reason_of(error: Exception) -> str:
    """Explain an error in one line of at most ``LONGEST_REASON`` characters, without a full stop at its end."""
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        # The driver's message would repeat the unreadable text.
        text = "the database is damaged: not all text in it is UTF-8"
    elif isinstance(error, UnicodeEncodeError):
        text = "the name of a file or folder is not UTF-8"
    elif isinstance(error, SQLAlchemyError):
        # The driver's message is used, because SQLAlchemy's may repeat statements and parameters.
        cause = error.orig if isinstance(error, StatementError) else None
        text = f"the database cannot be used: {cause or type(error).__name__}"
    elif isinstance(error, discord.HTTPException):
        text = describe_answer(error)  # It can be the page of a proxy, or the names of the fields that Discord refuses.
    else:
        text = str(error) or type(error).__name__
    return make_printable(text.splitlines()[0][:LONGEST_REASON].rstrip(". "))


@contextmanager
def find_settings_file() -> Iterator[Path]:
    """Yield the path of the settings file, which need not exist. End the program if it is not a file, or if the block
    cannot read it.
    """
    file = Path(str(Settings.model_config["env_file"]))
    if (file.is_symlink() or file.exists()) and not file.is_file():
        end(f"{file} is not a file, so no settings can be read from it. Replace it with a file, or remove it.")
    try:
        yield file
    except UnicodeDecodeError:
        end(f"The file {file} is not UTF-8 text. Save it as UTF-8.")
    except OSError as error:
        end(f"The file {file} cannot be read: {error.strerror}.")


def load_settings() -> Settings:
    """Load the settings. If some are wrong, end the program. The message names them, but not their values, which may be
    secret.
    """
    try:
        with find_settings_file():
            settings = Settings()
    except ValidationError as error:
        wrong = "; ".join(
            ": ".join([*(str(name).upper() for name in one["loc"]), one["msg"]]) for one in error.errors()
        )
        end(f"Some settings are wrong. {wrong}. See .env.example for what they mean.")
    # The token is sent in an HTTP header, in which a line break (from pasting it) would be an error.
    token = "" if settings.discord_token is None else settings.discord_token.get_secret_value().strip()
    if not (token.isascii() and token.isprintable()) or " " in token:
        end("Some settings are wrong. DISCORD_TOKEN: contains characters that no token has. Copy the token again.")
    return settings


def url_of(settings: Settings) -> URL:
    """Return the URL of the settings' database. Raise DatabaseError if DATABASE_URL is not one."""
    return parse_url(settings.database_url.get_secret_value())


@asynccontextmanager
async def open_database(url: URL, *, checkpoints: bool = False) -> AsyncIterator[Database]:
    """Open a database for the block. By default, make no checkpoints of SQLite's log: the bot makes them, and may be
    running.
    """
    database = Database(url, checkpoints=checkpoints)
    try:
        yield database
    finally:
        await database.close()


def start_logging(settings: Settings, stream: TextIO | None = None) -> logging.Handler:
    """Start the log as the settings say. It goes to ``stream``, or to standard error, and contains no secrets."""
    register_discord_errors()
    register_database_errors()
    return set_up_logging(settings.log_level, settings.log_format, settings.secrets, stream)


def run_until_stopped(main: Coroutine[Any, Any, None]) -> None:
    """Run ``main`` until it is done. Ctrl-C and SIGTERM cancel it, so that it can stop in order.

    If the process has not ended ``KILLED_AFTER`` seconds after the signal, it prints a traceback to standard error and
    exits with code 1. A second signal restarts these seconds, and does nothing else.
    """
    with suppress(*_NO_STANDARD_ERROR):
        faulthandler.enable()
    stop: list[Callable[[], object]] = []
    received: list[int] = []

    def handle_signal(number: int, _frame: object) -> None:
        received.append(number)
        with suppress(*_NO_STANDARD_ERROR):
            faulthandler.dump_traceback_later(KILLED_AFTER, exit=True)
        while stop:
            stop.pop()()

    async def watched() -> None:
        task = asyncio.ensure_future(main)
        with suppress(NotImplementedError):  # On Windows, where signals wake the loop anyway.
            asyncio.get_running_loop().add_reader(reading, reading.recv, 1)
            signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        # asyncio's signal handlers run in the loop, which may be what hangs, and do not exist on Windows.
        stop.append(partial(asyncio.get_running_loop().call_soon_threadsafe, task.cancel))
        if received:  # A signal arrived before the task existed.
            task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
        finally:
            stop.clear()

    # If a signal arrives just before the loop starts to wait, Python handles it only after that wait. So the loop also
    # waits for a byte, which Python writes for each signal.
    reading, writing = socket.socketpair()
    reading.setblocking(False)
    writing.setblocking(False)
    before = {number: signal.signal(number, handle_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        asyncio.run(watched())
    finally:
        signal.set_wakeup_fd(-1)
        reading.close()
        writing.close()
        faulthandler.cancel_dump_traceback_later()
        for number, handler in before.items():
            signal.signal(number, handler)


WAIT = 2.0
"""The seconds to wait for another bot on the same database, which may be about to end."""
LOCK = ".lock"
"""The suffix of the lock file, which is empty and is never deleted. A bot is running while the file is locked."""


@contextmanager
def only_bot(url: URL) -> Iterator[None]:
    """Make sure that no other bot uses the same SQLite database during the block. Raise DatabaseError if another bot is
    running or the lock file cannot be locked. On PostgreSQL several bots may share a database.

    A separate file is locked, because commands may open the database itself. The lock is SQLite's, so it works wherever
    SQLite does, and the operating system releases it when the process ends.
    """
    if url.get_backend_name() != "sqlite" or url.database is None:
        yield
        return
    # Two paths to the same file share one lock.
    database = Path(url.database).resolve()
    lock = database.with_name(database.name + LOCK)
    make_file(lock)
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(closing(sqlite3.connect(lock, isolation_level=None, timeout=WAIT)))
            # Nothing is written, so no journal file is needed.
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if not is_busy(error):
                raise DatabaseError(f"{lock} cannot be locked: {error}") from error
            raise DatabaseError(
                f"another bot is running on {url.database}, and two would both answer every click; stop that one"
                " first, or give this one a file of its own (DATABASE_URL)"
            ) from None
        yield
