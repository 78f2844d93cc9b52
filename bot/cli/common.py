"""The parts that several commands share: settings, one-sentence endings, the database, the log."""

import asyncio
import faulthandler
import logging
import signal
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
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
"""The errors that a person can set right: files, their names and contents (also damaged text), and permissions."""
_NO_STANDARD_ERROR = (RuntimeError, ValueError, OSError)
"""The errors that ``faulthandler`` raises where standard error is missing, or is no file."""
LONGEST_REASON = 300
NEEDS_CARE = 2
"""The exit code when a person has to set something right first."""


def end(sentence: str, code: int = NEEDS_CARE) -> NoReturn:
    click.echo(sentence, err=True)
    raise SystemExit(code)


@contextmanager
def end_on_error(
    what_is: str, errors: tuple[type[Exception], ...] = CANNOT_START, code: int = NEEDS_CARE
) -> Iterator[None]:
    """End the program where one of these errors is raised, with a sentence of ``what_is`` so and why."""
    try:
        yield
    except errors as error:
        end(f"{what_is}: {reason_of(error)}.", code)


def make_printable(text: object) -> str:
    """Make a text one line that cannot steer the terminal; files may hold names that try to."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in str(text))


def reason_of(error: Exception) -> str:
    """Explain an error for the end of a sentence: one line of at most ``LONGEST_REASON`` characters, no full stop."""
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        # The driver would repeat what it cannot read.
        text = "the database is damaged: not all text in it is UTF-8"
    elif isinstance(error, UnicodeEncodeError):
        text = "the name of a file or folder is not UTF-8"
    elif isinstance(error, SQLAlchemyError):
        # The driver's own words: SQLAlchemy's may repeat statements and parameters.
        cause = error.orig if isinstance(error, StatementError) else None
        text = f"the database cannot be used: {cause or type(error).__name__}"
    elif isinstance(error, discord.HTTPException):
        text = describe_answer(error)  # A page of a proxy, or the names of the fields that Discord refuses.
    else:
        text = str(error) or type(error).__name__
    return make_printable(text.splitlines()[0][:LONGEST_REASON].rstrip(". "))


@contextmanager
def find_settings_file() -> Iterator[Path]:
    """Hand the file of settings to a block that reads it. End the program where it is no file, or cannot be read."""
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
    """Load the settings; end the program with a sentence that names a wrong one. Never repeat a value."""
    try:
        with find_settings_file():
            settings = Settings()
    except ValidationError as error:
        wrong = "; ".join(
            ": ".join([*(str(name).upper() for name in one["loc"]), one["msg"]]) for one in error.errors()
        )
        end(f"Some settings are wrong. {wrong}. See .env.example for what they mean.")
    # The token goes into an HTTP header, where a line break in the middle of a pasted one would be an error.
    token = "" if settings.discord_token is None else settings.discord_token.get_secret_value().strip()
    if not (token.isascii() and token.isprintable()) or " " in token:
        end("Some settings are wrong. DISCORD_TOKEN: has characters in it that tokens do not have. Copy it once more.")
    return settings


def url_of(settings: Settings) -> URL:
    """Return the URL of the settings' database. Raise DatabaseError where DATABASE_URL names none."""
    return parse_url(settings.database_url.get_secret_value())


@asynccontextmanager
async def open_database(url: URL, *, checkpoints: bool = False) -> AsyncIterator[Database]:
    """Open a database until the block ends. A command leaves checkpoints to the bot, which may run beside it."""
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
    """Run ``main`` until it is done, or until Ctrl-C or SIGTERM, which cancel it so that it can finish in order.

    If the end hangs all the same, Python's own included, the process is ended after ``KILLED_AFTER`` seconds with exit
    code 1 and a traceback on standard error, as in a crash of Python. A second signal changes nothing.
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
        with suppress(NotImplementedError):  # Windows, whose loop is woken by signals anyway.
            asyncio.get_running_loop().add_reader(reading, reading.recv, 1)
            signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        # The loop's own handlers would wait for the loop, which may be the part that hangs, and are missing on Windows.
        stop.append(partial(asyncio.get_running_loop().call_soon_threadsafe, task.cancel))
        if received:  # A signal came before there was a task.
            task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
        finally:
            stop.clear()

    # A signal that arrives just before the loop begins to wait would be handled only when that wait is over. So the
    # loop also waits for a byte that Python writes for each signal.
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
"""The seconds to wait for another bot that is just ending."""
LOCK = ".lock"
"""The suffix of the lock file. The file stays empty; a lock on it, not its presence, means that a bot runs."""


@contextmanager
def only_bot(url: URL) -> Iterator[None]:
    """Keep other bots off a SQLite database; on PostgreSQL several may share one.

    SQLite locks a file of its own, because commands may open the database itself. Such a lock works wherever SQLite
    does, and the operating system releases it when the process ends. Raise DatabaseError with the remedy.
    """
    if url.get_backend_name() != "sqlite" or url.database is None:
        yield
        return
    # Two paths to the same file share one lock.
    database = Path(url.database).resolve()
    lock = database.with_name(database.name + LOCK)
    make_file(lock)
    try:
        connection = sqlite3.connect(lock, isolation_level=None, timeout=WAIT)
    except sqlite3.Error as error:
        raise DatabaseError(f"{lock} cannot be locked: {error}") from error
    with closing(connection):
        try:
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
