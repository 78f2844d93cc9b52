"""The scheduled event of a cup on its server, made only if the bot has the permission. A cup never needs its event.

The bot stores no id: the event of a cup is the bot's own event whose place is a message in the cup's channel, where
only one cup runs at a time. So an event that was made just before a kill is found, and one that somebody has deleted
stays deleted. https://discord.com/developers/docs/resources/guild-scheduled-event
"""

import asyncio
import logging
from datetime import datetime
from typing import Any

import discord

from bot.discord_api.errors import DISCORD_ERRORS
from bot.discord_api.permissions import FOR_EVENTS, missing_permissions
from bot.domain.cup import CupView
from bot.locales import speaking_in
from bot.ui.cup import event_texts
from bot.workers.worker import Client

log = logging.getLogger(__name__)

EVENT_SECONDS = 10.0
"""How long Discord may take. The cup goes on afterwards."""


async def show_event(client: Client, view: CupView, message_id: int, now: datetime, *, create: bool) -> None:
    """Update the event of a cup. Delete it if the cup is over, or if not everybody can see its channel. If there is no
    event and ``create`` is given, make it, unless the cup has begun.

    ``message_id`` is the cup's newest post, to which the event links. Errors of Discord are only logged.
    """
    guild = client.get_guild(view.cup.guild_id)
    if guild is None or missing_permissions(guild.me.guild_permissions, FOR_EVENTS):
        return
    try:
        async with asyncio.timeout(EVENT_SECONDS):
            await _update_event(guild, view, message_id, now, create=create)
    except DISCORD_ERRORS as error:
        log.info("the event of cup %s could not be updated: %s", view.cup.id, error)


async def _update_event(guild: discord.Guild, view: CupView, message_id: int, now: datetime, *, create: bool) -> None:
    cup = view.cup
    place = f"https://discord.com/channels/{cup.guild_id}/{cup.channel_id}/"
    found = await guild.fetch_scheduled_events(with_counts=False)
    own = [each for each in found if each.creator_id == guild.me.id and (each.location or "").startswith(place)]
    if not cup.status.running or not _is_public(guild.get_channel_or_thread(cup.channel_id), guild.default_role):
        for event in own:
            await event.delete()
        return
    with speaking_in(cup.locale):
        name, text = event_texts(cup)
    fields: Any = {"name": name, "description": text, "end_time": view.planned_end, "location": f"{place}{message_id}"}
    fields["entity_type"] = discord.EntityType.external
    begins: Any = {"start_time": cup.begins_at} if cup.begins_at > now else {}
    if own:
        # Discord starts the event at its start time, and from then on refuses to change that time.
        await own[0].edit(**fields, **(begins if own[0].status is discord.EventStatus.scheduled else {}))
    elif create and begins:
        await guild.create_scheduled_event(**fields, **begins, privacy_level=discord.PrivacyLevel.guild_only)


def _is_public(channel: discord.abc.GuildChannel | discord.Thread | None, everybody: discord.Role) -> bool:
    """Return whether everybody on the server may see a channel: everybody would see the event. False if the channel is
    not in the cache.
    """
    if channel is None or channel.type is discord.ChannelType.private_thread:
        return False
    return channel.permissions_for(everybody).view_channel
