"""highscore-bot migrate, rebuild and copy-database: the commands that change a whole database."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

import click
from dotenv import dotenv_values
from sqlalchemy import URL

from bot.app import utc_now
from bot.cli.common import end, end_on_error, find_settings_file, load_settings, open_database, url_of
from bot.config import Settings
from bot.services.core import Core
from bot.services.leaderboard import Rebuilt
from bot.services.leaderboard import rebuild as rebuild_results
from bot.store import schema
from bot.store.copying import CopyFailed, copy_rows
from bot.store.database import parse_url
from bot.store.errors import DatabaseError
from bot.store.schema import migrate_database


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


@click.command()
def rebuild() -> None:
    """Recompute results, standings, ratings and records from the event logs of all finished games.

    The bot may run at the same time. The rows stay the same unless the formula of the rating has changed.
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


BY_NAME = "env:"


@click.command("copy-database")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_database(source: str, target: str) -> None:
    """Copy everything from one database to another, empty one. Stop the bot first.

    FROM and TO are URLs like DATABASE_URL. Everybody on this machine can read command lines, so if a URL contains a
    password, store the URL in a variable NAME, in the environment or in .env, and write env:NAME instead.
    """
    with end_on_error("Nothing was copied"):
        urls = _parse_given("FROM", source), _parse_given("TO", target)
        if _locate(urls[0]) == _locate(urls[1]):
            raise DatabaseError("FROM and TO are the same database")
        if urls[0].get_backend_name() == "sqlite" and not Path(urls[0].database or "").is_file():
            raise DatabaseError(f"there is no database at {urls[0].database}")
        for given, url in zip((source, target), urls, strict=True):
            if url.password is not None and not given.startswith(BY_NAME):
                click.echo("Note: others on this machine can read the password in that URL; use env:NAME.", err=True)
        with end_on_error("Nothing was copied", (CopyFailed,), code=1):
            rows = asyncio.run(_copy(*urls))
    click.echo(
        f"Copied {sum(rows.values()):,} rows and compared them. Set DATABASE_URL to the new database and start the bot."
    )


def _parse_given(which: str, given: str) -> URL:
    text: str | None = given
    if given.startswith(BY_NAME):
        name = given.removeprefix(BY_NAME)
        with find_settings_file() as file:
            lines = dotenv_values(file, encoding=Settings.model_config["env_file_encoding"])
        text = os.environ.get(name) or lines.get(name)
        if not text:
            raise DatabaseError(f"{which} is {given}, but there is no {name} in the environment or in .env")
    try:
        return parse_url(text or "")
    except DatabaseError as error:
        raise DatabaseError(str(error).replace("DATABASE_URL", which)) from None


def _locate(url: URL) -> object:
    """Return a value that is equal for URLs of the same database, however they are written."""
    if url.get_backend_name() == "sqlite":
        return Path(url.database or "").resolve()
    return url.host, url.port or 5432, url.database


async def _copy(source: URL, target: URL) -> Mapping[str, int]:
    async with open_database(source) as opened, open_database(target, checkpoints=True) as into:
        return await copy_rows(opened, into, click.echo)
