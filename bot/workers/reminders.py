"""Reminding people of their turn: once, in the way each of them prefers, and not when they are there anyway."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

import discord

from bot.discord_api.errors import DISCORD_ERRORS, Trouble, trouble
from bot.discord_api.messages import mentions
from bot.domain.deadlines import waited_for
from bot.domain.notify import Notify
from bot.domain.quiet_hours import add_awake
from bot.domain.table import Table
from bot.observing.context import also, work_on
from bot.observing.metrics import Where
from bot.services.core import Core, server_settings
from bot.store.leases import claim_reminders, release_reminders
from bot.store.reminders import forget, mark_sent, unsent
from bot.store.settings import load_notify
from bot.store.table import load_table
from bot.ui.reminders import reminder_text

log = logging.getLogger(__name__)

PRESENT = timedelta(minutes=5)
"""Somebody who has clicked anything at the table so recently is there, and is not reminded."""
REMEMBERED = 10_000
"""Clicks that are remembered, the latest of each person at each table."""
RETRY_SECONDS = 60.0
DRAIN_SECONDS = 4.0
"""How long ``close`` waits for a reminder in flight."""


class Messenger(Protocol):
    """What is needed of the client."""

    def get_partial_messageable(self, channel_id: int) -> discord.PartialMessageable:
        """A channel by its id."""

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        """Whether a person is still in a server."""

    async def send_directly(self, user_id: int, text: str, nonce: str | None = None) -> None:
        """A direct message; raises discord.Forbidden when the person takes none."""


class Reminding:
    """Sends the reminders that are owed."""

    def __init__(self, core: Core, client: Messenger) -> None:
        self._core = core
        self._client = client
        self._clicks: OrderedDict[tuple[str, int], datetime] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._again = False
        self._stopping = False
        self._unsent: set[int] = set()
        """Whose reminders Discord did not take, since the start."""

    def clicked(self, table_id: str, user_id: int) -> None:
        """Note that somebody is there."""
        self._clicks[table_id, user_id] = self._core.now()
        self._clicks.move_to_end((table_id, user_id))
        while len(self._clicks) > REMEMBERED:
            self._clicks.popitem(last=False)

    def poke(self) -> None:
        """Send what is owed, soon."""
        self._again = True
        if self._task is None and not self._stopping:
            self._task = asyncio.create_task(self._run(), name="reminders")

    async def close(self) -> None:
        """Let a reminder in flight finish; the rest stays owed in the database."""
        self._stopping = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            _done, late = await asyncio.wait({self._task}, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self._unsent and self._core.database.shared:
            # The others need not wait for our leases to run out.
            await self._core.database.write(lambda connection: release_reminders(connection, sorted(self._unsent)))

    def _poke_later(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.poke)

    async def _run(self) -> None:
        work_on()
        try:
            while self._again and not self._stopping:
                self._again = False
                for table_id, user_ids in (await self._owed()).items():
                    await self._remind_safely(table_id, user_ids)
        except Exception:
            log.exception("reminders could not be looked up")
        finally:
            self._task = None

    async def _owed(self) -> dict[str, list[int]]:
        core = self._core
        if core.database.shared:
            now = core.now()
            return await core.database.write(lambda connection: claim_reminders(connection, now, core.share))
        async with core.database.read() as connection:
            return await unsent(connection)

    async def _remind_safely(self, table_id: str, user_ids: list[int]) -> None:
        work_on(game=table_id)
        try:
            await self._remind(table_id, user_ids)
        except DISCORD_ERRORS as error:
            self._core.metrics.failed(Where.REMINDER, error)
            if trouble(error) is Trouble.PASSING:
                self._unsent.update(user_ids)
                if not self._stopping:
                    self._poke_later(RETRY_SECONDS)
            else:
                await self._sent(table_id, user_ids)
            log.warning("reminder at table %s was not sent: %s", table_id, error)

    async def _remind(self, table_id: str, user_ids: list[int]) -> None:
        async with self._core.database.read() as connection:
            table = await load_table(connection, table_id)
            wishes = {user_id: await load_notify(connection, user_id) for user_id in user_ids}
        if table is None:
            return
        also(guild=table.guild_id, channel=table.channel_id)
        now = self._core.now()
        quiet = (await server_settings(self._core, table.guild_id)).clock_rules.quiet
        if quiet is not None and quiet.holds(now):
            self._poke_later((add_awake(now, 0, quiet) - now).total_seconds())
            return
        late = {table.seats[seat].user_id for seat in waited_for(table)}
        to_call: list[int] = []
        for user_id in user_ids:
            wish = Notify(wishes[user_id] or Notify.CHANNEL.value)
            if user_id not in late or self._is_there(table_id, user_id) or wish is Notify.NONE:
                # Nothing is pending for them then: another table may remind them.
                await self._core.database.write(partial(forget, table_id=table_id, user_id=user_id))
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

    async def _sent(self, table_id: str, user_ids: list[int]) -> None:
        now = self._core.now()
        await self._core.database.write(lambda connection: mark_sent(connection, table_id, user_ids, now))


def _nonce(table: Table, user_id: int | None = None) -> str:
    """Makes Discord answer a repeated send with the message it has already made.

    Another one for each direct message: Discord documents a nonce as its author's, not as a channel's, so the second
    person's message could be taken for a repetition of the first one's. It takes 25 characters.
    """
    whose = "" if user_id is None else f".{table.seat_of(user_id)}"
    return f"r{table.id}.{abs(table.span)}{whose}"
