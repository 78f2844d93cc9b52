"""Locks, and who waits for whom: the row of a game, and what has no row of its own. Two databases are two processes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, text
from sqlalchemy.exc import DBAPIError

from bot.domain.table import Table
from bot.services.core import Core, get_table
from bot.store import models, schema
from bot.store.database import Database, LockScope, lock_games, lock_subjects
from bot.store.table import load_table, update_table
from tests.bot.cores import NOW, seated
from tests.bot.databases import open_database
from tests.bot.holding import PATIENCE, begin, holding, waits
from tests.postgresql import new_database

ON_POSTGRESQL = pytest.mark.only_postgresql("on SQLite whoever writes is alone in any case")


async def test_who_comes_second_waits_and_sees_what_the_first_has_done(cores: tuple[Core, Core]) -> None:
    one, other = cores
    table = await seated(one, 2)
    seen: list[Table | None] = []

    def change(connection: Connection) -> None:
        lock_games(connection, table.id)
        before = load_table(connection, table.id)
        assert before is not None
        seats = (*before.seats, before.seats[0])
        after = replace(before, version=before.version + 1, seats=seats[:2], host_id=seats[1].user_id or 0)
        update_table(connection, after, before.version, NOW, seats_changed=True)

    def look(connection: Connection) -> None:
        lock_games(connection, table.id)
        seen.append(load_table(connection, table.id))

    async with holding(one.database, change):
        second = begin(other.database, look)
        assert await waits(second)
        assert seen == []
    await asyncio.wait_for(second, PATIENCE)
    assert [found and (found.version, found.host_id) for found in seen] == [(table.version + 1, table.seats[1].user_id)]


async def test_a_reader_waits_for_nobody(cores: tuple[Core, Core]) -> None:
    one, other = cores
    table = await seated(one, 2)
    async with holding(one.database, lambda connection: lock_games(connection, table.id)):
        assert await asyncio.wait_for(get_table(other, table.id), PATIENCE) == table


@ON_POSTGRESQL
async def test_games_are_held_one_by_one(cores: tuple[Core, Core]) -> None:
    one, other = cores
    held, free = await seated(one, 1), await seated(one, 1, channel_id=2)
    async with holding(one.database, lambda connection: lock_games(connection, held.id)):
        await asyncio.wait_for(begin(other.database, lambda connection: lock_games(connection, free.id)), PATIENCE)
        both = begin(other.database, lambda connection: lock_games(connection, free.id, held.id))
        assert await waits(both)
    await asyncio.wait_for(both, PATIENCE)


@ON_POSTGRESQL
async def test_who_waits_for_too_long_gives_up(cores: tuple[Core, Core]) -> None:
    one, other = cores
    table = await seated(one, 1)

    def soon(connection: Connection) -> None:
        connection.execute(text("set local lock_timeout = '100ms'"))
        lock_games(connection, table.id)

    async with holding(one.database, lambda connection: lock_games(connection, table.id)):
        with pytest.raises(DBAPIError, match="lock timeout"):
            await other.database.write(soon)
    async with other.database.reading() as connection:
        assert await connection.scalar(text("show lock_timeout")) == "10s", "so long they wait"


@ON_POSTGRESQL
async def test_the_same_is_held_once_at_a_time_and_others_meanwhile(cores: tuple[Core, Core]) -> None:
    one, other = cores
    for scope in LockScope:
        async with holding(one.database, partial(_lock, scope=scope, ids=(7, 8))):
            second = begin(other.database, partial(_lock, scope=scope, ids=(8, 9)))
            assert await waits(second)
            await asyncio.wait_for(begin(other.database, partial(_lock, scope=scope, ids=(6, 5))), PATIENCE)
            for another in set(LockScope) - {scope}:
                await asyncio.wait_for(begin(other.database, partial(_lock, scope=another, ids=(7,))), PATIENCE)
        await asyncio.wait_for(second, PATIENCE)


def _lock(connection: Connection, scope: LockScope, ids: tuple[int, ...]) -> None:
    lock_subjects(connection, scope, *ids)


@pytest.mark.only_sqlite("there is no lock but the file's")
async def test_on_sqlite_whoever_writes_is_alone(cores: tuple[Core, Core]) -> None:
    one, other = cores
    async with holding(one.database, lambda connection: lock_subjects(connection, LockScope.GUILD, 7)):
        second = begin(other.database, lambda connection: lock_subjects(connection, LockScope.GUILD, 8))
        assert await waits(second)
    await asyncio.wait_for(second, PATIENCE)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
async def processes(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[Database]]:
    async with AsyncExitStack() as stack:
        url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
        if request.param == "postgresql":
            url = await stack.enter_async_context(new_database())
        yield [await stack.enter_async_context(open_database(url)) for _process in range(3)]


async def test_processes_that_migrate_an_empty_database_together(processes: list[Database]) -> None:
    states = await asyncio.gather(*map(schema.migrate_database, processes))
    assert states[0].current is None
    for database in processes:
        assert (await schema.load_schema_state(database)).up_to_date
    row = {"guild_id": 1, "settings": "{}", "updated_at": NOW}
    await processes[0].write(lambda connection: connection.execute(insert(models.guild_settings).values(row)))


async def test_who_comes_while_another_migrates_waits_and_finds_nothing_left(processes: list[Database]) -> None:
    one, other, _idle = processes
    async with holding(one, schema.migrate_within):
        second = begin(other, schema.migrate_within)  # it has looked before, and found nothing in there
        assert await waits(second)
    await asyncio.wait_for(second, PATIENCE)
    assert (await schema.load_schema_state(other)).up_to_date
