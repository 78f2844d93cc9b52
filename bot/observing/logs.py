"""The log: as text for people or as JSON for programs, one record a line except for tracebacks in the text.

Every line carries the ids of its game, server and interaction (``add_log_fields``). No line carries a name, a lucky
word, a person's text, the token, or the password of the database: exceptions are described without what they quote,
tokens and secrets are replaced, and libraries log from INFO on only. Their DEBUG lines would contain everything that is
sent and received (aiosqlite: each statement with its values; discord.py: each event).
"""

import asyncio
import copy
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal, TextIO, TypeVar

from pythonjsonlogger.json import JsonFormatter

from highscore.errors import HighScoreError

FIELDS = ("game", "guild", "channel", "interaction", "user", "command")
"""All fields, in the order of the log: ids and names of commands, nothing that people wrote."""

Value = int | str | None

_NOTHING: Mapping[str, int | str] = {}
_work: ContextVar[Mapping[str, int | str]] = ContextVar("work", default=_NOTHING)


def set_log_fields(**fields: Value) -> None:
    """Replace the fields of the current task."""
    _work.set(_NOTHING)
    add_log_fields(**fields)


def add_log_fields(**fields: Value) -> None:
    _work.set({**_work.get(), **{name: value for name, value in fields.items() if value is not None}})


@contextmanager
def without_log_fields() -> Iterator[None]:
    """Leave all fields out until the block ends, for lines that must not name a person. Fields it adds end with it."""
    token = _work.set(_NOTHING)
    try:
        yield
    finally:
        _work.reset(token)


LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
LogFormat = Literal["text", "json"]
OURS = ("bot", "highscore")
"""The loggers that LOG_LEVEL sets; all others log from INFO on, or from LOG_LEVEL on if that is higher."""
CHATTY = ("aiohttp", "aiosqlite", "alembic", "asyncio", "asyncpg", "discord", "PIL")
"""The libraries that are limited to INFO one by one too, so that a lower level of the root logger spares them."""
_TOKENS = re.compile(r"(/(?:webhooks|interactions)/[0-9]+/)[A-Za-z0-9_.~=%-]+")
"""An interaction's token in a URL. It is valid for 15 minutes and lets anybody answer in the bot's name."""
HIDDEN = "***"

Error = TypeVar("Error", bound=BaseException)
_Describe = Callable[[BaseException], str]

_describers: dict[type[BaseException], _Describe] = {}


def describe_errors(kind: type[Error], describe: Callable[[Error], str] = str) -> None:
    """Use ``describe`` for the messages of a type of exception and its subtypes. An empty message is left out."""
    _describers[kind] = describe  # type: ignore[assignment]


# Errors of the network, files, the program, and our own about decks and moves: no message of theirs quotes a value.
for _safe in (OSError, AssertionError, AttributeError, ImportError, MemoryError, NameError, RuntimeError, TypeError):
    describe_errors(_safe)
describe_errors(ZeroDivisionError)
describe_errors(HighScoreError)


def safe_message(error: BaseException) -> str:
    """Describe an exception in one line that quotes nobody and no database row."""
    name = type(error).__name__
    describe = next((_describers[kind] for kind in type(error).__mro__ if kind in _describers), None)
    message = describe(error) if describe is not None else ""
    return f"{name}: {message}" if message else name


def safe_traceback(error: BaseException) -> str:
    """Format the traceback of an exception and of its causes, each with its safe message. No line break at the end."""
    return "".join(_parts(error, set())).rstrip("\n")


