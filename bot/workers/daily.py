"""Posting what everybody sees of a daily challenge: the line that somebody shares, and the podium of a day.

Where a server has chosen a channel and a time, the podium waits for that, and invites to the day that has begun.
"""

import logging
from collections.abc import Callable
from datetime import timedelta

import discord

from bot.discord_api.errors import Trouble
from bot.domain.calendar import morning_after
from bot.domain.daily import Daily
from bot.locales import speaking
from bot.observing.context import work_on
from bot.services.core import Core, server_settings
from bot.services.daily import QUIET_DAYS, boards, open_today, review
from bot.store.daily import is_played, load, load_attempt, played_in
from bot.store.models import dailies, daily_plays
from bot.store.posts import OwedPost, put_off
from bot.ui.daily import podium, shared_line
from bot.workers.clock import Clock
from bot.workers.posts import Posts

log = logging.getLogger(__name__)

MOST_TRIES = 30
"""A message that could not be posted for about a day is given up."""


class DailyPosts(Posts):
    """Posts what is owed."""

    name = "daily posts"
    tables = (dailies, daily_plays)

    def __init__(self, core: Core, clock: Clock, messageable: Callable[[int], discord.PartialMessageable]) -> None:
        super().__init__(core, clock)
        self._messageable = messageable

    async def post(self, item: OwedPost) -> bool:
        """Post a line or a podium."""
        if item.tries > MOST_TRIES:
            log.warning("%s is given up after %d tries", item, item.tries - 1)
            return True
        if item.table is dailies:
            work_on(game=item.row["id"])
            return await self._podium(item, item.row["id"])
        daily_id, user_id = item.row["daily_id"], item.row["user_id"]
        work_on(game=daily_id, user=user_id)
        return await self._line(item, daily_id, user_id)

    async def _line(self, item: OwedPost, daily_id: str, user_id: int) -> bool:
        """Tell what somebody shares where they do. Returns whether there is nothing more to do about it."""
        async with self._core.database.reading() as connection:
            daily = await connection.run_sync(load, daily_id)
            attempt = None if daily is None else await connection.run_sync(load_attempt, daily, user_id)
        if attempt is None or attempt.shared_at is None:
            return True
        kept = None
        if attempt.shared_at >= attempt.daily.ends_at:
            kept = (await review(self._core, daily_id, user_id))[1].kept(0)
        with speaking(attempt.daily.locale):
            rendered = shared_line(attempt, kept)
        key = f"d:{daily_id}:{user_id}:{attempt.shared_at.timestamp()}"
        channel = self._messageable(attempt.channel_id)
        return await self._send(channel, key, rendered, item) is not Trouble.PASSING

    async def _podium(self, item: OwedPost, daily_id: str) -> bool:
        """Post the podium in the channel that the server has chosen, or else where the day was played, last first."""
        async with self._core.database.reading() as connection:
            daily = await connection.run_sync(load, daily_id)
            channels = await connection.run_sync(played_in, daily_id)
        if daily is None:
            return True
        settings, today = await server_settings(self._core, daily.guild_id), None
        if settings.daily_channel is not None:
            at = morning_after(daily.day, settings.daily_at, settings.zone)
            if self._core.now() < at:
                await self._core.database.write(put_off, item, at)
                return False
            if await self._is_played_lately(daily):
                channels = list(dict.fromkeys([settings.daily_channel, *channels]))
                today = await open_today(self._core, daily.guild_id, daily.locale)
        finished, week = await boards(self._core, daily)
        with speaking(daily.locale):
            rendered = podium(daily, finished, week, today)
        troubles = set()
        for channel_id in channels:
            reason = await self._send(self._messageable(channel_id), f"d:{daily_id}", rendered, item)
            if reason in (None, Trouble.PASSING):
                return reason is None
            troubles.add(reason)
        # A permission may be given back; a channel does not come back, nor does a day that nobody played.
        return Trouble.FORBIDDEN not in troubles

    async def _is_played_lately(self, daily: Daily) -> bool:
        return await self._core.database.read(is_played, daily.guild_id, daily.day - timedelta(days=QUIET_DAYS))
