"""Our dice as application emoji: uploaded once for the application, found again at every later start.

https://discord.com/developers/docs/resources/emoji: an application has up to 2,000 of its own, 256 KiB each.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import discord

from bot.discord_api.errors import DISCORD_ERRORS
from bot.services.core import Core
from bot.ui.dice import use
from bot.ui.pictures.emoji import EMOJI
from bot.workers.once import once

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds between two looks whether another process has uploaded them."""
LOOKS = 12


async def provide(client: discord.Client, core: Core) -> None:
    """Upload the emoji that are missing and use them. Without them the game is played with keycaps; never raises."""
    try:
        known = await _known(client)
        for _look in range(LOOKS):
            missing = [name for name in EMOJI if name not in known]
            if not missing:
                break
            # Named after what is missing: what was uploaded once and is gone again is uploaded again.
            if not await once(core, f"emoji of {client.application_id}", missing, partial(_upload, client)):
                await asyncio.sleep(PATIENCE)
            known = await _known(client)
        use(known)
    except DISCORD_ERRORS as error:
        log.warning("the dice are shown as keycaps, because the emoji cannot be had: %s", error)
    except Exception:
        log.exception("the dice are shown as keycaps, because the emoji cannot be drawn")


async def _known(client: discord.Client) -> dict[str, str]:
    return {emoji.name: str(emoji) for emoji in await client.fetch_application_emojis() if emoji.name in EMOJI}


async def _upload(client: discord.Client) -> None:
    known = await _known(client)
    for name, draw in EMOJI.items():
        if name not in known:
            image = await asyncio.to_thread(draw)
            await client.create_application_emoji(name=name, image=image)
