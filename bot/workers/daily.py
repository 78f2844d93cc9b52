"""Posting what everybody sees of a daily challenge: the line that somebody shares, and the podium of a day.

Where a server has chosen a channel and a time, the podium waits for that, and invites to the day that has begun.

Claiming a message puts it off until the next try. So a program that dies in between posts it then; the nonce lets
Discord recognise a message it has already.
"""

import logging
from collections.abc import Callable, Hashable
from datetime import datetime, timedelta

import discord
from sqlalchemy import Connection

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import post
from bot.domain.calendar import morning_after
from bot.domain.daily import Daily
from bot.locales import speaking
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.core import Core, server_settings
from bot.services.daily import QUIET_DAYS, boards, open_today, review
from bot.store.claims import next_post
from bot.store.daily import (
    OwedDailyPost,
    claim,
    is_played,
    load,
    load_attempt,
    played_in,
    posted,
    put_off,
    still_owed,
)
from bot.store.models import dailies, daily_plays
from bot.ui.daily import podium, shared_line
from bot.ui.message import Rendered
from bot.workers.clock import Clock
from bot.workers.worker import Worker

log = logging.getLogger(__name__)

MOST_TRIES = 30
"""A message that could not be posted for about a day is given up."""


class DailyPosts(Worker[OwedDailyPost]):
    """Posts what is owed."""

    name = "daily posts"

    def __init__(self, core: Core, clock: Clock, messageable: Callable[[int], discord.PartialMessageable]) -> None:
        super().__init__(core, clock)
        self._messageable = messageable

    def key(self, item: OwedDailyPost) -> Hashable:
        """One message, whichever try it is."""
        return item.daily_id, item.user_id

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """The end of a day, or a message that is owed since somebody shared."""
        return next_post(connection, dailies, daily_plays)

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[OwedDailyPost]:
        """Claim what is to be posted."""
        return claim(connection, now, limit)

    def put_off(self, connection: Connection, item: OwedDailyPost, until: datetime, begun: datetime) -> None:
        """Its claim has put it off."""

    async def handle(self, item: OwedDailyPost) -> None:
        """Post a message, unless that is over and done with."""
        work_on(game=item.daily_id, user=item.user_id)
        if not await self._core.database.read(still_owed, item):
            return
        if item.tries > MOST_TRIES:
            log.warning("%s is given up after %d tries", item, item.tries - 1)
        elif not await (self._podium(item) if item.user_id is None else self._line(item, item.user_id)):
            return
        await self._core.database.write(posted, item)

    async def _line(self, owed: OwedDailyPost, user_id: int) -> bool:
        """Tell what somebody shares where they do. Returns whether there is nothing more to do about it."""
        async with self._core.database.reading() as connection:
            daily = await connection.run_sync(load, owed.daily_id)
            attempt = None if daily is None else await connection.run_sync(load_attempt, daily, user_id)
        if attempt is None or attempt.shared_at is None:
            return True
        kept = None
        if attempt.shared_at >= attempt.daily.ends_at:
            kept = (await review(self._core, owed.daily_id, user_id))[1].kept(0)
        with speaking(attempt.daily.locale):
            rendered = shared_line(attempt, kept)
        key = f"d:{owed.daily_id}:{user_id}:{attempt.shared_at.timestamp()}"
        return await self._send(attempt.channel_id, rendered, owed, key) is not Trouble.PASSING

    async def _podium(self, owed: OwedDailyPost) -> bool:
        """Post the podium in the channel that the server has chosen, or else where the day was played, last first."""
        async with self._core.database.reading() as connection:
            daily = await connection.run_sync(load, owed.daily_id)
            channels = await connection.run_sync(played_in, owed.daily_id)
        if daily is None:
            return True
        settings, today = await server_settings(self._core, daily.guild_id), None
        if settings.daily_channel is not None:
            at = morning_after(daily.day, settings.daily_at, settings.zone)
            if self._core.now() < at:
                await self._core.database.write(put_off, owed, at)
                return False
            if await self._is_played_lately(daily):
                channels = list(dict.fromkeys([settings.daily_channel, *channels]))
                today = await open_today(self._core, daily.guild_id, daily.locale)
        finished, week = await boards(self._core, daily)
        with speaking(daily.locale):
            rendered = podium(daily, finished, week, today)
        troubles = set()
        for channel_id in channels:
            reason = await self._send(channel_id, rendered, owed, f"d:{owed.daily_id}")
            if reason in (None, Trouble.PASSING):
                return reason is None
            troubles.add(reason)
        # A permission may be given back; a channel does not come back, nor does a day that nobody played.
        return Trouble.FORBIDDEN not in troubles

    async def _is_played_lately(self, daily: Daily) -> bool:
        return await self._core.database.read(is_played, daily.guild_id, daily.day - timedelta(days=QUIET_DAYS))

    async def _send(self, channel_id: int, rendered: Rendered, owed: OwedDailyPost, key: str) -> Trouble | None:
        try:
            await post(self._messageable(channel_id), key, **await rendered.sending())
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.POST, error)
            reason = trouble(error)
            if reason is Trouble.REFUSED:
                log.exception("Discord does not take %s", owed)
            else:
                log.warning("%s could not be posted in channel %s: %s", owed, channel_id, error)
            return reason
        return None
