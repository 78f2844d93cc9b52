"""Posts scores of daily challenges that people share, the days' podiums, and the seasons' podiums.

If a server has chosen a channel and a time, a day's podium waits for that, and invites to the day that has begun.
"""

import logging
from datetime import timedelta

from sqlalchemy import RowMapping

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble_of
from bot.discord_api.messages import post_quietly
from bot.domain.calendar import moment_at
from bot.domain.daily import next_daily
from bot.domain.leaderboard import Order
from bot.locales import speaking_in
from bot.observing.context import set_log_fields
from bot.observing.metrics import Where
from bot.services.challenge import review_attempt
from bot.services.core import Core, get_server_settings
from bot.services.daily import DAYS, QUIET_DAYS, load_boards, open_today
from bot.services.leaderboard import load_leaderboard
from bot.store.challenge import load_attempt
from bot.store.claims import DAY_PODIUMS, SEASON_PODIUMS, SHARED_LINES
from bot.store.daily import is_played, load_channels_played_in, load_daily, postpone_podium
from bot.ui.daily import render_podium, render_shared_score
from bot.ui.leaderboard import podium_embed
from bot.ui.message import Rendered
from bot.workers.client import Client
from bot.workers.clock import Clock
from bot.workers.posts import Posts

log = logging.getLogger(__name__)

PATIENCE = timedelta(days=2)
MEDALLED = 3
LATE = timedelta(days=7)
"""The time after its end at which a season is no news any more; its leaderboard can still be looked up."""


class _InChannels(Posts):
    """Posts into channels of servers."""

    patience = PATIENCE

    def __init__(self, core: Core, clock: Clock, client: Client) -> None:
        super().__init__(core, clock)
        self._client = client

    async def _send(self, channel_id: int, key: str, rendered: Rendered) -> Trouble | None:
        """Send a message, of which Discord takes one with this key. Return the trouble that prevented it, if any."""
        try:
            await post_quietly(self._client.get_partial_messageable(channel_id), key, **await rendered.sending())
        except DISCORD_ERRORS as error:
            self._core.metrics.count_failure(Where.POST, error)
            reason = trouble_of(error)
            if reason is Trouble.REFUSED:
                log.exception("%s: Discord does not take %s", self.name, key)
            else:
                log.warning("%s: %s could not be posted in channel %s: %s", self.name, key, channel_id, error)
            return reason
        return None


class SharedLines(_InChannels):
    """Posts the lines that people share."""

    name = "shared lines"
    rows = SHARED_LINES

    async def post(self, row: RowMapping) -> bool:
        daily_id, user_id = row["challenge_id"], row["user_id"]
        set_log_fields(game=daily_id, user=user_id)
        daily = await self._core.database.read(load_daily, daily_id)
        attempt = None if daily is None else await self._core.database.read(load_attempt, daily, user_id)
        if daily is None or attempt is None or attempt.shared_at is None:
            return True
        kept = None
        if daily.is_closed(attempt.shared_at):
            kept = (await review_attempt(self._core, DAYS, daily_id, user_id))[1].compute_kept(0)
        finished, _week = await load_boards(self._core, daily)
        place = next((line.place for line in finished if line.user_id == user_id), None)
        pictures = (await get_server_settings(self._core, daily.guild_id)).pictures
        with speaking_in(daily.locale):
            rendered = render_shared_score(attempt, kept, place, pictures=pictures)
            key = f"d:{daily_id}:{user_id}:{attempt.shared_at.timestamp()}"
            return await self._send(attempt.channel_id, key, rendered) is not Trouble.PASSING


class DayPodiums(_InChannels):
    """Posts podiums in the channel that a server has chosen, or else where the day was played, last first."""

    name = "podiums"
    rows = DAY_PODIUMS

    async def post(self, row: RowMapping) -> bool:
        daily_id: str = row["challenge_id"]
        set_log_fields(game=daily_id)
        daily = await self._core.database.read(load_daily, daily_id)
        if daily is None:
            return True
        channels = await self._core.database.read(load_channels_played_in, daily_id)
        settings, today = await get_server_settings(self._core, daily.guild_id), None
        if settings.daily_channel is not None:
            at = moment_at(next_daily(daily.day), settings.daily_at, settings.zone)
            if self._core.now() < at:
                await self._core.database.write(postpone_podium, daily_id, at)
                return True
            if await self._core.database.read(is_played, daily.guild_id, daily.day - timedelta(days=QUIET_DAYS)):
                channels = list(dict.fromkeys([settings.daily_channel, *channels]))
                today = await open_today(self._core, daily.guild_id, daily.locale)
        finished, week = await load_boards(self._core, daily)
        troubles = set()
        with speaking_in(daily.locale):
            rendered = render_podium(daily, finished, week, today, pictures=settings.pictures)
            for channel_id in channels:
                reason = await self._send(channel_id, f"d:{daily_id}", rendered)
                if reason in (None, Trouble.PASSING):
                    return reason is None
                troubles.add(reason)
        # A permission may come back; a deleted channel does not, nor does a day that nobody played.
        return Trouble.FORBIDDEN not in troubles


class SeasonPosts(_InChannels):
    """Posts the podiums of seasons."""

    name = "season posts"
    rows = SEASON_PODIUMS
    patience = LATE

    async def post(self, row: RowMapping) -> bool:
        guild_id, season = row["guild_id"], row["season"]
        set_log_fields(guild=guild_id)
        settings = await get_server_settings(self._core, guild_id)
        if settings.season_channel is None or self._core.now() > row["ends_at"] + LATE:
            return True
        board = await load_leaderboard(self._core, guild_id, season, Order.RATING, 0, 0)
        lines = [line for line in board.lines if line.place is not None and line.place <= MEDALLED]
        if not lines:
            return True
        with speaking_in(settings.language or row["locale"]):
            rendered = Rendered([podium_embed(season, lines)])
        reason = await self._send(settings.season_channel, f"s:{guild_id}:{season}", rendered)
        # A permission and Discord may come back; a channel does not.
        return reason not in (Trouble.FORBIDDEN, Trouble.PASSING)
