"""Application emoji as Discord lists and takes them.

https://discord.com/developers/docs/resources/emoji: an application has up to 2,000 of its own, 256 KiB each.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping

import discord

from bot.discord_api.retrying import until_answered


async def list_emoji(client: discord.Client, names: Collection[str]) -> dict[str, str]:
    """Those of these emoji that the application has, as they are written in a message; asked until Discord answers."""
    found = await until_answered("Looking up the emoji", client.fetch_application_emojis)
    return {emoji.name: str(emoji) for emoji in found if emoji.name in names}


async def upload_emoji(client: discord.Client, drawings: Mapping[str, Callable[[], bytes]]) -> None:
    """Upload those of these emoji that the application lacks, each drawn as PNG beside the event loop."""
    known = await list_emoji(client, drawings)
    for name, draw in drawings.items():
        if name not in known:
            await client.create_application_emoji(name=name, image=await asyncio.to_thread(draw))
