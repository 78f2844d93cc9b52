"""highscore-bot migrate: bring the database to this version's schema."""

import asyncio

import click

from bot.cli.common import end_on_error, load_settings, open_database, url_of
from bot.config import Settings
from bot.store import schema


@click.command()
def migrate() -> None:
    """Bring the database to this version's schema (``run`` does it too)."""
    with end_on_error("The database was not touched"):
        before = asyncio.run(_migrate(load_settings()))
    if before.up_to_date:
        click.echo(f"The database is at schema {before.wanted} already.")
    else:
        click.echo(f"The database went from schema {before.current or 'nothing'} to {before.wanted}.")


async def _migrate(settings: Settings) -> schema.SchemaState:
    async with open_database(url_of(settings)) as database:
        return await schema.migrate_database(database)
