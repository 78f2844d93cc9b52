"""highscore-bot migrate: bring the database to this version's schema."""

from __future__ import annotations

import asyncio

import click

from bot.cli.common import CANNOT_START, end, load_settings, reason
from bot.config import Settings
from bot.store import schema
from bot.store.database import Database, parse_url


@click.command()
def migrate() -> None:
    """Bring the database to this version's schema (``run`` does it too)."""
    try:
        before = asyncio.run(_migrate(load_settings()))
    except CANNOT_START as error:
        end(f"The database was not touched: {reason(error)}.")
    if before.up_to_date:
        click.echo(f"The database is at schema {before.wanted} already.")
    else:
        click.echo(f"The database went from schema {before.current or 'nothing'} to {before.wanted}.")


async def _migrate(settings: Settings) -> schema.SchemaState:
    database = Database(parse_url(settings.database_url.get_secret_value()), checkpoints=False)
    try:
        return await schema.migrate(database)
    finally:
        await database.close()
