"""Posting what everybody sees of a daily challenge: the line about somebody's finish, and the podium of a day.

What is owed stands in the database and was claimed by the clock, which brings it again until it is noted as posted. So
a program that dies in between posts it at the next try; the nonce lets Discord recognise a message it has already.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import discord

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import mentions
from bot.domain.daily import ranking
from bot.locales import speaking
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.core import Core
from bot.store.daily import OwedDailyPost, finishers, load, load_attempt, played_in, posted, still_owed
from bot.ui.daily import finish_line, podium
from bot.ui.message import Rendered
from bot.workers.posts import Posting

log = logging.getLogger(__name__)

MOST_TRIES = 30
"""A message that could not be posted for about a day is given up."""
LATE = timedelta(hours=1)
"""So long after the end of the day a finish is no news any more; the podium tells of it."""


class DailyPosts:
    """Posts what is owed."""

    def __init__(self, core: Core, messageable: Callable[[int], discord.PartialMessageable]) -> None:
        self._core = core
        self._messageable = messageable
        self._posting = Posting[tuple[str, int | None]]()

    def post(self, owed: OwedDailyPost) -> None:
        """Post a message soon. One that is on its way already is not posted twice."""
        self._posting.begin((owed.daily_id, owed.user_id), partial(self._post_safely, owed))

    async def close(self) -> None:
        """Let messages in flight finish; the rest stays owed in the database."""
        await self._posting.close()

    async def _post_safely(self, owed: OwedDailyPost) -> None:
        work_on(game=owed.daily_id, user=owed.user_id)
        try:
            async with self._core.database.read() as connection:
                if not await still_owed(connection, owed):
                    return
            if owed.tries > MOST_TRIES:
                log.warning("%s is given up after %d tries", owed, owed.tries - 1)
            elif not await (self._podium(owed) if owed.user_id is None else self._line(owed, owed.user_id)):
                return
            await self._core.database.write(lambda connection: posted(connection, owed))
        except Exception:
            log.exception("%s could not be posted, and is tried again", owed)

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
        """Send a message that notifies nobody, not even by a sound: podiums come at midnight."""
        try:
            await self._messageable(channel_id).send(
                **await rendered.sending(), nonce=_nonce(owed), silent=True, allowed_mentions=mentions()
            )
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.POST, error)
            reason = trouble(error)
            if reason is Trouble.REFUSED:
                log.exception("Discord does not take %s", owed)
            else:
                log.warning("%s could not be posted in channel %s: %s", owed, channel_id, error)
            return reason
        return None


def _nonce(owed: OwedDailyPost) -> str:
    """The same for every try; Discord takes 25 characters."""
    return "d" + hashlib.sha256(f"{owed.daily_id}:{owed.user_id}".encode()).hexdigest()[:24]
