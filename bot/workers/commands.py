"""Registers the slash commands with Discord."""

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from discord import app_commands

from bot.discord_api.retrying import ask_until_answered
from bot.locales.catalogues import digest_catalogues
from bot.locales.commands import CommandTranslator
from bot.services.core import Core
from bot.store.claims import end_chore
from bot.ui import commands
from bot.workers.once import do_once


async def provide_commands(tree: app_commands.CommandTree[Any], core: Core, looked_up: asyncio.Event) -> None:
    """Name the commands by their ids and register them, unless they are: at once where there are none.

    Where there are some, which serve meanwhile, sets ``looked_up`` and registers when the bot is ready.
    """
    client = tree.client
    if client.application_id is None:
        raise RuntimeError("the application is known only after logging in")
    look_up = partial(client.http.get_global_commands, client.application_id)
    if registered := await ask_until_answered("Looking up the commands", look_up):
        _use_ids(registered)
        looked_up.set()
        await client.wait_until_ready()
    elif not core.database.shared:
        # Discord may have lost what the database remembers, and nobody else is registering.
        await core.database.write(end_chore, _chore(client.application_id), None, None)
    register = partial(_register, tree, core, client.application_id)
    if not await ask_until_answered("Registering the commands", register) and not registered:
        _use_ids(await ask_until_answered("Looking up the commands", look_up))


def _chore(application_id: int) -> str:
    return f"commands of {application_id}"


async def _register(tree: app_commands.CommandTree[Any], core: Core, application_id: int) -> bool:
    """Register the commands unless just these are registered, by this process or another; return whether it did."""

    async def upload() -> None:
        # All catalogues are read for this, which takes long enough to be felt beside the clicks of a running bot.
        payload = await asyncio.to_thread(lambda: asyncio.run(_translate(tree)))
        _use_ids(await tree.client.http.bulk_upsert_global_commands(application_id, payload))

    texts = [digest_catalogues(), *(command.to_dict(tree) for command in tree.get_commands())]
    return await do_once(core, _chore(application_id), texts, upload)


async def _translate(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    translator = CommandTranslator()
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


def _use_ids(registered: Iterable[Mapping[str, Any]]) -> None:
    commands.link_commands({command["name"]: int(command["id"]) for command in registered})
