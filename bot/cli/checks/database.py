"""The database: whether it can be used, and its schema."""

from collections.abc import AsyncIterator
from pathlib import Path

from sqlalchemy import Connection

from bot.cli.checks.file import look_at_file
from bot.cli.checks.findings import Finding, bad, ok
from bot.cli.checks.server import look_at_server
from bot.cli.common import CANNOT_START, database_url, open_database, reason
from bot.config import Settings
from bot.store.errors import DatabaseError
from bot.store.schema import SchemaState, schema_state


async def database(settings: Settings) -> AsyncIterator[Finding]:
    """Everything about the database that DATABASE_URL names."""
    try:
        url = database_url(settings)
        shared = url.get_backend_name() == "postgresql"
        if not shared:
            findings, exists = look_at_file(Path(url.database or ""))
            for finding in findings:
                yield finding
            if not exists:
                return
    except (DatabaseError, OSError) as error:
        yield bad(f"the database: {reason(error)}")
        return
    try:
        async with open_database(url) as opened:
            state = await schema_state(opened)
            async with opened.reading() as connection:
                if shared:
                    async for finding in look_at_server(connection, new=state.current is None):
                        yield finding
                else:
                    yield await connection.run_sync(_pages)
            yield _schema(state)
    except CANNOT_START as error:
        yield bad(f"the database cannot be read: {reason(error)}")


def _pages(connection: Connection) -> Finding:
    result = str(connection.exec_driver_sql("PRAGMA quick_check").scalar())
    return (ok if result == "ok" else bad)(f"the database can be read: {result}")


def _schema(state: SchemaState) -> Finding:
    if state.up_to_date:
        return ok(f"the database has schema {state.current}")
    if state.known:
        return ok(f"the database has schema {state.current or 'nothing'}; run brings it to {state.wanted}")
    return bad(f"the database was made by a newer version of this bot (schema {state.current})")
