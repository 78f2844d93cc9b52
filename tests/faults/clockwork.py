"""A process that does nothing but work off deadlines, as the bot does, to be killed.

Its clock begins where the database's last entry is and jumps to whatever is due next, so that days pass in seconds. It
ends by itself when nothing is due any more.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection

from bot.domain.pace import Pace, PaceTimes
from bot.domain.table import Table
from bot.services.core import Core
from bot.store.database import Database, parse_url
from bot.workers.deadlines import TableMoments
from highscore.deck import STANDARD_DECK

TIMES = {pace: PaceTimes(600, 600, 300) for pace in Pace}
START = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Time:
    """A clock that is set."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


def core_on(file: str, time: Time) -> Core:
    """What the use cases need, on a database of one's own."""
    return Core(Database(parse_url(f"sqlite+aiosqlite:///{file}")), time, STANDARD_DECK, 1, TIMES)


def ignore(*_what: object) -> None:
    """Nobody looks at these tables."""


async def run(file: str, ready: Connection) -> None:
    """Work until nothing is due any more."""
    time = Time(START)
    core = core_on(file, time)
    async with core.database.read() as connection:
        found = (await connection.exec_driver_sql("select max(updated_at) from games")).scalar_one()
    time.at = datetime.fromisoformat(found).replace(tzinfo=UTC) + timedelta(seconds=1)

    async def member(_guild_id: int, _user_id: int) -> bool:
        return True

    async def warned(_table: Table) -> None:
        raise AssertionError("nothing is paused here")

    moments = TableMoments(
        core, show=ignore, may_post=lambda _channel: True, is_member=member, warn=warned, remind=ignore
    )
    ready.send("ready")
    while (due := await moments.next_moment()) is not None:
        time.at = max(time.at, due)
        await moments.run_due(time.at)
    await core.database.close()


def work(file: str, ready: Connection) -> None:
    """What the process does."""
    asyncio.run(run(file, ready))
