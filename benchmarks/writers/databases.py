"""Databases with the bot's schema and nothing but the games that will be played."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.writers.scripts import Script, store
from bot.cli.common import open_database
from bot.store.database import parse_url
from bot.store.models import metadata
from bot.store.schema import migrate_database
from bot.store.table import load_events, load_table
from highscore.game import replay_events
from tests.bot.databases import empty_sqlite
from tests.postgresql import new_database


class Files:
    """SQLite files in a folder. Each new file replaces the one before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def make_empty(self) -> URL:
        for file in self._folder.iterdir():
            file.unlink()
        # The first call of empty_sqlite runs its own event loop, so it needs another thread.
        return parse_url(await asyncio.to_thread(empty_sqlite, self._folder))


class Server:
    """A PostgreSQL database, which is emptied each time."""

    def __init__(self, url: URL) -> None:
        self._url = url

    async def make_empty(self) -> URL:
        engine = create_async_engine(self._url)
        async with engine.begin() as connection:
            names = ", ".join(table.name for table in metadata.sorted_tables)
            await connection.exec_driver_sql(f"TRUNCATE {names}")
        await engine.dispose()
        return self._url


Databases = Files | Server


@asynccontextmanager
async def open_server(given: str) -> AsyncIterator[Server]:
    """Create a database on the PostgreSQL server at this URL, and drop it when the block ends."""
    async with new_database(parse_url(given)) as url:
        async with open_database(parse_url(url)) as database:
            await migrate_database(database)
        yield Server(parse_url(url))


async def fill(url: URL, games: Sequence[Script]) -> None:
    async with open_database(url, checkpoints=True) as database:
        await store(database, games)


async def check(url: URL, made: Sequence[tuple[Script, int]]) -> None:
    """Raise AssertionError unless this many moves of each game are stored, and its events replay to the stored game."""
    async with open_database(url) as database, database.reading() as connection:
        for script, moves in made:
            table = await connection.run_sync(load_table, script.table.id)
            events = await connection.run_sync(load_events, script.table.id)
            assert table is not None
            assert table.version == moves, f"{moves} moves were committed, the version is {table.version}"
            assert table.game == script.after(moves), "the stored game is not the one that was played"
            replayed = replay_events(len(table.seats), table.turn_order, events)
            assert replayed == table.game, "the events do not replay to the game"
