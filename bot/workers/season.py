"""Posting the podium of a season, once, where the server wants it."""

import logging
from collections.abc import Callable, Hashable
from datetime import datetime, timedelta

import discord
from sqlalchemy import Connection

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import post
from bot.domain.leaderboard import Order
from bot.locales import speaking
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.core import Core, server_settings
from bot.services.leaderboard import leaderboard
from bot.store.claims import next_post
from bot.store.models import seasons
from bot.store.season import OwedSeasonPost, claim, posted, still_owed
from bot.ui.leaderboard import podium_embed
from bot.workers.clock import Clock
from bot.workers.worker import Worker

log = logging.getLogger(__name__)

MEDALLED = 3
LATE = timedelta(days=7)
"""So long after its end a season is no news any more; its leaderboard can still be looked up."""


class SeasonPosts(Worker[OwedSeasonPost]):
    """Posts the podiums that are owed."""

    name = "season posts"

    def __init__(self, core: Core, clock: Clock, messageable: Callable[[int], discord.PartialMessageable]) -> None:
        super().__init__(core, clock)
        self._messageable = messageable

    def key(self, item: OwedSeasonPost) -> Hashable:
        """One podium, whichever try it is."""
        return item.guild_id, item.season

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """The end of a season."""
        return next_post(connection, seasons)

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[OwedSeasonPost]:
        """Claim the podiums that are due."""
        return claim(connection, now, limit)

    def put_off(self, connection: Connection, item: OwedSeasonPost, until: datetime, begun: datetime) -> None:
        """Its claim has put it off."""

    async def handle(self, item: OwedSeasonPost) -> None:
        """Post a podium, unless that is over and done with."""
        work_on(guild=item.guild_id)
        if not await self._core.database.read(still_owed, item):
            return
        if await self._post(item):
            await self._core.database.write(posted, item)

    async def _post(self, owed: OwedSeasonPost) -> bool:
        """Returns whether there is nothing more to do about it."""
        settings = await server_settings(self._core, owed.guild_id)
        if settings.season_channel is None or self._core.now() > owed.ends_at + LATE:
            return True
        board = await leaderboard(self._core, owed.guild_id, owed.season, Order.RATING, 0, 0)
        lines = [line for line in board.lines if line.place is not None and line.place <= MEDALLED]
        if not lines:
            return True
        with speaking(settings.language or owed.locale):
            embed = podium_embed(owed.season, lines)
        try:
            channel = self._messageable(settings.season_channel)
            await post(channel, f"s:{owed.guild_id}:{owed.season}", embed=embed)
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.POST, error)
            log.warning("the podium of season %s in guild %s was not posted: %s", owed.season, owed.guild_id, error)
            # A permission may be given back and Discord may recover; a channel that is gone does not come back.
            return trouble(error) not in (Trouble.FORBIDDEN, Trouble.PASSING)
        return True
