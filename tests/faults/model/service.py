"""The real service, as tests/faults/test_model.py drives it: the use cases on a real database, and a clock set by hand.

Hypothesis' state machines know no ``await``, so each has an event loop that runs while one thing is done.
"""

import asyncio
import logging
import random
import sqlite3
from collections.abc import Callable, Coroutine, Iterable
from contextlib import ExitStack, closing
from datetime import datetime
from functools import partial
from typing import Any, Self, TypeVar

import pytest
from sqlalchemy import Connection, select

from bot.config import Settings
from bot.domain.pace import Pace, PaceTimes
from bot.domain.table import Table
from bot.services import results
from bot.services.core import Core
from bot.store import documents
from bot.store.claims import Claimable
from bot.store.database import Database, parse_url
from bot.store.models import metadata
from bot.store.table import Shown, mark_shown
from bot.workers.clock import Clock
from bot.workers.deadlines import Deadlines
from bot.workers.purges import Purges
from highscore.deck import STANDARD_DECK
from tests.bot.databases import SQLITE, database_file, rows
from tests.faults.model.look import Ask
from tests.faults.model.world import World

Answer = TypeVar("Answer")

PACES = {
    Pace.LIVE: PaceTimes(180, 600, 180, 7200),
    Pace.DAY: PaceTimes(2400, 7200, 900, 86400),
    Pace.RELAXED: PaceTimes(86400, 86400, 900, 604800),
}
LIMIT = 2
"""Open tables a channel may have."""
HOSTED = 2
"""Open tables that somebody may host on a server."""
MOST_ROUNDS = 25
"""Looks of the clock after which nothing may be due any more: more than anything here takes."""


class Service:
    """A process of the bot, without Discord. A context manager; ``begin`` makes everything as if nothing had happened.

    The database is made once and emptied for every run: a new one each time would be a tenth of a run.
    """

    def __init__(self, settings: Settings, errors: list[logging.LogRecord]) -> None:
        """``errors`` gets what is logged as an error: the clock goes on after one, as it should."""
        self._errors = errors
        self._url = parse_url(settings.database_url.get_secret_value())
        self.kind = self._url.get_backend_name()
        self._stack = ExitStack()
        self.ask = self._look_behind_its_back(settings)
        """Runs a query without the bot."""
        self.shown: list[str] = []
        """Tables that the clock wanted to be shown."""
        self.drawn = 0
        """The last number that somebody was replaced by."""

    def __enter__(self) -> Self:
        self._runner = self._stack.enter_context(asyncio.Runner())
        self._patch = self._stack.enter_context(pytest.MonkeyPatch.context())
        self._database = Database(self._url)
        self._stack.callback(lambda: self.run(self._database.close()))
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stack.close()

    def _look_behind_its_back(self, settings: Settings) -> Ask:
        if self.kind != SQLITE:
            return partial(rows, settings)
        # Kept open: opening a file anew for every look would take half of the time.
        connection = self._stack.enter_context(closing(sqlite3.connect(database_file(settings))))
        connection.execute("pragma query_only = on")
        return lambda sql: connection.execute(sql).fetchall()

    def begin(self, world: World) -> None:
        """A new bot on an empty database, whose time is that of ``world``."""
        self.world = world
        self.run(self._database.write(_empty))
        self._start()

    def _start(self) -> None:
        documents._games.clear()
        self.core = Core(
            *(self._database, lambda: self.world.now, STANDARD_DECK, LIMIT, PACES),
            tables_per_host=HOSTED,
            round_ended=results.round_ended,
        )
        self.deadlines = self._deadlines()

    def restart(self) -> None:
        """Another process on the same database, which has to read everything anew."""
        self.run(self._database.close())
        self._database = Database(self._url)
        self._start()

    def chance(self, seed: int) -> None:
        """Seeds, ids and numbers of former players follow from this from now on, so that a run can be repeated."""
        chance = random.Random(seed)

        def randbits(bits: int) -> int:
            self.drawn = chance.getrandbits(bits)
            return self.drawn

        patch = self._patch
        patch.setattr("secrets.token_bytes", lambda size=32: chance.randbytes(size))
        patch.setattr("secrets.token_hex", lambda size=32: chance.randbytes(size).hex())
        patch.setattr("secrets.randbits", randbits)

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Do one thing. Whatever is logged as an error in the meantime fails it."""
        answer = self._runner.run(work)
        logged, self._errors[:] = [*self._errors], []
        assert not logged, "\n".join(map(logging.Formatter().format, logged))
        return answer

    def write(self, work: Callable[[Connection], Answer]) -> Answer:
        return self.run(self.core.database.write(work))

    def read(self, work: Callable[[Connection], Answer]) -> Answer:
        async def reading() -> Answer:
            return await self.core.database.read(work)

        return self.run(reading())

    def purge(self, days: float, present: Callable[[int], bool]) -> datetime | None:
        """Delete what is due. Returns when that was, or will be."""

        async def work() -> datetime | None:
            purges = Purges(self.core, Clock(self.core.now), days, connected=lambda: True, present=present)
            moment = await self.core.database.read(purges.next_moment, self.core.now())
            purges.wake()
            await purges.settled()
            return moment

        return self.run(work())

    def waiting(self, rows: Claimable) -> list[str]:
        """The keys of rows that wait for somebody who claims them, longest waiting first."""
        query = select(rows.key).where(rows.waiting).order_by(rows.due, rows.key)

        def ask(connection: Connection) -> list[str]:
            return list(connection.scalars(query))

        return self.read(ask)

    def run_due(self) -> int:
        """Let the clock do what is due, until nothing is. Returns how often it looked."""
        return self.run(self._run_due())

    async def _run_due(self) -> int:
        for looks in range(MOST_ROUNDS):
            claim = partial(self.deadlines.claim, now=self.world.now, limit=MOST_ROUNDS)
            if not (due := await self.core.database.write(claim)):
                return looks
            # One table after the other: which of two reminds somebody first is not left to the threads.
            for table_id in due:
                await self.deadlines.handle(table_id)
        raise AssertionError("the clock never comes to an end")

    def _deadlines(self) -> Deadlines:
        async def is_member(guild_id: int, user_id: int) -> bool:
            return (guild_id, user_id) not in self.world.gone

        async def warn(table: Table) -> None:
            assert table.timing.warnings

        return Deadlines(
            self.core,
            Clock(self.core.now),
            show=self.shown.append,
            may_post=lambda channel_id: channel_id not in self.world.forbidden,
            is_member=is_member,
            warn=warn,
        )

    def mark_shown(self, shown: Iterable[Shown]) -> None:
        self.write(partial(mark_shown, shown=list(shown), now=self.core.now()))


def _empty(connection: Connection) -> None:
    for table in reversed(metadata.sorted_tables):
        connection.execute(table.delete())
