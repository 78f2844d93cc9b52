"""What an exception says in the log, and what it does not."""

from __future__ import annotations

import sqlite3
from types import SimpleNamespace
from typing import Any

import aiohttp
import asyncpg
import discord
import pytest
from discord import app_commands
from sqlalchemy.exc import IntegrityError, StatementError

from bot.domain.errors import Refused
from bot.observing.errors import safe_message, safe_traceback
from bot.store.errors import DatabaseError
from highscore.errors import IllegalChoice

NAME = "Quittenlikör"


def answered(status: int, reason: str, content: dict[str, Any] | str) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason=reason, headers={})
    return discord.HTTPException(response, content)


def test_discords_code_words_and_fields_are_told_and_not_what_was_in_them() -> None:
    form = {
        "code": 50035,
        "message": "Invalid Form Body",
        "errors": {"name": {"_errors": [{"code": "X", "message": f"{NAME} is no name"}]}},
    }
    assert (
        safe_message(answered(400, "Bad Request", form))
        == "400 Bad Request (error code: 50035): Invalid Form Body in name"
    )
    gone = {"code": 10008, "message": "Unknown Message"}
    assert safe_message(answered(404, "Not Found", gone)) == "404 Not Found (error code: 10008): Unknown Message"


def test_a_page_in_place_of_an_answer_is_not_repeated() -> None:
    assert safe_message(answered(502, "Bad Gateway", f"<html>{NAME}</html>")) == "502 Bad Gateway (error code: 0)"


def test_a_postgresql_error_says_what_and_where_and_quotes_no_row() -> None:
    error = asyncpg.UniqueViolationError('duplicate key value violates unique constraint "uq_seats"')
    error.detail = f"Key (name)=({NAME}) already exists."
    error.table_name, error.constraint_name = "seats", "uq_seats"
    assert NAME in str(error)
    assert safe_message(error) == "UniqueViolationError: 23505 seats uq_seats"
    wrapped = IntegrityError("INSERT INTO seats", {"name": NAME}, error)
    assert NAME in str(wrapped)
    assert safe_message(wrapped) == "IntegrityError: UniqueViolationError: 23505 seats uq_seats"


def test_a_driver_that_does_not_like_a_value_does_not_repeat_it() -> None:
    error = asyncpg.DataError(f"invalid input for query argument $1: '{NAME}' (expected int)")
    assert safe_message(StatementError("no", "SELECT $1", {"name": NAME}, error)) == "StatementError: DataError: 22000"


def test_sqlite_names_the_constraint() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE seats (name TEXT UNIQUE)")
        with pytest.raises(sqlite3.IntegrityError) as caught:
            connection.executemany("INSERT INTO seats VALUES (?)", [(NAME,), (NAME,)])
    connection.close()
    assert safe_message(caught.value) == "IntegrityError: UNIQUE constraint failed: seats.name"


@pytest.mark.parametrize(
    "error",
    [
        KeyError(NAME),
        ValueError(f"invalid literal for int() with base 10: {NAME!r}"),
        UnicodeDecodeError("utf-8", NAME.encode(), 0, 1, "no"),
        Refused(f"{NAME} does not sit here."),
        app_commands.AppCommandError(f"Failed to convert {NAME} to a number"),
        Exception(NAME),
    ],
)
def test_of_what_may_quote_somebody_only_the_type_is_told(error: Exception) -> None:
    assert safe_message(error) == type(error).__name__


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(111, "Connection refused"), "ConnectionRefusedError: [Errno 111] Connection refused"),
        (AttributeError("'NoneType' object has no attribute 'turn'"),) * 2,
        (aiohttp.ServerDisconnectedError(), "ServerDisconnectedError: Server disconnected"),
        (IllegalChoice("That die is set aside."), "IllegalChoice: That die is set aside."),
        (DatabaseError("the database is closed"), "DatabaseError: the database is closed"),
        (TimeoutError(), "TimeoutError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_quotes_nobody_is_told(error: Exception, expected: object) -> None:
    assert safe_message(error) == (expected if isinstance(expected, str) else f"AttributeError: {error}")


def test_a_traceback_names_places_and_causes_and_no_words() -> None:
    def look_up() -> None:
        seats: dict[str, int] = {}
        try:
            seats[NAME]
        except KeyError as error:
            raise RuntimeError("the seat is not there") from error

    with pytest.raises(RuntimeError) as caught:
        look_up()
    text = safe_traceback(caught.value)
    assert NAME not in text
    assert text.count("in look_up") == 2
    assert "KeyError\n\nThe error above caused this one:" in text
    assert text.endswith("RuntimeError: the seat is not there")


def test_a_group_tells_all_of_its_errors() -> None:
    group = ExceptionGroup("all of them", [KeyError(NAME), OSError(28, "No space left on device")])
    text = safe_traceback(group)
    assert NAME not in text
    assert "KeyError" in text
    assert "No space left on device" in text


def test_errors_that_caused_each_other_are_told_once() -> None:
    first, second = RuntimeError("one"), RuntimeError("two")
    first.__cause__, second.__cause__ = second, first
    assert safe_traceback(first).count("RuntimeError: one") == 1
