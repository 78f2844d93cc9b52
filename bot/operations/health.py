"""The health of the bot's parts: the gateway connection, the database and the clock; and how much work is waiting."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, and_, func, select, text

from bot.discord_api.gateway import Gateway
from bot.observing.logs import safe_message
from bot.store.claims import SHOW
from bot.store.database import Database
from bot.store.models import (
    IS_OWED,
    REVIEW_OWED,
    attempts,
    cup_posts,
    dailies,
    finished_games,
    games,
    reminders,
    seasons,
    shared_messages,
)
from highscore.turn_order import TurnOrder

Answer = TypeVar("Answer")

OK = "ok"
DATABASE_SECONDS = 1.0
"""The seconds after which a database without an answer is unhealthy; presses wait for it too."""
FRESH_SECONDS = 1.0
"""The seconds for which an answer of the database is reused."""
GATEWAY_SECONDS = 60.0
"""The seconds a shard may be disconnected: Discord makes clients reconnect now and then, which takes some of them."""
CLOCK_SECONDS = 300.0
"""The seconds the clock may be late, or may work at the same things."""


class Cached(Generic[Answer]):
    """A query that runs once at a time, for all callers, and whose answer is reused for some seconds."""

    def __init__(self, query: Callable[[], Awaitable[Answer]], seconds: float) -> None:
        self._query = query
        self._seconds = seconds
        self._task: asyncio.Task[Answer] | None = None
        self._ended = 0.0

    async def ask(self) -> Answer:
        """Return the answer. Raise TimeoutError after DATABASE_SECONDS, and what the query raises."""
        task = self._task
        if task is None or (task.done() and time.monotonic() - self._ended >= self._seconds):
            task = self._task = asyncio.ensure_future(self._timed())
        done, _waiting = await asyncio.wait({task}, timeout=DATABASE_SECONDS)
        if not done:
            raise TimeoutError(f"no answer within {DATABASE_SECONDS:g} s")
        return task.result()

    async def _timed(self) -> Answer:
        try:
            return await self._query()
        finally:
            self._ended = time.monotonic()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=DATABASE_SECONDS)


class Health:
    """The checks of the bot's parts. ``late`` gives the seconds by which the clock is late."""

    def __init__(
        self, database: Database, late: Callable[[], float], gateway: Gateway, ready: Callable[[], bool]
    ) -> None:
        self._late = late
        self._gateway = gateway
        self._ready = ready
        self._answer = Cached(partial(database.read, Connection.scalar, text("SELECT 1")), FRESH_SECONDS)

    async def check_parts(self, patience: float = GATEWAY_SECONDS) -> dict[str, str]:
        """Check each part: ``ok`` or its problem. A shard may be disconnected for ``patience`` seconds."""
        return {
            "gateway": self._check_gateway(patience),
            "database": await self._check_database(),
            "clock": OK if (late := self._late()) < CLOCK_SECONDS else f"{late:.0f} s late",
        }

    async def close(self) -> None:
        await self._answer.close()

    def _check_gateway(self, patience: float) -> str:
        if not self._ready():
            return "not connected to Discord yet"
        down = [
            (shard, seconds) for shard, seconds in sorted(self._gateway.look_for_lost().items()) if seconds >= patience
        ]
        return ", ".join(f"shard {shard} has been cut off for {seconds:.0f} s" for shard, seconds in down) or OK

    async def _check_database(self) -> str:
        try:
            await self._answer.ask()
        except Exception as error:
            return safe_message(error)
        return OK


GAUGES = {
    "owed_tables": "Tables of which the newest picture has not been shown",
    "owed_reminders": "Calls and reminders that are due and have not been sent",
    "owed_posts": "Lines and podiums that have not been posted",
    "owed_reviews": "Finished games of which luck and skill have not been worked out",
    "overdue_tables": "Tables at which a deadline or anything else is due",
    "oldest_overdue_seconds": "For how long the oldest of them has been due",
}
"""The metrics of the backlog, and what they mean."""


def load_backlog(connection: Connection, now: datetime) -> dict[str, float]:
    """Load the value of each metric, all as of one moment."""
    overdue = games.c.wake_at <= now
    owing = attempts, dailies, seasons, shared_messages, cup_posts
    lines, days, ended, shared, cups = (_count(table, table.c.post_at <= now) for table in owing)
    counts = select(
        _count(games, and_(IS_OWED, ~_is_shown_later(now))).label("owed_tables"),
        _count(reminders, and_(reminders.c.sent_at.is_(None), reminders.c.due_at <= now)).label("owed_reminders"),
        (lines + days + ended + shared + cups).label("owed_posts"),
        _count(finished_games, REVIEW_OWED).label("owed_reviews"),
        _count(games, overdue).label("overdue_tables"),
        select(func.min(games.c.wake_at)).where(overdue).scalar_subquery().label("oldest"),
    )
    values = dict(connection.execute(counts).one()._mapping)
    oldest: datetime | None = values.pop("oldest")
    return {**values, "oldest_overdue_seconds": 0.0 if oldest is None else (now - oldest).total_seconds()}


def _count(table: Table, condition: ColumnElement[bool]) -> ColumnElement[int]:
    return select(func.count()).select_from(table).where(condition).scalar_subquery()


def _is_shown_later(now: datetime) -> ColumnElement[bool]:
    """Match tables in own pace that are shown some minutes later and so are not late yet."""
    return and_(games.c.turn_order == TurnOrder.OWN_PACE.value, func.coalesce(games.c.show_until, now) > now + SHOW)
