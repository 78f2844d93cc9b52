"""Channels, threads and servers that go away: the games in them are closed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.services import absence
from bot.store import tables as store

if TYPE_CHECKING:
    from bot.client import HighScoreBot

log = logging.getLogger(__name__)


class Places(commands.Cog):
    """Listens for what Discord tells about places."""

    def __init__(self, bot: HighScoreBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted."""
        await self._close("its channel was deleted", channel_id=channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted, whether or not it was in the cache."""
        await self._close("its thread was deleted", channel_id=payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server, or the server was deleted. Not sent for a mere outage."""
        await self._close("the bot was removed from the server", guild_id=guild.id)

    async def _close(self, reason: str, *, guild_id: int | None = None, channel_id: int | None = None) -> None:
        core = self.bot.core
        try:
            async with core.database.read() as connection:
                table_ids = await store.tables_in(connection, guild_id=guild_id, channel_id=channel_id)
            for table_id in table_ids:
                await absence.close(core, table_id, reason)
        except Exception:
            log.exception("games in guild %s, channel %s could not be closed", guild_id, channel_id)
