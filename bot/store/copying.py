"""Copying one database into another: from SQLite to PostgreSQL and back.

Everything is read from one snapshot and written in one transaction. The same transaction migrates the target first, and
at the end compares the digests of all rows. So a copy that fails leaves no trace and can be repeated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, insert, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.models import metadata
from bot.store.postgres import APPLICATION, may_succeed_again
from bot.store.schema import load_schema_state, migrate_within
from bot.store.sqlite import is_in_use

BATCH = 500
"""The number of rows in memory at a time."""
_BITS = 128

_ALL = ", ".join(table.name for table in metadata.sorted_tables)
# Other bots are recognized by their connections: a running bot always has some open.
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = :name"
    " AND pid <> pg_backend_pid()"
).bindparams(name=APPLICATION)


class CopyFailed(DatabaseError):
    """The copy differs from its source, or the source changed during the copy. The copy was rolled back."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A digest of a table's rows that does not depend on their order."""

    rows: int = 0
    total: int = 0

    def __add__(self, row: Sequence[Any]) -> "Digest":
        text_of_row = repr([_make_plain(value) for value in row]).encode()
        number = int.from_bytes(blake2b(text_of_row, digest_size=_BITS // 8).digest())
        return Digest(self.rows + 1, (self.total + number) % 2**_BITS)


def _make_plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


async def check_idle(database: Database) -> None:
    """Raise DatabaseError if a bot is using this database, or if it is a PostgreSQL with another encoding than UTF8.

    Call this before anything else in this process uses the database.
    """
    if not database.shared:
        if database.url.database is not None and is_in_use(Path(database.url.database)):
            raise DatabaseError(f"{database.url.database} is in use; stop the bot first")
        return
    if await database.read(Connection.scalar, _OTHERS):
        raise DatabaseError(f"a bot is connected to the database {database.url.database!r}; stop it first")
    # In LATIN1, for example, most names could be copied, but a player with an emoji in the name could never sit down.
    encoding = await database.read(Connection.scalar, text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise DatabaseError(
            f"the database {database.url.database!r} has the encoding {encoding}; create it with the encoding UTF8"
        )


async def copy_rows(
    source: Database, target: Database, report: Callable[[str], None] = lambda _line: None
) -> Mapping[str, int]:
    """Copy every row. Return the number of rows by table. ``report`` gets a line after each table.

    Raise DatabaseError unless the target is empty or freshly migrated. Raise CopyFailed if the copy differs from the
    source, or if the source changed during the copy. The target then stays as it was.
    """
    await check_idle(source)
    await check_idle(target)
    state = await load_schema_state(source)
    if not state.up_to_date:
        raise DatabaseError(
            f"the database to copy from has schema {state.current or 'nothing'} instead of {state.wanted};"
            " run highscore-bot migrate on it first"
        )
    async with source.snapshot() as reading:
        return await target.write(_copy, target, source, reading, report)


def _copy(
    writing: Connection, target: Database, source: Database, reading: AsyncConnection, report: Callable[[str], None]
) -> Mapping[str, int]:
    migrate_within(writing)
    if target.shared:
        # The lock makes a bot that is started too early wait, so it cannot write in between.
        writing.execute(text(f"LOCK TABLE {_ALL} IN EXCLUSIVE MODE"))
        # Counting the rows of a large source may take longer than PostgreSQL lets a transaction be idle.
        writing.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
    for table in metadata.sorted_tables:
        if writing.execute(select(table).limit(1)).first() is not None:
            raise DatabaseError(f"the database to copy to is not empty: the table {table.name} has rows")
    copied: dict[str, int] = {}
    before = target.await_within(reading.run_sync(_read_totals))
    for table in metadata.sorted_tables:
        original, digest = _copy_table(target, reading, writing, table), Digest()
        with writing.execute(select(table), execution_options={"yield_per": BATCH}) as result:
            for row in result:
                digest += row
        if digest != original:
            raise CopyFailed(
                f"the {digest.rows:,} rows of {table.name} in the copy differ from the {original.rows:,} rows of the"
                " original; nothing was copied"
            )
        copied[table.name] = digest.rows
        report(f"{table.name}: {digest.rows:,}")
    if target.await_within(source.read(_read_totals)) != before:
        raise CopyFailed("the database changed while it was being copied; stop the bot first")
    if target.shared:
        writing.execute(text(f"ANALYZE {_ALL}"))
    return copied


def _copy_table(target: Database, reading: AsyncConnection, writing: Connection, table: Table) -> Digest:
    """Copy the rows of one table. Return the digest of the rows that were read."""
    digest, statement = Digest(), insert(table)
    streamed = reading.run_sync(Connection.execute, select(table), execution_options={"yield_per": BATCH})
    result = target.await_within(streamed)
    while rows := target.await_within(reading.run_sync(lambda _reading: result.fetchmany(BATCH))):
        for row in rows:
            digest += row
        try:
            writing.execute(statement, [dict(row._mapping) for row in rows])
        except DBAPIError as error:
            if may_succeed_again(error):
                raise
            # The driver's message may quote values of the rows.
            raise DatabaseError(
                f"the database to copy to refuses rows of {table.name} ({type(error.orig).__name__})"
            ) from error
    return digest


def _read_totals(connection: Connection) -> list[tuple[Any, ...]]:
    """Return figures that change with every move, new table and changed setting."""
    states: list[tuple[Any, ...]] = []
    for table in metadata.sorted_tables:
        columns: list[ColumnElement[Any]] = [func.count()]
        if "version" in table.c:
            columns.append(func.sum(table.c.version))
        if "updated_at" in table.c:
            columns.append(func.max(table.c.updated_at))
        states.append(tuple(connection.execute(select(*columns).select_from(table)).one()))
    return states
