"""Posts the scores of daily challenges that people share, the podiums of days, and the podiums of seasons.

If a server has chosen a channel, a day's podium is posted there at the time of the server's choice, together with an
invitation to the new day.
"""

from datetime import timedelta

from sqlalchemy import RowMapping

from bot.discord_api.errors import Trouble
from bot.discord_api.permissions import explain_forbidden
from bot.domain.calendar import end_of_day, last_day, moment_at
from bot.domain.challenge import Attempt
from bot.domain.daily import ONE_DAY, Daily, make_ranking
from bot.domain.leaderboard import Order
from bot.locales import speaking_in
from bot.observing.logs import set_log_fields
from bot.services.challenge import review_attempt
from bot.services.core import get_server_settings
from bot.services.daily import DAYS, QUIET_DAYS, load_boards, open_today, unshare_attempt
from bot.services.leaderboard import load_leaderboard
from bot.store.challenge import load_attempt
from bot.store.claims import DAY_PODIUMS, SEASON_PODIUMS, SHARED_LINES
from bot.store.daily import is_played, load_channels_played_in, load_daily, load_finishers, postpone_podium
from bot.store.results import postpone_season
from bot.ui.daily import not_posted_text, render_podium, render_shared_score
from bot.ui.leaderboard import podium_embed
from bot.ui.message import Rendered
from bot.workers.worker import ChannelPosts

PLACES_ON_PODIUM = 3
LATE = timedelta(days=7)
"""If a season has been over for longer than this, its podium is not posted. Its leaderboard can still be looked up."""


class SharedLines(ChannelPosts):
    name = "shared lines"
    rows = SHARED_LINES

    async def post(self, row: RowMapping) -> bool:
        daily_id, user_id = row["challenge_id"], row["user_id"]
        set_log_fields(game=daily_id, user=user_id)
        attempt = await self._load(row)
        if attempt is None or attempt.shared_at is None:
            return True
        daily = attempt.challenge
        kept = None
        if daily.is_closed(attempt.shared_at):
            kept = (await review_attempt(self._core, DAYS, daily_id, user_id))[1].compute_kept(0)
        pictures = (await get_server_settings(self._core, daily.guild_id)).pictures
        finished = make_ranking(await self._core.database.read(load_finishers, daily_id))
        place = next((line.place for line in finished if line.user_id == user_id), None)
        with speaking_in(daily.locale):
            rendered = render_shared_score(attempt, kept, place).adapt(pictures=pictures)
            key = f"d:{daily_id}:{user_id}:{attempt.shared_at.timestamp()}"
            _message, trouble = await self.send(attempt.channel_id, key, rendered)
        if trouble not in (None, Trouble.PASSING):
            await self.give_up(row)
        return trouble is not Trouble.PASSING

    async def give_up(self, row: RowMapping) -> None:
        """Allow the player to share the score again, and send them the reason why the bot could not post it."""
        if (attempt := await self._load(row)) is None:
            return
        await unshare_attempt(self._core, attempt)
        with speaking_in(attempt.challenge.locale):
            text = f"{not_posted_text()} {explain_forbidden(attempt.channel_id)}"
        await self.send_to_user(attempt.user_id, text, f"u{attempt.challenge.id}.{attempt.shared_at:%d%H%M%S}")

    async def _load(self, row: RowMapping) -> Attempt[Daily] | None:
        daily = await self._core.database.read(load_daily, row["challenge_id"])
        return None if daily is None else await self._core.database.read(load_attempt, daily, row["user_id"])


class DayPodiums(ChannelPosts):
    """Posts each podium in the channel that the server has chosen. If there is none, or the bot cannot post there, the
    channels in which people played that day are tried. After some days without a player (``QUIET_DAYS``), nothing is
    posted.
    """

    name = "podiums"
    rows = DAY_PODIUMS

    async def post(self, row: RowMapping) -> bool:
        daily_id: str = row["challenge_id"]
        set_log_fields(game=daily_id)
        daily = await self._core.database.read(load_daily, daily_id)
        if daily is None:
            return True
        settings = await get_server_settings(self._core, daily.guild_id)
        if settings.daily_channel is not None:
            at = moment_at(daily.day + ONE_DAY, settings.daily_at, settings.zone)
            if self._core.now() < at:
                await self._core.database.write(postpone_podium, daily_id, at)
                return True
        # The channels are tried in this order: the server's own one, then the most recently used.
        channels = await self._core.database.read(load_channels_played_in, daily_id)
        quiet_since = daily.day - timedelta(days=QUIET_DAYS)
        today = None
        if settings.daily_channel is not None and await self._core.database.read(
            is_played, daily.guild_id, quiet_since
        ):
            channels = list(dict.fromkeys([settings.daily_channel, *channels]))
            today = await open_today(self._core, daily.guild_id, daily.locale)
        finished, week = await load_boards(self._core, daily)
        troubles = set()
        with speaking_in(daily.locale):
            rendered = render_podium(daily, finished, week, today).adapt(pictures=settings.pictures)
            for channel_id in channels:
                _message, reason = await self.send(channel_id, f"d:{daily_id}", rendered, due=row["post_at"])
                if reason in (None, Trouble.PASSING):
                    return reason is None
                troubles.add(reason)
        # The bot may get a missing permission later. If all channels were deleted, or nobody has played, give up.
        return Trouble.FORBIDDEN not in troubles


class SeasonPosts(ChannelPosts):
    name = "season posts"
    rows = SEASON_PODIUMS
    patience = LATE

    async def post(self, row: RowMapping) -> bool:
        guild_id, season = row["guild_id"], row["season"]
        set_log_fields(guild=guild_id)
        settings = await get_server_settings(self._core, guild_id)
        ends_at = end_of_day(last_day(season), settings.zone)
        if self._core.now() < ends_at:  # The time zone was changed to one further west.
            await self._core.database.write(postpone_season, guild_id, season, ends_at)
            return True
        if settings.season_channel is None or self._core.now() > row["ends_at"] + LATE:
            return True
        board = await load_leaderboard(self._core, guild_id, season, Order.RATING, 0, 0)
        lines = [line for line in board.lines if line.place is not None and line.place <= PLACES_ON_PODIUM]
        if not lines:
            return True
        with speaking_in(settings.language or row["locale"]):
            rendered = Rendered([podium_embed(season, lines)])
        _message, reason = await self.send(
            settings.season_channel, f"s:{guild_id}:{season}", rendered, due=row["post_at"]
        )
        # The bot may get a missing permission later, and Discord may recover. A deleted channel does not return.
        return reason not in (Trouble.FORBIDDEN, Trouble.PASSING)
