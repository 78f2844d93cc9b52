"""Posting what everybody sees of a daily challenge: the line about somebody's finish, and the podium of a day.

Claiming a message puts it off until the next try. So a program that dies in between posts it then; the nonce lets
Discord recognise a message it has already.
"""

import logging
from collections.abc import Callable, Hashable
from datetime import datetime, timedelta

import discord
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import post
from bot.domain.daily import ranking
from bot.locales import speaking
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.core import Core
from bot.store.claims import next_post
from bot.store.daily import OwedDailyPost, claim, finishers, load, load_attempt, played_in, posted, still_owed
from bot.store.models import dailies, daily_plays
from bot.ui.daily import finish_line, podium
from bot.ui.message import Rendered
from bot.workers.clock import Clock
from bot.workers.worker import Worker

log = logging.getLogger(__name__)

MOST_TRIES = 30
"""A message that could not be posted for about a day is given up."""
LATE = timedelta(hours=1)
"""So long after the end of the day a finish is no news any more; the podium tells of it."""


class DailyPosts(Worker[OwedDailyPost]):
    """Posts what is owed."""

    name = "daily posts"

    def __init__(self, core: Core, clock: Clock, messageable: Callable[[int], discord.PartialMessageable]) -> None:
        super().__init__(core, clock)
        self._messageable = messageable

    def key(self, item: OwedDailyPost) -> Hashable:
        """One message, whichever try it is."""
        return item.daily_id, item.user_id

    async def next_moment(self, connection: AsyncConnection, now: datetime) -> datetime | None:
        """The end of a day, or a message that is owed since somebody finished."""
        return await next_post(connection, dailies, daily_plays)

    async def claim(self, connection: AsyncConnection, now: datetime, limit: int) -> list[OwedDailyPost]:
        """Claim what is to be posted."""
        return await claim(connection, now, limit)

    async def put_off(self, connection: AsyncConnection, item: OwedDailyPost, until: datetime, begun: datetime) -> None:
        """Its claim has put it off."""

    async def handle(self, item: OwedDailyPost) -> None:
        """Post a message, unless that is over and done with."""
        work_on(game=item.daily_id, user=item.user_id)
        async with self._core.database.read() as connection:
            if not await still_owed(connection, item):
                return
        if item.tries > MOST_TRIES:
            log.warning("%s is given up after %d tries", item, item.tries - 1)
        elif not await (self._podium(item) if item.user_id is None else self._line(item, item.user_id)):
            return
        await self._core.database.write(lambda connection: posted(connection, item))

    async def _line(self, owed: OwedDailyPost, user_id: int) -> bool:
        """Tell of a finish where it was played. Returns whether there is nothing more to do about it."""
        async with self._core.database.read() as connection:
            daily = await load(connection, owed.daily_id)
            attempt = None if daily is None else await load_attempt(connection, daily, user_id)
        if attempt is None or self._core.now() > attempt.daily.ends_at + LATE:
            return True
        with speaking(attempt.daily.locale):
            rendered = finish_line(attempt)
        return await self._send(attempt.channel_id, rendered, owed) is not Trouble.PASSING

    async def _podium(self, owed: OwedDailyPost) -> bool:
        """Post the podium where the day was played last, or else in another channel where it was played."""
        async with self._core.database.read() as connection:
            daily = await load(connection, owed.daily_id)
            channels = await played_in(connection, owed.daily_id)
            finished = ranking(await finishers(connection, owed.daily_id))
        if daily is None:
            return True
        with speaking(daily.locale):
            rendered = podium(daily, finished)
        troubles = set()
        for channel_id in channels:
            reason = await self._send(channel_id, rendered, owed)
            if reason in (None, Trouble.PASSING):
                return reason is None
            troubles.add(reason)
        # A permission may be given back; a channel does not come back, nor does a day that nobody played.
        return Trouble.FORBIDDEN not in troubles

    async def _send(self, channel_id: int, rendered: Rendered, owed: OwedDailyPost) -> Trouble | None:
        try:
            key = f"d:{owed.daily_id}:{owed.user_id}"
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
