"""Registers the slash commands, and uploads the dice as emoji of the application.

https://discord.com/developers/docs/interactions/application-commands and .../resources/emoji
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.discord_api.errors import DISCORD_ERRORS, ask_until_answered, is_our_mistake, is_passing
from bot.locales.commands import CommandTranslator
from bot.ui import turn
from bot.ui.pictures.dice import EMOJI
from bot.ui.text import GROUP, link_commands

log = logging.getLogger(__name__)

SLASH, ENTRY_POINT = 1, 4
"""Types of commands. Discord adds an Entry Point command to applications that have activities."""
REGISTER_AGAIN_SECONDS = 3600.0

Commands = list[dict[str, Any]]


async def provide_commands(tree: app_commands.CommandTree[Any], looked_up: asyncio.Event) -> None:
    """Look up the ids of the commands and register the commands. Repeat that until Discord accepts them. Never raise.

    Set ``looked_up`` when the ids are known, or when the first try has failed. If the commands were registered before,
    changes are registered only after the bot is ready: the earlier ones work in the meantime.
    """
    while True:
        try:
            await _provide(tree, looked_up)
        except Exception as error:
            log.log(
                logging.ERROR if is_our_mistake(error) else logging.WARNING,
                "the commands could not be registered; next try in %.0f minutes: %s",
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
    # Discord refuses all commands (50240) if the application's Entry Point command is not among them.
    others = [command for command in found if command["type"] == ENTRY_POINT]
    register = partial(_register, tree, client.application_id, others)
    link_commands(find_slash_commands(await ask_until_answered("Registering the commands", register)))


async def load_commands(client: discord.Client) -> Commands:
    """Return the application's commands, with their texts in all languages."""
    route = discord.http.Route("GET", "/applications/{application_id}/commands", application_id=client.application_id)
    found: Commands = await client.http.request(route, params={"with_localizations": "true"})
    return found


def find_slash_commands(registered: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    return {command["name"]: int(command["id"]) for command in registered if command["type"] == SLASH}


async def _register(tree: app_commands.CommandTree[Any], application_id: int, others: Commands) -> Commands:
    # Translate in a thread. This reads all catalogues, which takes so long that it would delay presses.
    payload: list[Any] = await asyncio.to_thread(lambda: asyncio.run(_translate(tree)))
    payload += [{name: each[name] for name in each.keys() - {"application_id", "version"}} for each in others]
    registered: list[Any] = await tree.client.http.bulk_upsert_global_commands(application_id, payload)
    return registered


async def _translate(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    translator = CommandTranslator()
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


async def provide_emoji(client: discord.Client, looked_up: asyncio.Event) -> None:
    """Use the emoji that the application has, set ``looked_up``, and upload the missing ones. Never raise."""
    try:
        turn.use_emoji(known := await _load_emoji(client))
        looked_up.set()
        if not known.keys() >= EMOJI.keys():
            await ask_until_answered("Uploading the emoji", partial(_upload_emoji, client))
            turn.use_emoji(await _load_emoji(client))
    except Exception as error:
        ours = not isinstance(error, DISCORD_ERRORS)
        log.warning(
            "the emoji could not be uploaded or looked up, so some dice are shown as keycaps: %s",
            error,
            exc_info=error if ours else None,
        )
    finally:
        looked_up.set()


async def _load_emoji(client: discord.Client) -> dict[str, str]:
    """Return the markup of the dice that the application has as emoji. Ask until Discord answers."""
    found = await ask_until_answered("Looking up the emoji", client.fetch_application_emojis)
    return {emoji.name: str(emoji) for emoji in found if emoji.name in EMOJI}


async def _upload_emoji(client: discord.Client) -> None:
    """Upload the missing emoji. Skip one that Discord refuses, or whose answer cannot be read. If it was uploaded
    nevertheless, ``provide_emoji`` finds it when it looks again.
    """
    known = await _load_emoji(client)
    for name, draw in EMOJI.items():
        if name in known:
            continue
        image = await asyncio.to_thread(draw)
        try:
            await client.create_application_emoji(name=name, image=image)
        except Exception as error:
            if is_passing(error):
                raise
            log.warning("the emoji %s could not be uploaded: %s", name, error)
