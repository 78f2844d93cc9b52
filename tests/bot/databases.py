"""The databases that tests run on, and ways to look at them behind the bot's back."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import URL, Table

from bot.config import Settings
from bot.store.database import Database, parse_url
from bot.store.models import games, metadata
from bot.store.schema import VERSIONS, list_revisions, migrate_database
from tests.postgresql import server_url

SQLITE, POSTGRESQL = KINDS = ("sqlite", "postgresql")

Result = TypeVar("Result")
Rows = list[tuple[Any, ...]]

PATIENCE = 30.0
"""Seconds the tests' own statements may take; one that waits longer waits for a transaction that never ends."""


# ------------------------------------------------------------------------------------------------ looking at databases


@asynccontextmanager
async def open_database(where: Settings | URL | str, *, checkpoints: bool = True) -> AsyncIterator[Database]:
    url = _url(where) if isinstance(where, Settings) else parse_url(where) if isinstance(where, str) else where
    database = Database(url, checkpoints=checkpoints)
    try:
        yield database
    finally:
        await database.close()


def database_file(settings: Settings) -> Path:
    url = _url(settings)
    assert url.get_backend_name() == SQLITE
    assert url.database is not None
    return Path(url.database)


def rows(settings: Settings, sql: str, *parameters: Any) -> Rows:
    """Ask the database behind the bot's back. Every ? is a parameter; times come as SQLite stores them, in words."""
    url = _url(settings)
    if url.get_backend_name() == SQLITE:
        with closing(sqlite3.connect(database_file(settings))) as connection:
            return connection.execute(sql, parameters).fetchall()
    return _aside().rows(url, sql, parameters)


def execute(settings: Settings, sql: str, *parameters: Any) -> None:
    """Change the database behind the bot's back, with all that hangs on what is deleted."""
    url = _url(settings)
    if url.get_backend_name() == SQLITE:
        with closing(sqlite3.connect(database_file(settings))) as connection, connection:
            connection.execute("pragma foreign_keys = on")
            connection.execute(sql, parameters)
    else:
        _aside().rows(url, sql, parameters)


def plans(settings: Settings, statements: Iterable[tuple[str, Any]]) -> list[tuple[str, list[Step]]]:
    """Explain the steps to the rows of statements, which are given with their parameters as they were sent.

    PostgreSQL is made to avoid reading whole tables, which it prefers where they have few rows: then it does so only
    where there is no index that helps.
    """
    url = _url(settings)
    asked = [(sql, one[0] if isinstance(one, list) else one) for sql, one in statements if _ASKS.match(sql)]
    if url.get_backend_name() == POSTGRESQL:
        aside = _aside()
        return [
            (sql, list(_steps(plan)))
            for (sql, _one), plan in zip(asked, aside.run(aside.plans(url, asked)), strict=True)
        ]
    with closing(sqlite3.connect(database_file(settings))) as connection:
        return [
            (
                sql,
                [
                    Step(step, step.startswith("SCAN "))
                    for *_ids, step in connection.execute(f"explain query plan {sql}", one)
                ],
            )
            for sql, one in asked
        ]