def _parts(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and id(cause) not in seen:
        yield from _parts(cause, seen)
        relation = "caused" if error.__cause__ is not None else "was being handled during"
        yield f"\nThe error above {relation} this one:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{safe_message(error)}\n"
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield "\nOne of the errors of this group:\n\n"
            yield from _parts(part, seen)


def set_up_logging(
    level: LogLevel, form: LogFormat, secrets: Collection[str] = (), stream: TextIO | None = None
) -> logging.Handler:
    """Start logging to a stream, standard error by default. The command line calls this once."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(make_formatter(form, secrets))
    logging.getLogger().addHandler(handler)
    number = logging.getLevelNamesMapping()[level]
    for name in OURS:
        logging.getLogger(name).setLevel(number)
    for name in ("", *CHATTY):
        logging.getLogger(name).setLevel(max(number, logging.INFO))
    return handler


def make_formatter(form: LogFormat, secrets: Collection[str] = ()) -> logging.Formatter:
    """Make the formatter for a LOG_FORMAT. ``secrets`` are replaced wherever they occur."""
    return _Json(secrets) if form == "json" else _Text(secrets)


def log_uncaught() -> None:
    """Log an exception that ends the program or a thread without its message, which Python itself would print."""

    def ended(_type: type[BaseException], error: BaseException, _traceback: object) -> None:
        if isinstance(error, KeyboardInterrupt):
            return
        logging.getLogger("bot").critical("the program ends by an error in it", exc_info=error)

    def thread_ended(args: threading.ExceptHookArgs) -> None:
        name = "a thread" if args.thread is None else args.thread.name
        logging.getLogger("bot").error("not handled in %s", name, exc_info=args.exc_value)

    sys.excepthook = ended
    threading.excepthook = thread_ended


def report_unhandled(loop: asyncio.AbstractEventLoop) -> None:
    """Log an exception that no task has caught without its message, which asyncio's own handler would print."""

    def handle(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        task = context.get("task") or context.get("future")
        name = task.get_name() if isinstance(task, asyncio.Task) else "no task"
        log = logging.getLogger("bot.observing")
        log.error("not handled in %s: %s", name, context.get("message"), exc_info=context.get("exception"))

    loop.set_exception_handler(handle)


class _Cleaning(logging.Formatter):
    """The base of both formatters, which removes what must not be logged."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        # Longest first: one may be part of another.
        self._secrets = sorted(secrets, key=len, reverse=True)

    def clean(self, record: logging.LogRecord) -> logging.LogRecord:
        """Copy a record with safe messages in place of exceptions; other handlers get the original."""
        cleaned = copy.copy(record)
        if isinstance(record.args, tuple):
            cleaned.args = tuple(safe_message(arg) if isinstance(arg, BaseException) else arg for arg in record.args)
        cleaned.msg = self.without_secrets(cleaned.getMessage())
        cleaned.args = None
        cleaned.exc_text = None
        if record.exc_info and record.exc_info[1] is not None:
            cleaned.exc_text = self.without_secrets(safe_traceback(record.exc_info[1]))
        cleaned.exc_info = None
        return cleaned

    def without_secrets(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _TOKENS.sub(rf"\1{HIDDEN}", text)


def _current_ids() -> dict[str, str]:
    """Return the ids of the current task as text, as in Discord's own JSON: they are too large for a double."""
    fields = _work.get()
    return {name: str(fields[name]) for name in FIELDS if name in fields}


def _format_time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Text(_Cleaning):
    """The format ``time level logger: message [game=... guild=...]``."""

    def format(self, record: logging.LogRecord) -> str:
        cleaned = self.clean(record)
        fields = " ".join(f"{name}={value}" for name, value in _current_ids().items())
        line = f"{_format_time(record)} {record.levelname:7} {record.name}: {cleaned.msg}"
        line += f" [{fields}]" if fields else ""
        return line if not cleaned.exc_text else f"{line}\n{cleaned.exc_text}"


class _Json(_Cleaning, JsonFormatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(self.clean(record))

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        log_data["time"] = _format_time(record)
        log_data["level"] = record.levelname
        log_data["logger"] = record.name
        log_data["message"] = record.msg
        log_data.update(_current_ids())
        if "exc_info" in message_dict:
            log_data["exception"] = message_dict["exc_info"]
