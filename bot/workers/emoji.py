"""Uploads the dice as the application's emoji."""

import asyncio
import logging
from functools import partial

import discord

from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.retrying import ask_until_answered, is_passing
from bot.ui import turn
from bot.ui.pictures.dice import EMOJI

log = logging.getLogger(__name__)


async def provide_emoji(client: discord.Client, looked_up: asyncio.Event) -> None:
    """Use the emoji that there are, set ``looked_up``, and upload those that are missing. Never raises."""
    try:
        turn.use_emoji(known := await _load_emoji(client))
        looked_up.set()
        if not known.keys() >= EMOJI.keys():
            await ask_until_answered("Uploading the emoji", partial(_upload_emoji, client))
            turn.use_emoji(await _load_emoji(client))
    except Exception as error:
        ours = not isinstance(error, DISCORD_ERRORS)
        log.warning("the dice are shown as keycaps: %s", error, exc_info=error if ours else None)
    finally:
        looked_up.set()


async def _load_emoji(client: discord.Client) -> dict[str, str]:
    """Return the dice that the application has as emoji, written as in a message; asked until Discord answers."""
    found = await ask_until_answered("Looking up the emoji", client.fetch_application_emojis)
    return {emoji.name: str(emoji) for emoji in found if emoji.name in EMOJI}


async def _upload_emoji(client: discord.Client) -> None:
    """Upload those that are missing: https://discord.com/developers/docs/resources/emoji

    One that Discord refuses, or whose answer cannot be read, is left out; the next look finds it if it was uploaded.
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
