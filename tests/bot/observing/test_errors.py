import sqlite3
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import aiohttp
import asyncpg
import discord
import pytest
from discord import app_commands
from sqlalchemy.exc import IntegrityError, StatementError

from bot.discord_api.errors import register_discord_errors
from bot.domain.errors import Refused
from bot.observing.logs import safe_message, safe_traceback
from bot.store.errors import DatabaseError, register_database_errors
from highscore.errors import IllegalChoice

NAME = "Quittenlikör"


@pytest.fixture(autouse=True)
def registered() -> None:
    register_discord_errors()
    register_database_errors()


def answer(status: int, reason: str, content: dict[str, Any] | str) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason=reason, headers={})
    return discord.HTTPException(response, content)


FORM = {
    "code": 50035,
    "message": "Invalid Form Body",
    "errors": {"name": {"_errors": [{"code": "X", "message": f"{NAME} is no name"}]}},
}


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (answer(400, "Bad Request", FORM), "400 Bad Request (error code: 50035): Invalid Form Body in name"),
        (
            answer(404, "Not Found", {"code": 10008, "message": "Unknown Message"}),
            "404 Not Found (error code: 10008): Unknown Message",
        ),
        (answer(502, "Bad Gateway", f"<html>{NAME}</html>"), "502 Bad Gateway (error code: 0)"),
    ],
    ids=["fields", "code", "a proxy's page"],
)
def test_discords_code_message_and_fields_are_logged_and_no_content(error: Exception, expected: str) -> None:
    assert safe_message(error) == f"HTTPException: {expected}"


def test_a_postgresql_error_names_code_and_constraint_and_no_value() -> None:
    error = asyncpg.UniqueViolationError('duplicate key value violates unique constraint "uq_seats"')
    error.detail = f"Key (name)=({NAME}) already exists."
    error.table_name, error.constraint_name = "seats", "uq_seats"
    wrapped = IntegrityError("INSERT INTO seats", {"name": NAME}, error)
    assert NAME in str(wrapped)
    assert safe_message(wrapped) == "IntegrityError: UniqueViolationError 23505 seats uq_seats"
    error = asyncpg.DataError(f"invalid input for query argument $1: '{NAME}' (expected int)")
    assert safe_message(StatementError("no", "SELECT $1", {"name": NAME}, error)) == "StatementError: DataError 22000"


def test_sqlite_names_the_constraint() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE seats (name TEXT UNIQUE)")
        with pytest.raises(sqlite3.IntegrityError) as caught:
            connection.executemany("INSERT INTO seats VALUES (?)", [(NAME,), (NAME,)])
    assert safe_message(caught.value) == "IntegrityError: UNIQUE constraint failed: seats.name"


@pytest.mark.parametrize(
    "error",
    [
        KeyError(NAME),
        ValueError(f"invalid literal for int() with base 10: {NAME!r}"),
        UnicodeDecodeError("utf-8", NAME.encode(), 0, 1, "no"),
        Refused(f"{NAME} does not sit here."),
        app_commands.AppCommandError(f"Failed to convert {NAME} to a number"),
        asyncpg.DataError(NAME),
        TimeoutError(),
        Exception(NAME),
    ],
)
def test_only_the_type_is_logged_of_what_may_quote_somebody(error: Exception) -> None:
    assert safe_message(error) == type(error).__name__


@pytest.mark.parametrize(
    "error",
    [
        OSError(111, "Connection refused"),
        AttributeError("'NoneType' object has no attribute 'turn'"),
        aiohttp.ServerDisconnectedError(),
        IllegalChoice("That die is set aside."),
        DatabaseError("the database is closed"),
    ],
)
def test_messages_that_quote_nobody_are_logged(error: Exception) -> None:
    assert safe_message(error) == f"{type(error).__name__}: {error}"


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
