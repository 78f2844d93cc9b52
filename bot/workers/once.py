"""What one process does for all: telling Discord the slash commands, and uploading our dice as emoji."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.retrying import until_answered
from bot.locales.commands import CommandTranslator
from bot.services.core import Core
from bot.store.claims import chore_ended, claim_chore
from bot.ui import commands, dice
from bot.ui.pictures.emoji import EMOJI

log = logging.getLogger(__name__)

LASTS = timedelta(days=1)
"""After so long it is done again, should somebody else have changed what Discord knows."""
PATIENCE = 10.0
"""Seconds between two looks whether another process has uploaded the emoji."""
LOOKS = 12


async def once(core: Core, name: str, what: Any, work: Callable[[], Awaitable[object]]) -> bool:
    """Do a chore unless another process does it now or has done just this. Returns whether it was done here.

    ``what`` is what is to be done, as JSON can tell it: other than last time means to do it again. On SQLite there is
    no other process, and it is always done. Raises what ``work`` raises; then the next process may try.
    """
    if not core.database.shared:
        await work()
        return True
    digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
    if not await core.database.write(claim_chore, name, digest, core.now(), LASTS):
        log.info("%s: done by another process", name)
        return False
    done: str | None = None
    try:
        await work()
        done = digest
    finally:
        await core.database.write(chore_ended, name, done, core.now())
    return True


async def register_commands(tree: app_commands.CommandTree[Any], core: Core) -> None:
    """Tell Discord the commands, unless another process has told it just these; then name them by their ids.

    Raises what Discord answers where it does not take that.
    """
    client = tree.client
    if client.application_id is None:
        raise RuntimeError("the application is known only after logging in")
    translator = CommandTranslator()
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    http, application_id = client.http, client.application_id

    async def upload() -> None:
        _use_ids(await http.bulk_upsert_global_commands(application_id, payload))

    if not await once(core, f"commands of {application_id}", payload, upload):
        _use_ids(await http.get_global_commands(application_id))


def _use_ids(registered: Iterable[Mapping[str, Any]]) -> None:
    commands.use({command["name"]: int(command["id"]) for command in registered})


async def provide_emoji(client: discord.Client, core: Core) -> None:
    """Upload the emoji that are missing and use them. Without them the game is played with keycaps; never raises."""
    try:
        known = await _emoji_of(client)
        for _look in range(LOOKS):
            missing = [name for name in EMOJI if name not in known]
            if not missing:
                break
            # Named after what is missing: what was uploaded once and is gone again is uploaded again.
            if not await once(core, f"emoji of {client.application_id}", missing, partial(_upload_emoji, client)):
                await asyncio.sleep(PATIENCE)
            known = await _emoji_of(client)
        dice.use(known)
    except DISCORD_ERRORS as error:
        log.warning("the dice are shown as keycaps, because the emoji cannot be had: %s", error)
    except Exception:
        log.exception("the dice are shown as keycaps, because the emoji cannot be drawn")


async def _emoji_of(client: discord.Client) -> dict[str, str]:
    """Those of our emoji that the application has, as they are written in a message; asked until Discord answers."""
    found = await until_answered("Looking up the emoji", client.fetch_application_emojis)
    return {emoji.name: str(emoji) for emoji in found if emoji.name in EMOJI}


async def _upload_emoji(client: discord.Client) -> None:
    """Upload those that are missing, each drawn as PNG beside the event loop.

    An application has up to 2,000 of its own: https://discord.com/developers/docs/resources/emoji
    """
    known = await _emoji_of(client)
    for name, draw in EMOJI.items():
        if name not in known:
            await client.create_application_emoji(name=name, image=await asyncio.to_thread(draw))
