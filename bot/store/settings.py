"""Reading and writing the settings of servers and of people."""

from __future__ import annotations

import json
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.guild import GuildSettings
from bot.store.models import guild_settings, player_settings


async def load_guild(connection: AsyncConnection, guild_id: int) -> GuildSettings:
    """A server's settings; the defaults where it has set nothing."""
    text = await connection.scalar(select(guild_settings.c.settings).where(guild_settings.c.guild_id == guild_id))
    return GuildSettings() if text is None else GuildSettings.from_json(json.loads(text))


async def save_guild(connection: AsyncConnection, guild_id: int, settings: GuildSettings, now: datetime) -> None:
    """Store a server's settings."""
    await connection.execute(delete(guild_settings).where(guild_settings.c.guild_id == guild_id))
    await connection.execute(
        insert(guild_settings).values(guild_id=guild_id, settings=json.dumps(settings.to_json()), updated_at=now)
    )


async def load_notify(connection: AsyncConnection, user_id: int) -> str | None:
    """How a person wants to be reminded, or None when they never said."""
    return await connection.scalar(select(player_settings.c.notify).where(player_settings.c.user_id == user_id))


async def save_notify(connection: AsyncConnection, user_id: int, notify: str, now: datetime) -> None:
    """Store how a person wants to be reminded."""
    await connection.execute(delete(player_settings).where(player_settings.c.user_id == user_id))
    await connection.execute(insert(player_settings).values(user_id=user_id, notify=notify, updated_at=now))
