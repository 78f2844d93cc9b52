"""Turns: of one table one step is under way at a time, while other tables go on."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.domain.table import Table


@dataclass(slots=True)
class _Lane:
    """Those who wait for a turn at one table while somebody has it."""

    offers: dict[int, asyncio.Future[bool]] = field(default_factory=dict)
    """By the message that an answer can edit; an answer that sends one has a negative number of its own."""
    upkeep: deque[asyncio.Future[bool]] = field(default_factory=deque)
    newest: Table | None = None
    """The table as it was committed here last since the lane is there."""

    def queue(self, offer: int | None) -> asyncio.Future[bool]:
        """Return what is done when this one's turn has come; with False, when a newer offer has taken its place."""
        mine: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if offer is None:
            self.upkeep.append(mine)
        else:
            if (earlier := self.offers.pop(offer, None)) is not None and not earlier.done():
                earlier.set_result(False)
            self.offers[offer] = mine
        return mine

    def next(self) -> asyncio.Future[bool] | None:
        """Return who is next, offers first."""
        while self.offers or self.upkeep:
            waiting = self.offers.pop(next(iter(self.offers))) if self.offers else self.upkeep.popleft()
            if not waiting.done():
                return waiting
        return None


async def wait_for(turn: asyncio.Future[bool]) -> bool:
    """Wait for a turn. A function of its own, so that a simulation can tell what is being waited for."""
    return await turn


class Lanes:
    """A lane a table, which is there only while somebody has a turn in it."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}

    def committed(self, table: Table) -> None:
        """Note a table that was committed: whose turn comes shows it, and nothing older."""
        if (lane := self._lanes.get(table.id)) is not None and (lane.newest or table).picture <= table.picture:
            lane.newest = table

    def is_free(self, table_id: str) -> bool:
        """Return whether nobody has a turn at a table."""
        return table_id not in self._lanes

    @asynccontextmanager
    async def turn(self, table_id: str, offer: int | None = None, table: Table | None = None) -> AsyncIterator[bool]:
        """Wait for a turn at a table, and have it inside.

        ``offer`` is the message that an answer can edit, ``table`` what it is to show at least. Gives False, and no
        turn, where a newer offer for the same message has come meanwhile.
        """
        if table is not None:
            self.committed(table)
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
        """Return the newest picture of a table that is known in its lane."""
        lane = self._lanes.get(table.id)
        known = None if lane is None else lane.newest
        return table if known is None or known.picture < table.picture else known
