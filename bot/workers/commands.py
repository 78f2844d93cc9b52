"""Registers the slash commands with Discord."""

from collections.abc import Iterable, Mapping
from typing import Any

from discord import app_commands

from bot.locales.commands import CommandTranslator
from bot.services.core import Core
from bot.ui import commands
from bot.workers.once import do_once


async def register_commands(tree: app_commands.CommandTree[Any], core: Core) -> None:
    """Register the commands, unless another process has registered just these; then name them by their ids."""
    client = tree.client
    if client.application_id is None:
        raise RuntimeError("the application is known only after logging in")
    translator = CommandTranslator()
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    http, application_id = client.http, client.application_id

    async def upload() -> None:
        _use_ids(await http.bulk_upsert_global_commands(application_id, payload))

    if not await do_once(core, f"commands of {application_id}", payload, upload):
        _use_ids(await http.get_global_commands(application_id))


def _use_ids(registered: Iterable[Mapping[str, Any]]) -> None:
    commands.link_commands({command["name"]: int(command["id"]) for command in registered})
