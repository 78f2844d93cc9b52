"""The moments of the tables: deadlines, reminders, the house's moves, lobbies and pauses that have lasted too long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from bot.domain.deadlines import waited_for
from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.observing.context import also, work_on
from bot.services.absence import gone
from bot.services.core import Core
from bot.services.deadlines import act, expires, pause
from bot.store.leases import claim_due, next_due, release_due
from bot.store.table import due_tables, load_table, next_wake, put_off

log = logging.getLogger(__name__)

AT_ONCE = 100
"""Tables worked off before the clock looks again."""
TOGETHER = 8
"""Of these at the same time: most of the time goes by waiting for Discord to say who is still a member."""


class TableMoments:
    """What the clock calls for the tables."""

    def __init__(
        self,
        core: Core,
        *,
        show: Callable[[str], None],
        may_post: Callable[[int], bool],
        is_member: Callable[[int, int], Awaitable[bool]],
        warn: Callable[[Table], Awaitable[None]],
        remind: Callable[[], None],
    ) -> None:
        self._core = core
        self._show = show
        self._may_post = may_post
        self._is_member = is_member
        self._warn = warn
        self._remind = remind
        self._up_since = core.now()

    async def next_moment(self) -> datetime | None:
        """The earliest moment at which anything is due at any table."""
        core = self._core
        async with core.database.read() as connection:
            if core.database.shared:
                return await next_due(connection, core.now(), core.share)
            return await next_wake(connection)

    async def run_due(self, now: datetime) -> None:
        """Act at the tables that are due. One that fails is put off and does not hold up the others."""
        table_ids = await self._due(now)
        together = asyncio.Semaphore(TOGETHER)
        await asyncio.gather(*(self._run_due_safely(table_id, now, together) for table_id in table_ids))

    async def _due(self, now: datetime) -> list[str]:
        core = self._core
        if core.database.shared:
            return await core.database.write(lambda connection: claim_due(connection, now, AT_ONCE, core.share))
        async with core.database.read() as connection:
            return await due_tables(connection, now, AT_ONCE)

    async def _run_due_safely(self, table_id: str, now: datetime, together: asyncio.Semaphore) -> None:
        work_on(game=table_id)
        async with together:
            try:
                await self._run_due(table_id, now)
            except Refused as refusal:
                # Its words may name somebody.
                log.info("nothing was due any more at table %s: %s", table_id, type(refusal).__name__)
            except Exception:
                log.exception("what is due at table %s failed; it is put off", table_id)
                await self._core.database.write(partial(put_off, table_id=table_id, now=now))

    async def _run_due(self, table_id: str, now: datetime) -> None:
        async with self._core.database.read() as connection:
            table = await load_table(connection, table_id)
        if table is None:
            return
        also(guild=table.guild_id, channel=table.channel_id)
        paused = table.timing.paused_at is not None
        if not paused and table.status.open and not self._may_post(table.channel_id):
            # Nobody loses a turn at a table that the bot could not show any more.
            await pause(self._core, table_id)
            return
        if expires(table, now):
            await self._release_departed_members(table)
        # In another process's servers nobody could click: that it is dead is why this one is here.
        ours = self._core.share.holds(table.guild_id)
        after = await act(self._core, table, self._up_since if ours else now)
        if after == table and self._core.database.shared:
            await self._core.database.write(partial(release_due, table_id=table_id))
        if after.timing.warned and not table.timing.warned:
            await self._warn(after)
        if paused or after.version != table.version or _other_deadline(table, after):
            self._show(table_id)
        if after.timing.remind_at != table.timing.remind_at:
            self._remind()

    async def _release_departed_members(self, table: Table) -> None:
        """Whoever is about to be played for may have left the server: then their seat is the house's from now on."""
        for seat in waited_for(table):
            user_id = table.seats[seat].user_id
            if user_id is not None and not await self._is_member(table.guild_id, user_id):
                with suppress(Refused):  # Somebody was faster: the seat is the house's, or the game is over.
                    await gone(self._core, table.id, user_id)


def _other_deadline(before: Table, after: Table) -> bool:
    """Whether the time that people see on the table is no longer true."""
    return (before.timing.deadline, before.timing.hold_deadline) != (after.timing.deadline, after.timing.hold_deadline)
