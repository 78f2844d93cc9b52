"""Our dice as application emoji: uploaded once for the application, found again at every later start.

https://discord.com/developers/docs/resources/emoji: an application has up to 2,000 of its own, 256 KiB each.
"""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.discord_errors import DISCORD_ERRORS
from bot.ui import symbols
from bot.ui.pictures import EMOJI, emoji_png

log = logging.getLogger(__name__)

NEEDED = tuple(name for name in EMOJI if name.startswith("hs_die_"))
"""What text and buttons use."""


async def provide(client: discord.Client) -> None:
    """Upload the emoji that are missing and use them. Without them the game is played with keycaps; never raises."""
    try:
        known = {emoji.name: str(emoji) for emoji in await client.fetch_application_emojis() if emoji.name in NEEDED}
        for name in NEEDED:
            if name not in known:
                image = await asyncio.to_thread(emoji_png, name)
                known[name] = str(await client.create_application_emoji(name=name, image=image))
        symbols.use(known)
    except DISCORD_ERRORS as error:
        log.warning("the dice are shown as keycaps, because the emoji cannot be had: %s", error)
    except Exception:
        log.exception("the dice are shown as keycaps, because the emoji cannot be drawn")
