"""Messages in Discord's channels: mentions, buttons, posts, and edits by a message's id alone."""

import asyncio
import hashlib
from datetime import timedelta
from typing import Any

import discord

from bot.ui.message import Rendered

NONCE_KNOWN = timedelta(minutes=2)
"""A time for which Discord surely knows a nonce; it says "the past few minutes"."""
LOOKED_BACK = 100
"""The number of messages searched for one that was sent before: as many as one request can ask for."""
POST_SECONDS = 30.0
"""The seconds Discord may take for a post; shorter than the wait before it is tried again."""


def mention_users(*user_ids: int) -> discord.AllowedMentions:
    """Notify these users and nobody else."""
    users: list[discord.abc.Snowflake] = [discord.Object(user_id) for user_id in user_ids]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def mention_role(role_id: int) -> discord.AllowedMentions:
    """Notify the members of this role and nobody else."""
    return discord.AllowedMentions(everyone=False, users=False, replied_user=False, roles=[discord.Object(role_id)])


def custom_ids_of(message: discord.Message, kind: int | None = None) -> list[str | None]:
    """Return the custom_ids of a message's buttons and selects, or of one type only, with None for each link."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    return [child.custom_id for row in rows for child in row.children if kind in (None, child.type.value)]


async def edit_message(channel: discord.PartialMessageable, message_id: int, rendered: Rendered) -> None:
    """Edit a message by its id alone, whether or not it is in the cache. Notifies nobody."""
    await channel.get_partial_message(message_id).edit(
        **await rendered.prepare_edit(), allowed_mentions=mention_users()
    )


async def post_quietly(channel: discord.abc.Messageable, key: str, *users: int, **content: Any) -> discord.Message:
    """Send a message that notifies nobody but these users, without them not even by a sound: days end at midnight.

    Of the same key Discord takes one within some minutes; a nonce has up to 25 characters.
    """
    nonce = hashlib.sha256(key.encode()).hexdigest()[:25]
    async with asyncio.timeout(POST_SECONDS):
        return await channel.send(**content, nonce=nonce, silent=not users, allowed_mentions=mention_users(*users))


def looks_like(message: discord.Message, rendered: Rendered) -> bool:
    """Return whether a message has the words of what was to be sent."""
    sent = [(embed.title, embed.description) for embed in message.embeds]
    return sent == [(embed.title, embed.description) for embed in rendered.embeds]
