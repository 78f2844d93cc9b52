"""One of several processes that do nothing but work off deadlines on one PostgreSQL, to be killed.

They share a clock, which stands still while anything is due and jumps to whatever is due next, so that days pass in
seconds. Each ends by itself when nothing is due any more, neither its own nor the others'.
"""

from __future__ import annotations

import asyncio
import struct
from datetime import UTC, datetime, timedelta
from fcntl import LOCK_EX, LOCK_UN, flock
from mmap import mmap
from multiprocessing.connection import Connection
from pathlib import Path

from sqlalchemy import func, select

from bot.domain.share import Share
from bot.domain.table import Table
from bot.services.core import Core
from bot.store.database import Database, parse_url
from bot.store.models import games
from bot.workers.deadlines import TableMoments
from highscore.deck import STANDARD_DECK
from tests.faults.clockwork import TIMES, ignore

LOOK = 30.0
"""Seconds after which a process looks again whether others have left something behind; the bot does sooner."""


class SharedTime:
    """The clock of all processes: seconds since the epoch, in a file that each of them has mapped.

    Held by the file's lock, which, unlike multiprocessing's, is let go of by a process that is killed.
    """

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("r+b")  # noqa: SIM115 - for the life of the process
        self._bytes = mmap(self._file.fileno(), 8)

    @staticmethod
    def starting(path: Path, at: datetime) -> SharedTime:
        path.write_bytes(struct.pack("d", at.timestamp()))
        return SharedTime(str(path))

    def close(self) -> None:
        self._bytes.close()
        self._file.close()

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(struct.unpack("d", self._bytes[:])[0], UTC)

    def pass_until(self, moment: datetime) -> None:
        flock(self._file, LOCK_EX)
        try:
            if self() < moment:
                self._bytes[:] = struct.pack("d", moment.timestamp())
        finally:
            flock(self._file, LOCK_UN)


def core_on(url: str, time: SharedTime, share: Share) -> Core:
    """What the use cases need."""
    return Core(Database(parse_url(url)), time, STANDARD_DECK, 1, TIMES, share=share)


async def run(url: str, share: Share, clock: str, ready: Connection) -> None:
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
        soon = time() + timedelta(seconds=LOOK)
        time.pass_until(soon if due is None else min(due, soon))
        await moments.run_due(time())
    await core.database.close()


async def _left(core: Core) -> bool:
    async with core.database.read() as connection:
        number = await connection.scalar(select(func.count()).select_from(games).where(games.c.wake_at.is_not(None)))
    return bool(number)


def work(url: str, share: Share, clock: str, ready: Connection) -> None:
    """What a process does."""
    asyncio.run(run(url, share, clock, ready))
