"""The channels and roles that a server's settings may point to."""

import discord

from bot.domain.server_settings import Existing, Target
from bot.ui.setup import CHANNEL_TYPES


def find_existing(guild: discord.Guild | None) -> Existing | None:
    """Return the channels and roles that a server has now, or None while Discord has not told them."""
    if guild is None or guild.unavailable or not guild.roles:
        return None
    channels = {target: {at.id for at in guild.channels if at.type in types} for target, types in CHANNEL_TYPES.items()}
    return {Target.ROLE: {role.id for role in guild.roles}, **channels}
