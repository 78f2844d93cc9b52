"""highscore-bot migrate: bring the database to this version's schema."""

import asyncio

import click

from bot.cli.common import CANNOT_START, database_url, end, load_settings, open_database, reason
from bot.config import Settings
from bot.store import schema


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
    async with open_database(database_url(settings)) as database:
        return await schema.migrate(database)
