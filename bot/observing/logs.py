"""The log, as text for people or as JSON for programs. Each record is one line; in the text, a traceback has more.

Every line contains the ids of the game, server and interaction that it is about, if they are known
(``add_log_fields``). No line contains a name, a lucky word, text that a person wrote, the token, or the database's
password. Exceptions are described without anything that they quote. Tokens and secrets are replaced. Libraries log only
from INFO on, because their DEBUG lines contain everything that is sent and received (aiosqlite: each statement with its
values; discord.py: each event).
"""

import asyncio
import json
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

from highscore.errors import HighScoreError

FIELDS = ("game", "guild", "channel", "interaction", "user", "command")
"""All fields, in the order in which they are logged. They are ids and names of commands, nothing that people wrote."""

Value = int | str | None

_NOTHING: Mapping[str, int | str] = {}
_work: ContextVar[Mapping[str, int | str]] = ContextVar("work", default=_NOTHING)


def set_log_fields(**fields: Value) -> None:
    """Replace all fields of the current task."""
    _work.set(_NOTHING)
    add_log_fields(**fields)


def add_log_fields(**fields: Value) -> None:
    _work.set({**_work.get(), **{name: value for name, value in fields.items() if value is not None}})


@contextmanager
def without_log_fields() -> Iterator[None]:
    """Log without fields until the block ends, for lines that must not name a person. Then restore the fields."""
    token = _work.set(_NOTHING)
    try:
        yield
    finally:
        _work.reset(token)


LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
LogFormat = Literal["text", "json"]
OURS = ("bot", "highscore")
"""The loggers that LOG_LEVEL sets. Others log from INFO on, or from LOG_LEVEL on if that is higher."""
CHATTY = ("aiohttp", "aiosqlite", "alembic", "asyncio", "asyncpg", "discord", "PIL")
"""The loggers of libraries, which stay at INFO even if something sets the root logger to DEBUG."""
_TOKENS = re.compile(r"(/(?:webhooks|interactions)/[0-9]+/)[A-Za-z0-9_.~=%-]+")
"""An interaction's token in a URL. For 15 minutes anybody who has it can answer in the bot's name."""
HIDDEN = "***"

Error = TypeVar("Error", bound=BaseException)
_Describe = Callable[[BaseException], str]

_describers: dict[type[BaseException], _Describe] = {}


def describe_errors(kind: type[Error], describe: Callable[[Error], str] = str) -> None:
    """Describe errors of this type and its subtypes with ``describe``. If that returns an empty text, only the type is
    logged.
    """
    _describers[kind] = describe  # type: ignore[assignment]


# Errors of the network, of files and of the program, and our own about decks and moves: their messages never quote a
# person or a row.
for _safe in (OSError, AssertionError, AttributeError, ImportError, MemoryError, NameError, RuntimeError, TypeError):
    describe_errors(_safe)
describe_errors(ZeroDivisionError)
describe_errors(HighScoreError)


def safe_message(error: BaseException) -> str:
    """Describe an exception in one line that quotes no person and no database row."""
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
    """Start logging to a stream, by default to standard error. Replace ``secrets`` wherever they occur."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(_Formatter(form, secrets))
    logging.getLogger().addHandler(handler)
    number = logging.getLevelNamesMapping()[level]
    for name in OURS:
        logging.getLogger(name).setLevel(number)
    for name in ("", *CHATTY):
        logging.getLogger(name).setLevel(max(number, logging.INFO))
    return handler


def log_uncaught() -> None:
    """From now on, log exceptions that end the program or a thread. Python would print their messages, which may quote
    what a person wrote.
    """

    def log_end(_type: type[BaseException], error: BaseException, _traceback: object) -> None:
        if isinstance(error, KeyboardInterrupt):
            return
        logging.getLogger("bot").critical("the program ends because of an error that was not handled", exc_info=error)

    def log_end_of_thread(args: threading.ExceptHookArgs) -> None:
        name = "a thread" if args.thread is None else args.thread.name
        logging.getLogger("bot").error("an error in %s was not handled", name, exc_info=args.exc_value)

    sys.excepthook = log_end
    threading.excepthook = log_end_of_thread


def report_unhandled(loop: asyncio.AbstractEventLoop) -> None:
    """From now on, log exceptions that no task has handled. asyncio would log their messages, which may quote what a
    person wrote.
    """

    def handle(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        task = context.get("task") or context.get("future")
        name = task.get_name() if isinstance(task, asyncio.Task) else "no task"
        log = logging.getLogger("bot.observing")
        log.error("an error in %s was not handled: %s", name, context.get("message"), exc_info=context.get("exception"))

    loop.set_exception_handler(handle)


class _Formatter(logging.Formatter):
    """Formats a record as a line of text, ``time level logger: message [game=... guild=...]``, or as a JSON object.
    Removes what must not be logged.
    """

    def __init__(self, form: LogFormat, secrets: Iterable[str]) -> None:
        super().__init__()
        self._form = form
        # Longest first, because one secret may be part of another.
        self._secrets = sorted(secrets, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        args = record.args
        if isinstance(args, tuple):
            args = tuple(safe_message(arg) if isinstance(arg, BaseException) else arg for arg in args)
        message = self._hide_secrets(str(record.msg) % args if args else str(record.msg))
        error = record.exc_info[1] if record.exc_info else None
        trace = "" if error is None else self._hide_secrets(safe_traceback(error))
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        known = _work.get()
        # As text, as in Discord's JSON, because ids are too large for a double.
        ids = {name: str(known[name]) for name in FIELDS if name in known}
        if self._form == "json":
            fields = {"time": time, "level": record.levelname, "logger": record.name, "message": message, **ids}
            return json.dumps({**fields, "exception": trace} if trace else fields)
        line = f"{time} {record.levelname:7} {record.name}: {message}"
        if ids:
            line += f" [{' '.join(f'{name}={value}' for name, value in ids.items())}]"
        return f"{line}\n{trace}" if trace else line

    def _hide_secrets(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _TOKENS.sub(rf"\1{HIDDEN}", text)
