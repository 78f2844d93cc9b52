"""Lanes: the steps of one table are taken one at a time, while other tables go on."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.domain.table import Table


@dataclass(slots=True)
class _Lane:
    """The queue for turns at one table while somebody has one."""

    offers: dict[int, asyncio.Future[bool]] = field(default_factory=dict)
    """The waiting answers by the message that each can edit, or by a negative number if it sends one."""
    upkeep: deque[asyncio.Future[bool]] = field(default_factory=deque)
    newest: Table | None = None
    """The newest table committed here since the lane was made."""

    def queue(self, offer: int | None) -> asyncio.Future[bool]:
        """Return a future that is done when this turn has come, or with False when a newer offer takes its place."""
        mine: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if offer is None:
            self.upkeep.append(mine)
        else:
            if (earlier := self.offers.pop(offer, None)) is not None and not earlier.done():
                earlier.set_result(False)
            self.offers[offer] = mine
        return mine

    def next(self) -> asyncio.Future[bool] | None:
        """Return the next in the queue, offers first, or None."""
        while self.offers or self.upkeep:
            waiting = self.offers.pop(next(iter(self.offers))) if self.offers else self.upkeep.popleft()
            if not waiting.done():
                return waiting
        return None


async def wait_for(turn: asyncio.Future[bool]) -> bool:
    """Wait for a turn, in a function that a simulation can recognize."""
    return await turn


class Lanes:
    """A lane for each table at which somebody has a turn."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}

    def note_committed(self, table: Table) -> None:
        """Note a table that was committed: the next turn shows it, and nothing older."""
        if (lane := self._lanes.get(table.id)) is not None and (
            lane.newest or table
        ).content_version <= table.content_version:
            lane.newest = table

    def is_free(self, table_id: str) -> bool:
        return table_id not in self._lanes

    @asynccontextmanager
    async def turn(self, table_id: str, offer: int | None = None, table: Table | None = None) -> AsyncIterator[bool]:
        """Wait for a turn at a table, and have it inside.

        ``offer`` is the message that an answer can edit, ``table`` the least it is to show. Give False, and no turn, if
        a newer offer for the same message has come meanwhile.
        """
        if table is not None:
            self.note_committed(table)
        if not await self._enter(table_id, offer):
            yield False
            return
        try:
            yield True
        finally:
            self._leave(table_id)

    async def _enter(self, table_id: str, offer: int | None) -> bool:
        lane = self._lanes.get(table_id)
        if lane is None:
            self._lanes[table_id] = _Lane()
            return True
        mine = lane.queue(offer)
        try:
            return await wait_for(mine)
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled() and mine.result():
                self._leave(table_id)
            raise

    def _leave(self, table_id: str) -> None:
        following = self._lanes[table_id].next()
        if following is None:
            del self._lanes[table_id]
        else:
            following.set_result(True)

    def newest(self, table: Table) -> Table:
        """Return the newest table that is known in its lane."""
        lane = self._lanes.get(table.id)
        known = None if lane is None else lane.newest
        return table if known is None or known.content_version < table.content_version else known