_ASKS = re.compile(r"\s*(SELECT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a plan: what it says of tables and indexes, and whether it reads all there is in there."""

    says: str
    reads_all: bool


def _steps(node: dict[str, Any]) -> Iterator[Step]:
    """Yield the steps of PostgreSQL's plan: https://www.postgresql.org/docs/current/using-explain.html."""
    kind = node["Node Type"]
    if "Scan" in kind and ("Relation Name" in node or "Index Name" in node):
        says = f"{kind} of {node.get('Relation Name', '')} by {node.get('Index Name', 'nothing')}"
        yield Step(says, kind == "Seq Scan" or ("Index" in kind and "Index Cond" not in node))
    for inner in node.get("Plans", ()):
        yield from _steps(inner)


SHOWN = ("message_id", "shown_content_version", "shown_screen", "show_by", "show_until")
"""Columns of games that tell which message shows them, or who sees to it."""


def everything(settings: Settings) -> dict[str, Rows]:
    """Return all rows, by table and in a fixed order, but not which message shows a game."""
    if _url(settings).get_backend_name() == POSTGRESQL:
        return {name: sorted(rows(settings, sql), key=repr) for name, sql in _ALL.items()}
    # One connection for all tables: to open it takes longer than to read them.
    with closing(sqlite3.connect(database_file(settings))) as connection:
        return {name: sorted(connection.execute(sql).fetchall(), key=repr) for name, sql in _ALL.items()}


def _all_of(table: Table) -> str:
    names = [f'"{column.name}"' for column in table.columns if table is not games or column.name not in SHOWN]
    return f"select {', '.join(names)} from {table.name}"  # noqa: S608 - our own names


_ALL = {name: _all_of(table) for name, table in metadata.tables.items()}


def columns_with(settings: Settings, *texts: object) -> set[str]:
    return {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        for (value,) in rows(settings, f'select "{column.name}" from "{table.name}"')  # noqa: S608 - our own names
        if any(str(text) in str(value) for text in texts)
    }


def traces(settings: Settings) -> object:
    """Return a value that differs after every write, also after one that leaves all rows as they were."""
    if _url(settings).get_backend_name() == SQLITE:
        file = database_file(settings)
        return [part.read_bytes() for part in (file, file.with_name(file.name + "-wal")) if part.exists()]
    # Where a row lies and which transaction put it there.
    return [rows(settings, f"select ctid::text, xmin::text from {name}") for name in metadata.tables]  # noqa: S608


def _url(settings: Settings) -> URL:
    return parse_url(settings.database_url.get_secret_value())


# ---------------------------------------------------------------------------------------------- databases without rows


def name_without_database(name: str) -> str:
    """Return the name of a test, without the database that it runs on."""
    kind = "|".join(KINDS)
    return re.sub(rf"\[({kind})\]$", "", re.sub(rf"(?<=[\[-])({kind})-|-({kind})(?=\])", "", name))


def empty_sqlite(folder: Path) -> str:
    """Make a new file without rows; return its URL."""
    file = folder / "games.sqlite3"
    file.write_bytes(_empty_file())
    return f"sqlite+aiosqlite:///{file}"


@cache
def _empty_file() -> bytes:
    """Migrate a new file, once a process: migrating takes longer than many a test."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.sqlite3"
        run_apart(_migrated(f"sqlite:///{file}"))
        return file.read_bytes()


def run_apart(work: Coroutine[Any, Any, None]) -> None:
    """Do something in a thread: the test that asks for it may have an event loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def empty_postgresql(config: pytest.Config) -> str:
    """Empty this test process' own database; return its URL. Skip the test where there is no server."""
    url = _own_database(server_url(), config)
    _aside().run(_aside().empty(url))
    return url.render_as_string(hide_password=False)


@cache
def _own_database(server: URL, config: pytest.Config) -> URL:
    """Make a migrated database, once a process, for the same reason."""
    url = server.set(database=f"highscore_{uuid4().hex[:12]}")
    aside = _aside()
    aside.rows(server, f"create database {url.database}")

    def clean_up() -> None:
        aside.rows(server, f"drop database {url.database} with (force)")
        aside.close()

    config.add_cleanup(clean_up)
    aside.run(_migrated(url))
    return url


def update_program(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    """Give the program one migration more. Returns its revision."""
    file = folder / "9000_next.py"
    file.write_text(
        f"""
import sqlalchemy as sa
from alembic import op
revision, down_revision, branch_labels, depends_on = "9000", "{list_revisions()[-1]}", None, None
def upgrade():
    op.create_table("next", sa.Column("id", sa.Integer(), primary_key=True))
def downgrade():
    op.drop_table("next")
"""
    )
    monkeypatch.setattr("bot.store.schema.VERSIONS", [*VERSIONS, str(folder)])
    return "9000"


async def _migrated(url: URL | str) -> None:
    async with open_database(url) as database:
        await migrate_database(database)


# --------------------------------------------------------------------------------------------- PostgreSQL on a byway


class _Aside:
    """A thread with an event loop and connections of its own: PostgreSQL for whoever has no event loop."""

    def __init__(self) -> None:
        self._connections: dict[URL, Any] = {}
        self._emptying = ";".join(f"delete from {table.name}" for table in reversed(metadata.sorted_tables))  # noqa: S608

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=loop.run_forever, name="tests' PostgreSQL", daemon=True)
        self._thread.start()
        return loop

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def rows(self, url: URL, sql: str, parameters: Iterable[Any] = ()) -> Rows:
        numbers = iter(range(1, 100))
        statement = re.sub(r"\?", lambda _mark: f"${next(numbers)}", sql)
        return self.run(self._rows(url, statement, parameters))

    async def _rows(self, url: URL, sql: str, parameters: Iterable[Any]) -> Rows:
        connection = await self._connection(url)
        return [tuple(map(as_sqlite, row)) for row in await connection.fetch(sql, *parameters)]

    async def plans(self, url: URL, statements: Sequence[tuple[str, Sequence[Any]]]) -> list[dict[str, Any]]:
        connection = await self._connection(url)
        async with connection.transaction():
            await connection.execute("set local enable_seqscan = off")
            return [
                json.loads(await connection.fetchval(f"explain (format json) {sql}", *values))[0]["Plan"]
                for sql, values in statements
            ]

    async def empty(self, url: URL) -> None:
        """Delete all rows of two dozen tables: half a millisecond where there is little; TRUNCATE takes forty."""
        connection = await self._connection(url)
        try:
            await connection.execute(self._emptying)
        except asyncpg.UndefinedTableError:  # a test has dropped one to see what happens
            await connection.execute("drop schema public cascade; create schema public")
            await _migrated(url)

    async def _connection(self, url: URL) -> Any:
        found = self._connections.get(url)
        if found is None or found.is_closed():
            # Statements are not kept: tests change the schema.
            self._connections[url] = found = await asyncpg.connect(
                host=url.host,
                port=url.port,
                user=url.username,
                password=url.password,
                database=url.database,
                ssl=url.query.get("ssl"),
                statement_cache_size=0,
                server_settings={"timezone": "UTC"},
            )
        return found

    def close(self) -> None:
        for connection in self._connections.values():
            self.run(connection.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@cache
def _aside() -> _Aside:
    return _Aside()


def as_sqlite(value: Any) -> Any:
    """Return a value as it would come out of SQLite, which knows no times."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S.%f")
    return value.isoformat() if isinstance(value, date) else value
