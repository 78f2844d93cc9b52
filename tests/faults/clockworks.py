"""One of several processes that do nothing but work off deadlines on one PostgreSQL, to be killed.

They share a clock, which stands still while anything is due and jumps to whatever is due next, so that days pass in
seconds. Each ends by itself when nothing is due any more, neither its own nor the others'.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from bot.clock.others import LOOK_AGAIN
from bot.clock.tables import TableMoments
from bot.services.core import Core
from bot.sharding import Share
from bot.store.database import Database, parse_url
from bot.store.models import games
from bot.table import Table
from highscore.deck import STANDARD_DECK
from tests.faults.clockwork import TIMES, ignore

if TYPE_CHECKING:
    Clock = Synchronized[float]
else:
    Clock = Synchronized


class SharedTime:
    """The clock of all processes: seconds since the epoch."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(self._clock.value, UTC)

    def pass_until(self, moment: datetime) -> None:
        with self._clock.get_lock():
            if self() < moment:
                self._clock.value = moment.timestamp()


def core_on(url: str, time: SharedTime, share: Share) -> Core:
    """What the use cases need."""
    return Core(Database(parse_url(url)), time, STANDARD_DECK, 1, TIMES, share=share)


async def run(url: str, share: Share, clock: Clock, ready: Connection) -> None:
    """Work until nothing is due any more."""
    time = SharedTime(clock)
    core = core_on(url, time, share)

    async def member(_guild_id: int, _user_id: int) -> bool:
        return True

    async def warned(_table: Table) -> None:
        raise AssertionError("nothing is paused here")

    moments = TableMoments(
        core, show=ignore, may_post=lambda _channel: True, is_member=member, warn=warned, remind=ignore
    )
    ready.send("ready")
    while await _left(core):
        due = await moments.next_moment()
        # Without anything of its own a process looks again after some seconds: others may have died.
        soon = time() + timedelta(seconds=LOOK_AGAIN)
        time.pass_until(soon if due is None else min(due, soon))
        await moments.work_off(time())
    await core.database.close()


async def _left(core: Core) -> bool:
    async with core.database.read() as connection:
        number = await connection.scalar(select(func.count()).select_from(games).where(games.c.wake_at.is_not(None)))
    return bool(number)


def work(url: str, share: Share, clock: Clock, ready: Connection) -> None:
    """What a process does."""
    asyncio.run(run(url, share, clock, ready))
