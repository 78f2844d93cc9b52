"""Messages in Discord's channels: whom they ping, their buttons, sending, and editing by id."""

import asyncio
import hashlib
from datetime import timedelta
from typing import Any

import discord

from bot.ui.message import Rendered

NONCE_KNOWN = timedelta(minutes=2)
"""Discord certainly knows a nonce for this long. Its documentation says "the past few minutes". Until then a message
without an answer is simply sent again; later the channel is searched for it first. For messages of other processes see
``SHOW_LEASE`` in store.claims and ``OTHER_PROCESS_PATIENCE`` in workers.steps.
"""
LOOKED_BACK = 100
"""The number of messages among which a message sent earlier is searched: as many as one request returns."""
POST_SECONDS = 30.0
"""The time limit for sending a message. Shorter than the pause before the next try."""


def mention_users(*user_ids: int) -> discord.AllowedMentions:
    """Ping these users and nobody else."""
    users: list[discord.abc.Snowflake] = [discord.Object(user_id) for user_id in user_ids]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def mention_role(role_id: int) -> discord.AllowedMentions:
    """Ping the members of this role and nobody else."""
    return discord.AllowedMentions(everyone=False, users=False, replied_user=False, roles=[discord.Object(role_id)])


def custom_ids_of(message: discord.Message, kind: int | None = None) -> list[str | None]:
    """Return the custom_ids of a message's buttons and selects, or of one type of them. Links have None."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    return [child.custom_id for row in rows for child in row.children if kind in (None, child.type.value)]


async def edit_message(channel: discord.PartialMessageable, message_id: int, rendered: Rendered) -> None:
    """Edit a message by its id, whether or not it is in the cache. Pings nobody."""
    await channel.get_partial_message(message_id).edit(
        **await rendered.prepare_edit(), allowed_mentions=mention_users()
    )


async def post_quietly(channel: discord.abc.Messageable, key: str, *users: int, **content: Any) -> discord.Message:
    """Send a message that pings only these users. Without users it makes no sound, because days end at midnight.

    Discord creates only one message with the same key within some minutes. A nonce has at most 25 characters.
    """
    nonce = hashlib.sha256(key.encode()).hexdigest()[:25]
    async with asyncio.timeout(POST_SECONDS):
        return await channel.send(**content, nonce=nonce, silent=not users, allowed_mentions=mention_users(*users))


def looks_like(message: discord.Message, rendered: Rendered) -> bool:
    """Return whether a message has the titles and descriptions of what was to be sent."""
    sent = [(embed.title, embed.description) for embed in message.embeds]
    return sent == [(embed.title, embed.description) for embed in rendered.embeds]
