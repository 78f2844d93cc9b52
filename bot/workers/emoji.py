"""Our dice as application emoji: uploaded once for the application, found again at every later start."""

import asyncio
import logging
from functools import partial

import discord

from bot.discord_api.emoji import list_emoji, upload_emoji
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
        known = await list_emoji(client, EMOJI)
        for _look in range(LOOKS):
            missing = [name for name in EMOJI if name not in known]
            if not missing:
                break
            # Named after what is missing: what was uploaded once and is gone again is uploaded again.
            if not await once(core, f"emoji of {client.application_id}", missing, partial(upload_emoji, client, EMOJI)):
                await asyncio.sleep(PATIENCE)
            known = await list_emoji(client, EMOJI)
        use(known)
    except DISCORD_ERRORS as error:
        log.warning("the dice are shown as keycaps, because the emoji cannot be had: %s", error)
    except Exception:
        log.exception("the dice are shown as keycaps, because the emoji cannot be drawn")
