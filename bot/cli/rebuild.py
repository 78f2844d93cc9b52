"""highscore-bot rebuild: results, standings, ratings and records anew from the event logs."""

from __future__ import annotations

import asyncio

import click

from bot.app import utc_now
from bot.cli.common import CANNOT_START, end, load_settings, reason
from bot.config import Settings
from bot.services.core import Core
from bot.services.rebuild import Rebuilt
from bot.services.rebuild import rebuild as rebuild_results
from bot.store.database import Database, parse_url
from bot.store.schema import migrate


@click.command()
def rebuild() -> None:
    """Make results, standings, ratings and records anew from the event logs of all finished games.

    The bot may run meanwhile. Gives the same rows as before, unless the formula of the rating has changed or games
    were played with a version that kept no results yet.
    """
    try:
        done = asyncio.run(_rebuild(load_settings()))
    except CANNOT_START as error:
        end(f"Not everything was rebuilt: {reason(error)}.")
    click.echo(f"Rebuilt {done.games} games of {done.guilds} servers.")
    if done.failed:
        end("\n".join(done.failed), code=1)


async def _rebuild(settings: Settings) -> Rebuilt:
    database = Database(parse_url(settings.database_url.get_secret_value()), checkpoints=False)
    try:
        await migrate(database)
        core = Core(database, utc_now, settings.load_deck(), settings.tables_per_channel, settings.paces)
        return await rebuild_results(core)
    finally:
        await database.close()
