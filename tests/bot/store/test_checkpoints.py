"""Who brings SQLite's write-ahead log back into the database: one connection alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database, parse_url

PAGES = 1_500
"""More than SQLite lets gather before it checkpoints by itself (1,000)."""
PAGE = 4_096


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """The bot's, with a table."""
    opened = Database(parse_url(f"sqlite:///{tmp_path / 'games.sqlite3'}"))
    await opened.write(lambda connection: connection.execute(text("create table notes (content blob)")))
    yield opened
    await opened.close()


@pytest.fixture
async def command(database: Database) -> AsyncIterator[Database]:
    """The same file as a command opens it that runs beside the bot."""
    opened = Database(database.url, checkpoints=False)
    yield opened
    await opened.close()


async def write(database: Database, pages: int) -> None:
    """Commit so much at once."""
    row = {"content": b"x" * (PAGE - 100)}
    await database.write(
        lambda connection: connection.execute(text("insert into notes values (:content)"), [row] * pages)
    )


def size(database: Database) -> int:
    """Pages of the file itself, without its write-ahead log: only a checkpoint makes it larger."""
    assert database.url.database is not None
    return Path(database.url.database).stat().st_size // PAGE


async def test_the_write_connection_checkpoints_when_enough_has_gathered(database: Database) -> None:
    before = size(database)
    await write(database, PAGES)
    assert size(database) >= before + PAGES


async def test_a_command_beside_the_bot_leaves_it_to_the_bot(database: Database, command: Database) -> None:
    before = size(database)
    await write(command, PAGES)
    assert size(database) == before
    await write(database, 1)
    assert size(database) >= before + PAGES


async def test_what_a_command_wrote_is_in_the_file_when_everybody_has_closed_it(
    database: Database, command: Database
) -> None:
    before = size(database)
    await write(command, PAGES)
    await database.close()
    assert size(command) == before
    await command.close()
    assert size(command) >= before + PAGES


async def test_readers_neither_write_nor_checkpoint(database: Database) -> None:
    async def pragma(connection: AsyncConnection, name: str) -> object:
        return await connection.scalar(text(f"pragma {name}"))

    async with database.read() as first, database.read() as second:
        for reader in (first, second):
            assert await pragma(reader, "wal_autocheckpoint") == 0
            with pytest.raises(OperationalError, match="readonly"):
                await reader.execute(text("insert into notes values ('x')"))
    assert await database.write(lambda connection: pragma(connection, "wal_autocheckpoint")) == 1_000


async def test_a_snapshot_stays_at_its_moment(database: Database) -> None:
    count = text("select count(*) from notes")
    async with database.snapshot() as connection:
        assert await connection.scalar(count) == 0
        await write(database, 1)
        assert await connection.scalar(count) == 0
    async with database.read() as connection:
        assert await connection.scalar(count) == 1
