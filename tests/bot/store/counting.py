"""A number to count up: what overlapping transactions would lose."""

from __future__ import annotations

import asyncio

from sqlalchemy import Column, Integer, MetaData, Table, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import CreateTable, DropTable

from bot.store.database import Database

COUNTER = Table("counter", MetaData(), Column("number", Integer, nullable=False))


async def make(connection: AsyncConnection) -> None:
    """Begin at zero."""
    await connection.execute(DropTable(COUNTER, if_exists=True))
    await connection.execute(CreateTable(COUNTER))
    await connection.execute(insert(COUNTER).values(number=0))


async def drop(connection: AsyncConnection) -> None:
    """The next test finds the database as it was."""
    await connection.execute(DropTable(COUNTER))


async def number(database: Database) -> int:
    """How far it was counted, as somebody else sees it."""
    async with database.read() as connection:
        return int((await connection.execute(select(COUNTER.c.number))).scalar_one())


async def count_up(connection: AsyncConnection) -> None:
    """Read, let others run, write: what loses updates where two transactions overlap.

    The row is held as the bot holds rows: on SQLite whoever writes is alone anyway.
    """
    found = (await connection.execute(select(COUNTER.c.number).with_for_update())).scalar_one()
    await asyncio.sleep(0)
    await connection.execute(update(COUNTER).values(number=found + 1))
