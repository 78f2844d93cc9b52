"""highscore-bot rebuild: results, standings, ratings and records anew from the event logs."""

import asyncio

import click

from bot.app import utc_now
from bot.cli.common import end, end_on_error, load_settings, open_database, url_of
from bot.config import Settings
from bot.services.core import Core
from bot.services.rebuild import Rebuilt
from bot.services.rebuild import rebuild as rebuild_results
from bot.store.schema import migrate_database


@click.command()
def rebuild() -> None:
    """Make results, standings, ratings and records anew from the event logs of all finished games.

    The bot may run meanwhile. The rows stay the same unless the formula of the rating has changed.
    """
    with end_on_error("Not everything was rebuilt"):
        done = asyncio.run(_rebuild(load_settings()))
    click.echo(f"Rebuilt {done.games} games of {done.guilds} servers.")
    if done.failed:
        end("\n".join(done.failed), code=1)


async def _rebuild(settings: Settings) -> Rebuilt:
    async with open_database(url_of(settings)) as database:
        await migrate_database(database)
        core = Core(database, utc_now, settings.load_deck(), settings.tables_per_channel, settings.paces)
        return await rebuild_results(core)
