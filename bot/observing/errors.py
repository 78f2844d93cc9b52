"""What an exception may say in the log.

Its type and where it was raised always; its message only where nothing that people wrote can be in it. A driver's
message quotes rows (PostgreSQL's ``DETAIL: Key (name)=(...)``, asyncpg's ``invalid input for query argument``),
Discord's answer may quote what it was sent, a command's error what was typed, a KeyError its key.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import traceback
from collections.abc import Iterator

import aiohttp
import discord
from sqlalchemy.exc import StatementError

from bot.store.errors import DatabaseError
from highscore.errors import HighScoreError

_TELLING = (
    # The network, files, and what is wrong with the program itself: none of them quotes a value.
    *(aiohttp.ClientError, asyncio.TimeoutError, OSError),
    *(AssertionError, AttributeError, ImportError, MemoryError, NameError, RuntimeError, TypeError, ZeroDivisionError),
    # The library about the connection.
    *(discord.ConnectionClosed, discord.GatewayNotFound, discord.LoginFailure, discord.PrivilegedIntentsRequired),
    *(discord.RateLimited, discord.InteractionResponded),
    # Our own: about decks, events and databases, in our own words.
    *(HighScoreError, DatabaseError),
)
_FIELD = re.compile(r"^In (\S+): ", re.MULTILINE)
_MOST_FIELDS = 5


def safe_message(error: BaseException) -> str:
    """An exception in one line without anything personal, and without the words of a driver or of somebody."""
    name = type(error).__name__
    if isinstance(error, discord.HTTPException):
        return _discords(error)
    if isinstance(error, sqlite3.Error) or hasattr(error, "sqlstate"):
        return f"{name}: {_drivers(error)}"
    if isinstance(error, StatementError):
        return f"{name}: {safe_message(error.orig)}" if error.orig is not None else name
    if isinstance(error, _TELLING) and (text := str(error)):
        return f"{name}: {text}"
    return name


def safe_traceback(error: BaseException) -> str:
    """The traceback of an exception and of what it came from, each ending in ``told``. No line break at the end."""
    return "".join(_parts(error, set())).rstrip("\n")


def _parts(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _parts(before, seen)
        cause = "caused" if error.__cause__ is not None else "was being handled during"
        yield f"\nThe error above {cause} this one:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{safe_message(error)}\n"
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield "\nOne of the errors of this group:\n\n"
            yield from _parts(one, seen)


def _discords(error: discord.HTTPException) -> str:
    """Status, code, Discord's constant words for the code, and the fields it did not like; not what was in them."""
    text = f"{error.status} {getattr(error.response, 'reason', None) or ''}".rstrip() + f" (error code: {error.code})"
    if not error.code:
        return text  # The text may be anything: a proxy's page.
    words = error.text.partition("\n")[0]
    fields = _FIELD.findall(error.text)[:_MOST_FIELDS]
    return f"{text}: {words}" + (f" in {', '.join(fields)}" if fields else "")


def _drivers(error: BaseException) -> str:
    if isinstance(error, sqlite3.Error):
        return str(error)  # SQLite names tables, columns and constraints; values never.
    # SQLAlchemy's stand-in for the driver's exception; the driver's own says more.
    original = error if error.__cause__ is None else error.__cause__
    about = [None if original is error else type(original).__name__, getattr(original, "sqlstate", None)]
    about += [getattr(original, name, None) for name in ("table_name", "column_name", "constraint_name")]
    return " ".join(str(part) for part in about if part)
