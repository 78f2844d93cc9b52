"""The floor: the very statements that the bot sends for a move, by the bare driver, without rules.

They are recorded while the bot plays the games once, and then sent again with the same parameters: on SQLite by
``sqlite3`` in a thread of its own, one way there and back for a whole transaction; on PostgreSQL by asyncpg, which
prepares each statement once a connection.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import asyncpg
from sqlalchemy import URL, event

from benchmarks.games import durable
from benchmarks.writers.scripts import Script
from benchmarks.writers.variants import Bot, Refused
from bot.store.postgres import WRITERS

Statement = tuple[str, Sequence[Any]]
Recorded = Mapping[tuple[str, int], Sequence[Statement]]
"""The statements that are sent for each move of a game."""


async def record(url: URL, scripts: Iterable[Script], most: int) -> Recorded:
    """Let the bot play these games, ``most`` moves of each, which are in this database, and note what it sends.

    Without the books at the end of a game: what is read and written there depends on the games that ended before.
    """
    bot = Bot(books=False)
    await bot.open(url)
    sent: list[Statement] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        assert not many
        sent.append((statement, tuple(parameters)))

    event.listen(bot.core.database._writer.sync_engine, "before_cursor_execute", note)
    found = {}
    try:
        for script in scripts:
            # So that the settings of the server are known, as they are when a game goes on.
            await bot.settings_known(script)
            for at in range(min(most, len(script.moves))):
                sent.clear()
                await bot.move(script, at, 0)
                found[script.table.id, at] = tuple(sent)
    finally:
        await bot.close()
    return found


class SqliteFloor:
    """``sqlite3``, one connection in one thread."""

    name = "driver floor (sqlite3)"

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    async def open(self, url: URL) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._connection = await self._in_thread(durable, url.database)

    async def move(self, script: Script, at: int, writer: int) -> None:
        if not await self._in_thread(self._transaction, self._recorded[script.table.id, at], at):
            raise Refused

    async def close(self) -> None:
        await self._in_thread(self._connection.close)
        self._thread.shutdown()

    async def _in_thread(self, work: Any, *given: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)

    def _transaction(self, statements: Sequence[Statement], version: int) -> bool:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        for statement, parameters in statements:
            rows = run(statement, parameters).fetchall()
            if rows and "version" in rows[0].keys() and rows[0]["version"] != version:  # noqa: SIM118  (a Row is no dict)
                run("ROLLBACK")
                return False
        run("COMMIT")
        return True


class PostgresFloor:
    """asyncpg, with as many connections as the bot writes with."""

    name = "driver floor (asyncpg)"

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    async def open(self, url: URL) -> None:
        self._free: asyncio.Queue[Any] = asyncio.Queue()
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        for _ in range(WRITERS):
            self._free.put_nowait(await asyncpg.connect(plain))

    async def move(self, script: Script, at: int, writer: int) -> None:
        connection = await self._free.get()
        try:
            async with connection.transaction():
                for statement, parameters in self._recorded[script.table.id, at]:
                    rows = await connection.fetch(statement, *parameters)
                    if rows and rows[0].get("version", at) != at:
                        raise Refused
        finally:
            self._free.put_nowait(connection)

    async def close(self) -> None:
        while not self._free.empty():
            await self._free.get_nowait().close()
