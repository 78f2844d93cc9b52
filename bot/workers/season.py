"""Posting the podium of a season, once, where the server wants it."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import discord

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import mentions
from bot.domain.leaderboard import Leaderboard, Order
from bot.locales import speaking
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.core import Core, server_settings
from bot.services.leaderboard import leaderboard
from bot.store.season import OwedSeasonPost, posted, still_owed
from bot.ui.leaderboard import podium_embed
from bot.workers.posts import Posting

log = logging.getLogger(__name__)

MEDALLED = 3
LATE = timedelta(days=7)
"""So long after its end a season is no news any more; its leaderboard can still be looked up."""


class SeasonPosts:
    """Posts the podiums that are owed."""

    def __init__(self, core: Core, messageable: Callable[[int], discord.PartialMessageable]) -> None:
        self._core = core
        self._messageable = messageable
        self._posting = Posting[tuple[int, str]]()

    def post(self, owed: OwedSeasonPost) -> None:
        """Post a podium soon. One that is on its way already is not posted twice."""
        self._posting.begin((owed.guild_id, owed.season), partial(self._post_safely, owed))

    async def close(self) -> None:
        """Let messages in flight finish; the rest stays owed in the database."""
        await self._posting.close()

    async def _post_safely(self, owed: OwedSeasonPost) -> None:
        work_on(guild=owed.guild_id)
        try:
            if await self._post(owed):
                await self._core.database.write(lambda connection: posted(connection, owed))
        except Exception:
            log.exception("the podium of season %s in guild %s is tried again", owed.season, owed.guild_id)

    async def _post(self, owed: OwedSeasonPost) -> bool:
        """Returns whether it is to be noted that there is nothing more to do about it."""
        async with self._core.database.read() as connection:
            if not await still_owed(connection, owed):
                return False
        settings = await server_settings(self._core, owed.guild_id)
        if settings.season_channel is None or self._core.now() > owed.ends_at + LATE:
            return True
        board = await self._ranking(owed)
        lines = [line for line in board.lines if line.place is not None and line.place <= MEDALLED]
        if not lines:
            return True
        with speaking(settings.language or owed.locale):
            embed = podium_embed(owed.season, board.order, lines)
        try:
            # By no sound either: a season ends at midnight.
            await self._messageable(settings.season_channel).send(
                embed=embed, nonce=_nonce(owed), silent=True, allowed_mentions=mentions()
            )
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.POST, error)
            reason = trouble(error)
            log.warning("the podium of season %s in guild %s was not posted: %s", owed.season, owed.guild_id, error)
            # A permission may be given back and Discord may recover; a channel that is gone does not come back.
            return reason not in (Trouble.FORBIDDEN, Trouble.PASSING)
        return True

    async def _ranking(self, owed: OwedSeasonPost) -> Leaderboard:
        """By rating; where nobody was rated, because everybody played alone, by points."""
        by_rating = await leaderboard(self._core, owed.guild_id, owed.season, Order.RATING, 0, 0)
        if by_rating.lines:
            return by_rating
        return await leaderboard(self._core, owed.guild_id, owed.season, Order.CHIPS, 0, 0)


def _nonce(owed: OwedSeasonPost) -> str:
    """The same for every try; Discord takes 25 characters."""
    return "s" + hashlib.sha256(f"{owed.guild_id}:{owed.season}".encode()).hexdigest()[:24]
