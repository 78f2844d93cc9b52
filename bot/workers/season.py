"""Posting the podium of a season, once, where the server wants it."""

from collections.abc import Callable
from datetime import timedelta

import discord

from bot.discord_api.errors import Trouble
from bot.domain.leaderboard import Order
from bot.locales import speaking
from bot.observing.context import work_on
from bot.services.core import Core, server_settings
from bot.services.leaderboard import leaderboard
from bot.store.models import seasons
from bot.store.posts import OwedPost
from bot.ui.leaderboard import podium_embed
from bot.ui.message import Rendered
from bot.workers.clock import Clock
from bot.workers.posts import Posts

MEDALLED = 3
LATE = timedelta(days=7)
"""So long after its end a season is no news any more; its leaderboard can still be looked up."""


class SeasonPosts(Posts):
    """Posts the podiums that are owed."""

    name = "season posts"
    tables = (seasons,)

    def __init__(self, core: Core, clock: Clock, messageable: Callable[[int], discord.PartialMessageable]) -> None:
        super().__init__(core, clock)
        self._messageable = messageable

    async def post(self, item: OwedPost) -> bool:
        """Post a podium."""
        guild_id, season = item.row["guild_id"], item.row["season"]
        work_on(guild=guild_id)
        settings = await server_settings(self._core, guild_id)
        if settings.season_channel is None or self._core.now() > item.row["ends_at"] + LATE:
            return True
        board = await leaderboard(self._core, guild_id, season, Order.RATING, 0, 0)
        lines = [line for line in board.lines if line.place is not None and line.place <= MEDALLED]
        if not lines:
            return True
        with speaking(settings.language or item.row["locale"]):
            rendered = Rendered([podium_embed(season, lines)])
        channel = self._messageable(settings.season_channel)
        reason = await self._send(channel, f"s:{guild_id}:{season}", rendered, item)
        # A permission may be given back and Discord may recover; a channel that is gone does not come back.
        return reason not in (Trouble.FORBIDDEN, Trouble.PASSING)
