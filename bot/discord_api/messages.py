"""Messages in Discord's channels: whom they ping, their buttons, sending, and editing by id."""

import asyncio
import hashlib
from datetime import timedelta
from typing import Any

import discord

from bot.ui.message import Rendered

NONCE_KNOWN = timedelta(minutes=2)
"""Discord certainly recognises a nonce for this long. Its documentation says "the past few minutes". If a message got
no answer, it is simply sent again within this time. Later the channel is searched for the message first. For messages
of other processes see ``SHOW_LEASE`` in store.claims and ``OTHER_PROCESS_PATIENCE`` in workers.steps.
"""
LOOKED_BACK = 100
"""A message that may have been sent is searched for among this many messages, because one request returns as many."""
POST_SECONDS = 30.0
"""The time limit for sending a message. It is shorter than the pause before the next try."""


def mention_users(*user_ids: int) -> discord.AllowedMentions:
    users: list[discord.abc.Snowflake] = [discord.Object(user_id) for user_id in user_ids]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def mention_role(role_id: int) -> discord.AllowedMentions:
    return discord.AllowedMentions(everyone=False, users=False, replied_user=False, roles=[discord.Object(role_id)])


def custom_ids_of(message: discord.Message, kind: int | None = None) -> list[str | None]:
    """Return the custom_ids of a message's components, or only of those of one type. A link has None as its id."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    return [child.custom_id for row in rows for child in row.children if kind in (None, child.type.value)]


async def edit_message(channel: discord.PartialMessageable, message_id: int, rendered: Rendered) -> None:
    """Edit a message by its id, whether or not it is in the cache. Pings nobody."""
    await channel.get_partial_message(message_id).edit(
        **await rendered.prepare_edit(), allowed_mentions=mention_users()
    )


async def post_quietly(channel: discord.abc.Messageable, key: str, *users: int, **content: Any) -> discord.Message:
    """Send a message that pings only these users. Without users it makes no sound, because it may be sent at midnight,
    when a day ends.

    Messages with the same key get the same nonce, so Discord creates only one of them within some minutes.
    """
    nonce = hashlib.sha256(key.encode()).hexdigest()[:25]  # Discord allows 25 characters.
    async with asyncio.timeout(POST_SECONDS):
        return await channel.send(**content, nonce=nonce, silent=not users, allowed_mentions=mention_users(*users))


def looks_like(message: discord.Message, rendered: Rendered) -> bool:
    """Return whether the embeds of a message have the titles and descriptions of those in ``rendered``."""
    sent = [(embed.title, embed.description) for embed in message.embeds]
    return sent == [(embed.title, embed.description) for embed in rendered.embeds]
