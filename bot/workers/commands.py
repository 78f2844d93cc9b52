"""Registers the slash commands with Discord: https://discord.com/developers/docs/interactions/application-commands"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.discord_api.errors import DISCORD_ERRORS, is_our_mistake
from bot.discord_api.retrying import ask_until_answered
from bot.locales.commands import CommandTranslator
from bot.ui.text import GROUP, link_commands

log = logging.getLogger(__name__)

SLASH, ENTRY_POINT = 1, 4
"""Types of commands. Discord adds an Entry Point command to an application with activities."""
REGISTER_AGAIN_SECONDS = 3600.0

Commands = list[dict[str, Any]]


async def provide_commands(tree: app_commands.CommandTree[Any], looked_up: asyncio.Event) -> None:
    """Find the ids of the commands and register the commands, until Discord accepts them. Never raises.

    Sets ``looked_up`` when the ids are known. Commands that are registered serve in the meantime, so changes to them
    are registered when the bot is ready.
    """
    while True:
        try:
            await _provide(tree, looked_up)
        except Exception as error:
            log.log(
                logging.ERROR if is_our_mistake(error) else logging.WARNING,
                "the commands are not registered, again in %.0f minutes: %s",
                REGISTER_AGAIN_SECONDS / 60,
                error,
                exc_info=None if isinstance(error, DISCORD_ERRORS) else error,
            )
        else:
            return
        finally:
            looked_up.set()
        await asyncio.sleep(REGISTER_AGAIN_SECONDS)


async def _provide(tree: app_commands.CommandTree[Any], looked_up: asyncio.Event) -> None:
    client = tree.client
    if client.application_id is None:
        raise RuntimeError("the application is known only after logging in")
    found = await ask_until_answered("Looking up the commands", partial(load_commands, client))
    link_commands(ids := find_slash_commands(found))
    if GROUP in ids:
        looked_up.set()
        await client.wait_until_ready()
    # Without an Entry Point command that the application has, Discord refuses all commands (50240).
    others = [command for command in found if command["type"] == ENTRY_POINT]
    register = partial(_register, tree, client.application_id, others)
    link_commands(find_slash_commands(await ask_until_answered("Registering the commands", register)))


async def load_commands(client: discord.Client) -> Commands:
    """Return the application's commands, with their texts in all languages."""
    route = discord.http.Route("GET", "/applications/{application_id}/commands", application_id=client.application_id)
    found: Commands = await client.http.request(route, params={"with_localizations": "true"})
    return found


def find_slash_commands(registered: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the ids of the slash commands among these, by their names."""
    return {command["name"]: int(command["id"]) for command in registered if command["type"] == SLASH}


async def _register(tree: app_commands.CommandTree[Any], application_id: int, others: Commands) -> Commands:
    # All catalogues are read for this, which takes long enough to be felt by the clicks on a running bot.
    payload: list[Any] = await asyncio.to_thread(lambda: asyncio.run(_translate(tree)))
    payload += [{name: each[name] for name in each.keys() - {"application_id", "version"}} for each in others]
    registered: list[Any] = await tree.client.http.bulk_upsert_global_commands(application_id, payload)
    return registered


async def _translate(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    translator = CommandTranslator()
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
