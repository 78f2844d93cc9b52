"""highscore-bot doctor: what is set, what works, what is missing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import click
import discord
from pydantic import SecretStr

from bot.cli.common import CANNOT_START, load_settings, reason
from bot.cli.run import WHERE_TOKENS_ARE
from bot.discord_errors import DISCORD_ERRORS
from bot.permissions import invite_link, lacking, permission_names
from bot.settings import Settings
from bot.store.database import Database, DatabaseError, parse_url
from bot.store.schema import schema_state
from highscore.errors import DeckError

GUILDS_LOOKED_AT = 200
"""Servers whose permissions are looked at: what Discord lists at once."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    good: bool
    text: str


@click.command()
def doctor() -> None:
    """Check settings, deck, database, schema, token and permissions, and print the invite link."""
    # What discord.py would warn of is among the findings; without a handler Python prints it in between.
    logging.getLogger("discord").addHandler(logging.NullHandler())
    settings = load_settings()
    findings = asyncio.run(_examine(settings))
    for finding in findings:
        click.echo(f"{'ok ' if finding.good else 'BAD'} {finding.text}")
    if not all(finding.good for finding in findings):
        raise SystemExit(1)


async def _examine(settings: Settings) -> list[Finding]:
    checks: tuple[Callable[[Settings], AsyncIterator[Finding]], ...] = (_settings, _deck, _database, _discord)
    return [finding for check in checks async for finding in check(settings)]


async def _settings(settings: Settings) -> AsyncIterator[Finding]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        shown = "(not shown)" if isinstance(value, SecretStr) else "(not set)" if value is None else str(value)
        yield Finding(True, f"{name.upper()} = {shown}")


async def _deck(settings: Settings) -> AsyncIterator[Finding]:
    try:
        deck = settings.load_deck()
    except DeckError as error:
        yield Finding(False, f"the deck: {error}")
    else:
        yield Finding(True, f"the deck {deck.name!r} has {len(deck)} cards")


async def _database(settings: Settings) -> AsyncIterator[Finding]:
    try:
        database = Database(parse_url(settings.database_url.get_secret_value()))
    except (DatabaseError, OSError) as error:
        yield Finding(False, f"the database: {error}")
        return
    try:
        state = await schema_state(database)
        async with database.read() as connection:
            intact = str((await connection.exec_driver_sql("PRAGMA quick_check")).scalar())
        yield Finding(intact == "ok", f"the database can be read: {intact}")
        if state.up_to_date:
            yield Finding(True, f"the database has schema {state.current}")
        elif state.known:
            yield Finding(
                True, f"the database has schema {state.current or 'nothing'}; run brings it to {state.wanted}"
            )
        else:
            yield Finding(False, f"the database was made by a newer version of this bot (schema {state.current})")
    except CANNOT_START as error:
        yield Finding(False, f"the database cannot be read: {reason(error)}")
    finally:
        await database.close()


async def _discord(settings: Settings) -> AsyncIterator[Finding]:
    if settings.discord_token is None:
        yield Finding(False, f"there is no DISCORD_TOKEN. {WHERE_TOKENS_ARE}")
        return
    # A plain client: the bot's own would synchronise its commands and open the database.
    # It never connects; the intent only spares a warning that it is missing.
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        try:
            await client.login(settings.discord_token.get_secret_value())
            application = await client.application_info()
            answer = await client.http.get_guilds(limit=GUILDS_LOOKED_AT)
            guilds: list[dict[str, Any]] = [dict(guild) for guild in answer]
        except discord.LoginFailure:
            yield Finding(False, f"Discord does not accept the DISCORD_TOKEN. {WHERE_TOKENS_ARE}")
            return
        except DISCORD_ERRORS as error:
            yield Finding(False, f"Discord cannot be asked: {reason(error)}")
            return
    yield Finding(True, f"the token belongs to the application {application.name!r}")
    if application.interactions_endpoint_url is not None:
        yield Finding(
            False,
            "the application has an Interactions Endpoint URL, so the bot never sees a click;"
            " remove it at https://discord.com/developers/applications",
        )
    for guild in guilds:
        missing = permission_names(lacking(discord.Permissions(int(guild["permissions"]))))
        name = repr(guild["name"])
        if missing:
            yield Finding(False, f"the server {name} does not give the bot {missing}")
        else:
            yield Finding(True, f"the server {name} gives the bot all it needs")
    yield Finding(True, f"invite it with {invite_link(application.id)}")
