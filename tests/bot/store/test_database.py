import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.config import Settings
from bot.store import errors, models
from bot.store.database import Database
from tests.bot.databases import rows
from tests.bot.holding import Halt, holding, waits
from tests.bot.store.counting import COUNTER, count_up, number

_SAMPLES: dict[type, object] = {int: 7, float: 0.5, str: "none", bytes: b"none", bool: False}

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


async def test_a_row_without_its_game_is_refused(database: Database) -> None:
    for table in (table for table in models.metadata.sorted_tables if table.foreign_keys):
        row = {column.name: _SAMPLES.get(column.type.python_type, _NOW) for column in table.columns}
        with pytest.raises(IntegrityError, match=r"(?i)foreign key"):
            await database.write(Connection.execute, insert(table).values(row))


async def test_overlapping_transactions_lose_nothing(counter: Database) -> None:
    await asyncio.gather(*(counter.write(count_up) for _ in range(50)))
    assert await number(counter) == 50


async def test_an_error_rolls_everything_back(counter: Database) -> None:
    def fail(connection: Connection) -> None:
        count_up(connection)
        raise LookupError("in the middle")

    with pytest.raises(LookupError, match="in the middle"):
        await counter.write(fail)
    with pytest.raises(DBAPIError):
        await counter.write(lambda connection: connection.execute(text("select * from nothing")))
    assert await number(counter) == 0
    await counter.write(count_up)
    assert await number(counter) == 1


async def test_a_caller_who_is_cancelled_does_not_break_the_transaction(counter: Database) -> None:
    def work(connection: Connection) -> None:
        count_up(connection)
        halt()
        count_up(connection)

    with Halt(counter) as halt:
        caller = asyncio.create_task(counter.write(work))
        await halt.reach(caller)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        assert await number(counter) == 0
    await counter.write(count_up)
    assert await number(counter) == 3


async def test_close_waits_for_writes(settings: Settings, counter: Database) -> None:
    async with holding(counter, count_up):
        closing = asyncio.create_task(counter.close())
        assert await waits(closing)
    await closing
    assert rows(settings, "select number from counter") == [(1,)]


async def test_a_closed_database_takes_no_more_work(counter: Database) -> None:
    await counter.close()
    with pytest.raises(errors.DatabaseError, match="closed"):
        await counter.write(count_up)
    with pytest.raises(errors.DatabaseError, match="closed"):
        await number(counter)
    with pytest.raises(errors.DatabaseError, match="closed"):
        await counter.read(count_up)


async def test_a_snapshot_shows_one_moment(counter: Database) -> None:
    async with counter.snapshot() as connection:
        before = (await connection.execute(select(COUNTER.c.number))).scalar_one()
        await counter.write(count_up)
        after = (await connection.execute(select(COUNTER.c.number))).scalar_one()
    assert (before, after) == (0, 0)
    assert await number(counter) == 1
    async with counter.reading() as reading:
        await counter.write(count_up)
        assert (await reading.execute(select(COUNTER.c.number))).scalar_one() == 2


async def test_whoever_only_reads_cannot_write(counter: Database) -> None:
    with pytest.raises(DBAPIError):
        async with counter.snapshot() as connection:
            await connection.run_sync(count_up)
    assert await number(counter) == 0
