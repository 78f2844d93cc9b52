"""Acts on what is due at tables: deadlines, reminders, the house's turns, and the end of old lobbies and of pauses."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from bot.discord_api.errors import DISCORD_ERRORS, is_passing
from bot.domain.deadlines import seats_waited_for
from bot.domain.errors import Refused
from bot.domain.shards import Share
from bot.domain.table import Table
from bot.observing.logs import add_log_fields, set_log_fields
from bot.services.away import remove_member
from bot.services.core import Core
from bot.services.deadlines import act_on_due, count_warnings_due, has_run_out, is_expiring, pause_table
from bot.services.facts import CallsAdded, TableChanged
from bot.store.claims import DUE_TABLES
from bot.store.table import load_table
from bot.ui.reminders import make_table_link, paused_text
from bot.workers.worker import Client, Clock, PutOff, Worker

log = logging.getLogger(__name__)

ASKING_SECONDS = 5.0
"""How long Discord may take to say which people are still members, or to accept a warning. If it takes longer, all of
them count as members.
"""
WARN_AGAIN_SECONDS = 60.0
UNREACHABLE_SECONDS = 5.0
"""The seconds until the next try to reach a server at which a time has run out."""


class Deadlines(Worker[str]):
    name = "deadlines"
    rows = DUE_TABLES
    slots = 64
    """Many, because handling a table may have to wait for Discord, and other tables should not wait for that."""

    def __init__(self, core: Core, clock: Clock, client: Client, show: Callable[[str], None]) -> None:
        super().__init__(core, clock)
        self._client = client
        self._show = show

    @property
    def share(self) -> Share:
        """The servers that can be reached. The tables of the others wait until their shard is connected."""
        return self._client.connected_share

    def notice(self, fact: TableChanged) -> None:
        self._clock.note_due(fact.after.timing.wake_at, self)

    async def handle(self, item: str) -> None:
        """Do one thing that is due at a table. If something else is due after it, the table is claimed again."""
        set_log_fields(game=item)
        begun = self._core.now()
        table = await self._core.database.read(load_table, item)
        if table is None:
            return
        add_log_fields(guild=table.guild_id, channel=table.channel_id)
        try:
            changed = await self._act(table)
        except Refused as refusal:
            # Without the refusal's text, which may contain a name.
            log.info("table %s has changed, so nothing was due any more: %s", item, type(refusal).__name__)
            changed = False
        if not changed:
            await self._core.database.write(self.put_off, item, self._core.now(), begun)

    async def _act(self, table: Table) -> bool:
        """Do what is due at a table. Return whether the table has changed, which ends the claim."""
        now = self._core.now()
        reachable_since = None
        if has_run_out(table, now):
            reachable_since = await self._client.find_reachable_since(table.guild_id)
            if reachable_since is None:
                raise PutOff(UNREACHABLE_SECONDS)
        if table.timing.paused_at is None and table.status.open and not self._client.may_post(table.channel_id):
            # Nobody should lose a turn at a table that the bot cannot show.
            await pause_table(self._core, table.id)
            return True
        if table.timing.cannot_post:
            self._show(table.id)
        if (warnings := count_warnings_due(table, now)) > table.timing.pause_warnings:
            await self._warn_host(table, warnings)
        if is_expiring(table, now):
            await self._release_departed_members(table)
        after = await act_on_due(self._core, table, reachable_since)
        if after.content_version != table.content_version and not after.differs_only_in_progress(table):
            self._show(table.id)
        if after.timing.remind_at != table.timing.remind_at:
            self._core.facts.publish(CallsAdded())
        return after != table

    async def _warn_host(self, table: Table, warnings: int) -> None:
        """Warn the host that the game is paused, or that it will be closed. Each warning has its own nonce."""
        paused_at = table.timing.paused_at
        nonce = f"w{table.id}.{warnings}.{0 if paused_at is None else int(paused_at.timestamp()):x}"
        try:
            async with asyncio.timeout(ASKING_SECONDS):
                await self._client.send_directly(table.host_id, paused_text(table), nonce, make_table_link(table))
        except DISCORD_ERRORS as error:
            log.info("the host of the paused table %s could not be warned by a direct message: %s", table.id, error)
            if is_passing(error):
                raise PutOff(WARN_AGAIN_SECONDS) from error

    async def _release_departed_members(self, table: Table) -> None:
        """Remove from the table those people for whose turns it waits and who have left the server."""
        people = [user_id for seat in seats_waited_for(table) if (user_id := table.seats[seat].user_id) is not None]
        try:
            async with asyncio.timeout(ASKING_SECONDS):
                departed = [user_id for user_id in people if not await self._client.is_member(table.guild_id, user_id)]
        except TimeoutError:
            log.info(
                "Discord did not say in time who is still a member of guild %s; everybody counts as one", table.guild_id
            )
            return
        for user_id in departed:
            with suppress(Refused):  # In the meantime, the seat was freed or the game has ended.
                await remove_member(self._core, table.id, user_id)
