"""Alembic's entry point. The connection is passed by ``bot.store.schema``, or opened from DATABASE_URL."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection

from bot.config import Settings
from bot.store.database import Database, parse_url
from bot.store.models import metadata


def _run(connection: Connection) -> None:
    # SQLite cannot alter most things in place. Batch mode makes a new table and copies the rows. Constraints in
    # migrations get their names from the naming convention of the models' metadata.
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()


async def _connect_and_run() -> None:
    database = Database(parse_url(Settings().database_url.get_secret_value()))
    try:
        await database.write(_run)
    finally:
        await database.close()


if context.is_offline_mode():
    context.configure(dialect_name="sqlite", target_metadata=metadata, literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
elif (given := context.config.attributes.get("connection")) is not None:
    _run(given)
else:
    asyncio.run(_connect_and_run())
