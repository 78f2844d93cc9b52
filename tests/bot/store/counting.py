"""A number to count up: what overlapping transactions would lose."""

from sqlalchemy import Column, Connection, Integer, MetaData, Table, insert, select, update
from sqlalchemy.schema import CreateTable, DropTable

from bot.store.database import Database

COUNTER = Table("counter", MetaData(), Column("number", Integer, nullable=False))


def make(connection: Connection) -> None:
    connection.execute(DropTable(COUNTER, if_exists=True))
    connection.execute(CreateTable(COUNTER))
    connection.execute(insert(COUNTER).values(number=0))


def drop(connection: Connection) -> None:
    connection.execute(DropTable(COUNTER))


async def number(database: Database) -> int:
    async with database.reading() as connection:
        return int((await connection.execute(select(COUNTER.c.number))).scalar_one())


def count_up(connection: Connection) -> None:
    """Read, then write: what loses updates where two transactions overlap.

    The row is held as the bot holds rows: on SQLite whoever writes is alone anyway.
    """
    found = connection.execute(select(COUNTER.c.number).with_for_update()).scalar_one()
    connection.execute(update(COUNTER).values(number=found + 1))
