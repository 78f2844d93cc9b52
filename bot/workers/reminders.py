"""Reminding people of their turn: once, in the way each of them prefers, and not when they are there anyway."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import discord
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import mentions
from bot.domain.deadlines import waited_for
from bot.domain.notify import Notify
from bot.domain.quiet_hours import add_awake
from bot.domain.recent import Recent
from bot.domain.table import Table
from bot.observing.context import also, work_on
from bot.observing.metrics import Where
from bot.services.core import Core, server_settings
from bot.store.claims import OWED_REMINDERS, claim_reminders
from bot.store.reminders import forget, mark_sent
from bot.store.settings import load_notify
from bot.store.table import load_table
from bot.ui.reminders import reminder_text
from bot.workers.clock import Clock
from bot.workers.worker import PutOff, Worker

log = logging.getLogger(__name__)

PRESENT = timedelta(minutes=5)
"""Somebody who has clicked anything at the table so recently is there, and is not reminded."""
REMEMBERED = 10_000
"""Clicks that are remembered, the latest of each person at each table."""
RETRY_SECONDS = 60.0
SEND_SECONDS = 30.0
"""How long Discord may take for the reminders of a table; shorter than their lease."""


class Messenger(Protocol):
    """What is needed of the client."""

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        """A channel by its id."""

    async def send_directly(self, user_id: int, text: str, nonce: str | None = None) -> None:
        """A direct message; raises discord.Forbidden when the person takes none."""


@dataclass(frozen=True, slots=True)
class DueReminder:
    """Who is to be reminded at a table."""

    table_id: str
    user_ids: tuple[int, ...]


class Reminding(Worker[DueReminder]):
    """Sends the reminders that are owed."""

    name = "reminders"
    rows = OWED_REMINDERS
    slots = 32

    def __init__(self, core: Core, clock: Clock, client: Messenger) -> None:
        super().__init__(core, clock)
        self._client = client
        self._clicks: Recent[tuple[str, int], datetime] = Recent(REMEMBERED)

    def clicked(self, table_id: str, user_id: int) -> None:
        """Note that somebody is there."""
        self._clicks[table_id, user_id] = self._core.now()

    def key(self, item: DueReminder) -> str:
        """The table: its people are reminded in one message."""
        return item.table_id

    async def claim(self, connection: AsyncConnection, now: datetime, limit: int) -> list[DueReminder]:
        """Claim the reminders of some tables."""
        claimed = await claim_reminders(connection, now, limit, self._core.share)
        return [DueReminder(table_id, tuple(users)) for table_id, users in claimed.items()]

    async def handle(self, item: DueReminder) -> None:
        """Remind people, as far as they are still waited for."""
        work_on(game=item.table_id)
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._remind(item.table_id, item.user_ids)
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.REMINDER, error)
            log.warning("reminder at table %s was not sent: %s", item.table_id, error)
            if trouble(error) is Trouble.PASSING:
                raise PutOff(RETRY_SECONDS) from error
            await self._sent(item.table_id, item.user_ids)

    async def _remind(self, table_id: str, user_ids: Sequence[int]) -> None:
        async with self._core.database.read() as connection:
            table = await load_table(connection, table_id)
            wishes = {user_id: await load_notify(connection, user_id) for user_id in user_ids}
        if table is None:
            return
        also(guild=table.guild_id, channel=table.channel_id)
        now = self._core.now()
        quiet = (await server_settings(self._core, table.guild_id)).clock_rules.quiet
        if quiet is not None and quiet.holds(now):
            raise PutOff((add_awake(now, 0, quiet) - now).total_seconds())
        late = {table.seats[seat].user_id for seat in waited_for(table)}
        to_call: list[int] = []
        for user_id in user_ids:
            wish = Notify(wishes[user_id] or Notify.CHANNEL.value)
            if user_id not in late or self._is_there(table_id, user_id) or wish is Notify.NONE:
                # Nothing is pending for them then: another table may remind them.
                await self._core.database.write(forget, table_id, user_id)
            elif wish is Notify.CHANNEL or not await self._directly(table, user_id):
                to_call.append(user_id)
            else:
                # Noted at once, so that trouble with the others does not repeat it.
                await self._sent(table_id, [user_id])
        if to_call:
            await self._in_channel(table, to_call)
            await self._sent(table_id, to_call)

    def _is_there(self, table_id: str, user_id: int) -> bool:
        clicked = self._clicks.get((table_id, user_id))
        return clicked is not None and self._core.now() - clicked < PRESENT

    async def _directly(self, table: Table, user_id: int) -> bool:
        try:
            await self._client.send_directly(user_id, reminder_text(table, ()), _nonce(table, user_id))
        except discord.Forbidden:
            return False
        return True

    async def _in_channel(self, table: Table, user_ids: Sequence[int]) -> None:
        await self._client.get_partial_messageable(table.channel_id).send(
            reminder_text(table, user_ids),
            nonce=_nonce(table),
            allowed_mentions=mentions(*user_ids),
        )

    async def _sent(self, table_id: str, user_ids: Sequence[int]) -> None:
        await self._core.database.write(mark_sent, table_id, user_ids, self._core.now())


def _nonce(table: Table, user_id: int | None = None) -> str:
    """Makes Discord answer a repeated send with the message it has already made.

    Another one for each direct message: Discord documents a nonce as its author's, not as a channel's, so the second
    person's message could be taken for a repetition of the first one's. It takes 25 characters.
    """
    whose = "" if user_id is None else f".{table.seat_of(user_id)}"
    return f"r{table.id}.{abs(table.span)}{whose}"
