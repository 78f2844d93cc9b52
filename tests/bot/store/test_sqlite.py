"""What is SQLite's alone: one writer, who is alone from the beginning, and a thread for whatever may wait."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database, parse_url
from tests.bot.store.counting import COUNTER, count_up, number

pytestmark = pytest.mark.only_sqlite("about SQLite itself")


async def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    made = Database(parse_url(f"sqlite+aiosqlite:///{tmp_path / 'deep' / 'down' / 'games.sqlite3'}"))
    async with made.read() as connection:
        assert await connection.scalar(text("select 1")) == 1
    await made.close()
    assert (tmp_path / "deep" / "down" / "games.sqlite3").exists()


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 5000)]
)
async def test_every_connection_is_configured(database: Database, pragma: str, value: object) -> None:
    async def ask(connection: AsyncConnection) -> object:
        return await connection.scalar(text(f"pragma {pragma}"))

    assert await database.write(ask) == value
    async with database.read() as first, database.read() as second:
        assert [await ask(first), await ask(second)] == [value, value]


async def test_transactions_of_two_programs_lose_nothing(counter: Database) -> None:
    """The second one finds the file locked at BEGIN, before it has read anything, and waits."""
    other = Database(counter.url)
    try:
        await asyncio.gather(*(one.write(count_up) for one in (counter, other) * 10))
    finally:
        await other.close()
    assert await number(counter) == 20


async def test_a_transaction_holds_the_write_lock_from_its_beginning(counter: Database) -> None:
    async def only_read(connection: AsyncConnection) -> None:
        await connection.execute(select(COUNTER.c.number))
        with (
            sqlite3.connect(str(counter.url.database), timeout=0) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("update counter set number = 99")
        other.close()

    await counter.write(only_read)
    assert await number(counter) == 0


async def test_writers_queue_for_one_connection(counter: Database) -> None:
    inside = most = 0

    async def work(connection: AsyncConnection) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await count_up(connection)
        inside -= 1

    await asyncio.gather(*(counter.write(work) for _ in range(10)))
    assert most == 1


async def test_a_write_goes_to_the_thread_only_to_begin_and_to_end(
    counter: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    given_to_the_thread = aiosqlite.Connection._execute

    async def noted(self: aiosqlite.Connection, fn: Any, *args: Any, **kwargs: Any) -> Any:
        asked.append(args[0] if args else fn.__name__)
        return await given_to_the_thread(self, fn, *args, **kwargs)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(aiosqlite.Connection, "_execute", noted)
    await counter.write(count_up)
    assert asked == ["BEGIN IMMEDIATE", "commit"]
    asked.clear()
    with pytest.raises(OperationalError):
        await counter.write(lambda connection: connection.execute(text("select nothing from nowhere")))
    assert asked == ["BEGIN IMMEDIATE", "rollback"]
