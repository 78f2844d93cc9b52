"""Connections and transactions on a real SQLite file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import Table, insert, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database, DatabaseError, parse_url
from bot.store.models import metadata
from bot.store.schema import migrate


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = Database(parse_url(f"sqlite+aiosqlite:///{tmp_path / 'deep' / 'games.sqlite3'}"))
    await migrate(opened)
    async with opened.read() as connection:
        assert (await connection.scalar(text("select count(*) from games"))) == 0
    yield opened
    await opened.close()


@pytest.fixture
async def counter(database: Database) -> Database:
    """A database with a number to count up."""

    async def make(connection: AsyncConnection) -> None:
        await connection.execute(text("create table counter (number integer not null)"))
        await connection.execute(text("insert into counter values (0)"))

    await database.write(make)
    return database


async def _number(database: Database) -> int:
    async with database.read() as connection:
        return int((await connection.execute(text("select number from counter"))).scalar_one())


async def _count_up(connection: AsyncConnection) -> None:
    """Read, let others run, write: what loses updates where two transactions overlap."""
    number = (await connection.execute(text("select number from counter"))).scalar_one()
    await asyncio.sleep(0)
    await connection.execute(text("update counter set number = :number"), {"number": number + 1})


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 5000)]
)
async def test_every_connection_is_configured(database: Database, pragma: str, value: object) -> None:
    async def ask(connection: AsyncConnection) -> object:
        return await connection.scalar(text(f"pragma {pragma}"))

    assert await database.write(ask) == value
    async with database.read() as first, database.read() as second:
        assert [await ask(first), await ask(second)] == [value, value]


_SAMPLES: dict[type, object] = {int: 7, float: 0.5, str: "none", bytes: b"none", bool: False}
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("table", [table for table in metadata.sorted_tables if table.foreign_keys], ids=str)
async def test_a_row_without_its_game_is_refused(database: Database, table: Table) -> None:
    row = {column.name: _SAMPLES.get(column.type.python_type, _NOW) for column in table.columns}
    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        await database.write(lambda connection: connection.execute(insert(table).values(row)))


async def test_overlapping_transactions_lose_nothing(counter: Database) -> None:
    await asyncio.gather(*(counter.write(_count_up) for _ in range(50)))
    assert await _number(counter) == 50


async def test_transactions_of_two_programs_lose_nothing(counter: Database) -> None:
    """The second one finds the file locked at BEGIN, before it has read anything, and waits."""
    other = Database(counter.url)
    try:
        await asyncio.gather(*(one.write(_count_up) for one in (counter, other) * 10))
    finally:
        await other.close()
    assert await _number(counter) == 20


async def test_a_transaction_holds_the_write_lock_from_its_beginning(counter: Database) -> None:
    async def only_read(connection: AsyncConnection) -> None:
        await connection.execute(text("select number from counter"))
        with (
            sqlite3.connect(str(counter.url.database), timeout=0) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("update counter set number = 99")
        other.close()

    await counter.write(only_read)
    assert await _number(counter) == 0


async def test_writers_queue_for_one_connection(counter: Database) -> None:
    inside = most = 0

    async def work(connection: AsyncConnection) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await _count_up(connection)
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
    await counter.write(_count_up)
    assert asked == ["BEGIN IMMEDIATE", "commit"]
    asked.clear()
    with pytest.raises(OperationalError):
        await counter.write(lambda connection: connection.execute(text("select nothing from nowhere")))
    assert asked == ["BEGIN IMMEDIATE", "rollback"]


async def test_readers_see_the_last_commit_while_somebody_writes(counter: Database) -> None:
    async def work(connection: AsyncConnection) -> int:
        await _count_up(connection)
        return await _number(counter)

    assert await counter.write(work) == 0
    assert await _number(counter) == 1


async def test_an_error_rolls_everything_back(counter: Database) -> None:
    async def fail(connection: AsyncConnection) -> None:
        await _count_up(connection)
        raise LookupError("in the middle")

    with pytest.raises(LookupError, match="in the middle"):
        await counter.write(fail)
    assert await _number(counter) == 0
    await counter.write(_count_up)
    assert await _number(counter) == 1


async def test_an_error_of_the_database_leaves_it_usable(counter: Database) -> None:
    with pytest.raises(OperationalError):
        await counter.write(lambda connection: connection.execute(text("select * from nothing")))
    await counter.write(_count_up)
    assert await _number(counter) == 1


async def test_a_caller_who_is_cancelled_does_not_break_the_transaction(counter: Database) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def work(connection: AsyncConnection) -> None:
        await _count_up(connection)
        reached.set()
        await go_on.wait()
        await _count_up(connection)

    caller = asyncio.create_task(counter.write(work))
    await reached.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await _number(counter) == 0
    go_on.set()
    await counter.write(_count_up)
    assert await _number(counter) == 3


async def test_close_waits_for_writes(counter: Database) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def work(connection: AsyncConnection) -> None:
        reached.set()
        await go_on.wait()
        await _count_up(connection)

    write = asyncio.create_task(counter.write(work))
    await reached.wait()
    closing = asyncio.create_task(counter.close())
    await asyncio.sleep(0)
    assert not closing.done()
    go_on.set()
    await asyncio.gather(write, closing)
    with sqlite3.connect(str(counter.url.database)) as connection:
        assert connection.execute("select number from counter").fetchone() == (1,)
    connection.close()


async def test_close_waits_for_reads(counter: Database) -> None:
    """A connection still in use would stay open, and its thread would keep the program from ending."""
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def read() -> int:
        async with counter.read() as connection:
            reached.set()
            await go_on.wait()
            return int((await connection.execute(text("select number from counter"))).scalar_one())

    reading = asyncio.create_task(read())
    await reached.wait()
    closing = asyncio.create_task(counter.close())
    done, _pending = await asyncio.wait({closing}, timeout=0.05)
    assert not done
    go_on.set()
    assert await reading == 0
    await closing


async def test_a_closed_database_takes_no_more_work(counter: Database) -> None:
    await counter.close()
    with pytest.raises(DatabaseError, match="closed"):
        await counter.write(_count_up)
    with pytest.raises(DatabaseError, match="closed"):
        await _number(counter)


@pytest.mark.parametrize("url", ["sqlite:///games.sqlite3", "sqlite+aiosqlite:///games.sqlite3"])
def test_a_url_of_a_file_is_read(url: str) -> None:
    parsed = parse_url(url)
    assert (parsed.drivername, parsed.database) == ("sqlite+aiosqlite", "games.sqlite3")


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://bot:hunter2@db.example/games",
        "hunter2",
        "",
        "sqlite+pysqlite:///hunter2.sqlite3",
        "oracle://bot:hunter2@[::1/games",
        "://hunter2",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(DatabaseError, match="DATABASE_URL") as refused:
        parse_url(url)
    assert "hunter2" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
