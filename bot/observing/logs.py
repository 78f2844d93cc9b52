"""The log: as text for people or as JSON for programs, one record a line except for tracebacks in the text.

Every line carries the ids of what is being worked on (bot.observing.context). No line carries a name, a lucky word,
what somebody wrote, the token, or the password of the database: exceptions go through bot.observing.errors, tokens and
secrets are taken out of whatever is left, and libraries log from INFO on only. Their DEBUG lines are what is sent and
received, among it every name and every word (aiosqlite: each statement with its values; discord.py: each event).
"""

from __future__ import annotations

import asyncio
import copy
import logging
import re
import sys
import threading
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Any, TextIO

from pythonjsonlogger.json import JsonFormatter
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.config import LogFormat, LogLevel, Settings
from bot.observing.context import FIELDS, current
from bot.observing.errors import safe_message, safe_traceback

OURS = ("bot", "highscore")
"""The loggers that LOG_LEVEL sets; all others log from INFO on, or from LOG_LEVEL on if that is less."""
CHATTY = ("aiohttp", "aiosqlite", "alembic", "asyncio", "asyncpg", "discord", "PIL")
"""Libraries that are held at INFO one by one, too: so they stay there if something else turns the root logger up."""
_TOKENS = re.compile(r"(/(?:webhooks|interactions)/[0-9]+/)[A-Za-z0-9_.~=%-]+")
"""The token of a click in a URL. It is good for a quarter of an hour, and lets anybody answer for the bot."""
_STANDARD = frozenset(vars(logging.makeLogRecord({})))
HIDDEN = "***"


def set_up(settings: Settings, stream: TextIO | None = None) -> logging.Handler:
    """Log as the settings say, to standard error unless another stream is given. Called once, by the command line."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(formatter(settings.log_format, secrets_of(settings)))
    root = logging.getLogger()
    root.addHandler(handler)
    set_levels(settings.log_level)
    return handler


def set_levels(level: LogLevel) -> None:
    """Ours at the level that was asked for, libraries not below INFO."""
    number = logging.getLevelNamesMapping()[level]
    logging.getLogger().setLevel(max(number, logging.INFO))
    for name in OURS:
        logging.getLogger(name).setLevel(number)
    for name in CHATTY:
        logging.getLogger(name).setLevel(max(number, logging.INFO))


def secrets_of(settings: Settings) -> frozenset[str]:
    """What must not be in any line, as it stands in the settings and as it is sent."""
    found = set()
    if settings.discord_token is not None:
        found.add(settings.discord_token.get_secret_value().strip())
    address = settings.database_url.get_secret_value()
    try:
        password = make_url(address.strip()).password
    except (ArgumentError, ValueError):
        found.add(address)
    else:
        if password:
            found |= {password, address.partition("://")[2].rpartition("@")[0].partition(":")[2]}
    return frozenset(filter(None, found))


def formatter(form: LogFormat, secrets: Collection[str] = ()) -> logging.Formatter:
    """Makes lines of records."""
    return _Json(secrets) if form == "json" else _Text(secrets)


def catch_all() -> None:
    """Log what ends the program, or a thread, like everything else; Python itself would write the message out."""

    def ended(_type: type[BaseException], error: BaseException, _traceback: object) -> None:
        if isinstance(error, KeyboardInterrupt):
            return
        logging.getLogger("bot").critical("the program ends by a mistake in it", exc_info=error)

    def thread_ended(about: threading.ExceptHookArgs) -> None:
        name = "a thread" if about.thread is None else about.thread.name
        logging.getLogger("bot").error("not handled in %s", name, exc_info=about.exc_value)

    sys.excepthook = ended
    threading.excepthook = thread_ended


def report_unhandled(loop: asyncio.AbstractEventLoop) -> None:
    """Log what no task has caught like everything else; asyncio's own handler writes the exception's message out."""

    def handle(_loop: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        error = about.get("exception")
        task = about.get("task") or about.get("future")
        name = task.get_name() if isinstance(task, asyncio.Task) else "no task"
        log = logging.getLogger("bot.observing")
        log.error("not handled in %s: %s", name, about.get("message"), exc_info=error)

    loop.set_exception_handler(handle)


class _Cleaned:
    """What both formatters do to a record and to an exception."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # The longer first: one may be a part of another.
        self._secrets = sorted(secrets, key=len, reverse=True)

    def clean(self, record: logging.LogRecord) -> logging.LogRecord:
        """A copy in which exceptions among the arguments say only what they may; other handlers have the original."""
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


def _fields(record: logging.LogRecord) -> dict[str, int | str]:
    """The ids of what was being worked on; what the logging call itself said (``extra``) counts more."""
    given = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    found = {**current(), **given}
    return {name: found[name] for name in FIELDS if found.get(name) is not None}


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Text(logging.Formatter):
    """``moment level logger: sentence [game=... guild=...]``."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._cleaned = _Cleaned(secrets)

    def format(self, record: logging.LogRecord) -> str:
        cleaned = self._cleaned.clean(record)
        fields = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        line = f"{_moment(record)} {record.levelname:7} {record.name}: {cleaned.msg}"
        line += f" [{fields}]" if fields else ""
        return line if not cleaned.exc_text else f"{line}\n{cleaned.exc_text}"


class _Json(JsonFormatter):
    """One object a line. Discord's ids are strings, as in Discord's own JSON: they are too large for a double."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._cleaned = _Cleaned(secrets)

    def format(self, record: logging.LogRecord) -> str:
        return super().format(self._cleaned.clean(record))

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        log_data["time"] = _moment(record)
        log_data["level"] = record.levelname
        log_data["logger"] = record.name
        log_data["message"] = record.msg
        log_data.update({name: str(value) for name, value in _fields(record).items()})
        if "exc_info" in message_dict:
            log_data["exception"] = message_dict["exc_info"]
