"""Drawing the standings and shared reports anew, without the name of somebody who had their data deleted.

A message that Discord does not let the bot edit any more is deleted instead; one that is gone is forgotten.
"""

import logging
from collections.abc import Callable, Hashable
from datetime import datetime

import discord
from sqlalchemy import Connection

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import edit
from bot.domain.sharing import Shared
from bot.locales import speaking
from bot.observing.context import work_on
from bot.observing.metrics import Where
from bot.services.coaching import report
from bot.services.core import Core, load
from bot.store.claims import next_post
from bot.store.models import name_pictures
from bot.store.sharing import OwedPicture, claim, drawn_anew, gone
from bot.ui.coaching import report_page
from bot.ui.message import Rendered
from bot.ui.table import render, shared_standings
from bot.workers.clock import Clock
from bot.workers.old_messages import Channels
from bot.workers.worker import Worker

log = logging.getLogger(__name__)

MOST_TRIES = 100
"""About four days, in which a permission may be given back."""


class NamePictures(Worker[OwedPicture]):
    """Draws pictures anew."""

    name = "name pictures"
    slots = 2
    """They are in no hurry, and Discord counts edits of old messages."""

    def __init__(self, core: Core, clock: Clock, channels: Channels) -> None:
        super().__init__(core, clock)
        self._channels = channels

    def key(self, item: OwedPicture) -> Hashable:
        """One message, whichever try it is."""
        return item.message_id

    def next_moment(self, connection: Connection, now: datetime) -> datetime | None:
        """When somebody's data was deleted, or the next try."""
        return next_post(connection, name_pictures)

    def claim(self, connection: Connection, now: datetime, limit: int) -> list[OwedPicture]:
        """Claim the pictures that are due."""
        return claim(connection, now, limit)

    def put_off(self, connection: Connection, item: OwedPicture, until: datetime, begun: datetime) -> None:
        """Its claim has put it off."""

    async def handle(self, item: OwedPicture) -> None:
        """Draw a picture anew, or delete its message."""
        work_on(game=item.game_id, channel=item.channel_id)
        try:
            done = await self._draw(item)
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.POST, error)
            log.warning("message %s with a deleted name could not be changed: %s", item.message_id, error)
            if trouble(error) in (Trouble.FORBIDDEN, Trouble.PASSING, Trouble.ARCHIVED) and item.tries < MOST_TRIES:
                return
            done = gone
        await self._core.database.write(done, item.message_id)

    async def _draw(self, item: OwedPicture) -> Callable[[Connection, int], None]:
        """Returns how it is noted."""
        channel = self._channels.get_partial_messageable(item.channel_id)
        rendered = await self._rendered(item)
        try:
            await edit(channel, item.message_id, rendered)
        except discord.HTTPException as error:
            if trouble(error) is Trouble.TOO_OLD:
                await channel.get_partial_message(item.message_id).delete()
                return gone
            if trouble(error) is not Trouble.ARCHIVED:
                raise
            await self._channels.reopen(item.channel_id)
            await edit(channel, item.message_id, rendered)
        return drawn_anew

    async def _rendered(self, item: OwedPicture) -> Rendered:
        if item.what is Shared.REPORT:
            table, made = await report(self._core, item.game_id)
            with speaking(table.locale):
                return report_page(table, made)
        table = await load(self._core, item.game_id)
        return render(table) if table.message_id == item.message_id else shared_standings(table)
