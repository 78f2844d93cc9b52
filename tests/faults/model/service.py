"""The real service, as tests/faults/test_model.py drives it: two processes on one database, and a clock set by hand.

Hypothesis' state machines know no ``await``, so each has an event loop that runs while one thing is done.
"""

import asyncio
import logging
import random
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from typing import Any, Self, TypeVar

import pytest
from sqlalchemy import Connection, create_engine, select

from bot.config import Settings
from bot.domain.table import Table
from bot.domain.timing import Pace, PaceTimes
from bot.services.core import Core
from bot.services.facts import TableChanged
from bot.store import claims, models
from bot.store import rows as stored_rows
from bot.store.database import Database, parse_url
from bot.workers import privacy, worker
from bot.workers.deadlines import Deadlines
from highscore.deck import STANDARD_DECK
from tests.bot.databases import SQLITE, Rows, database_file, rows
from tests.bot.workers.posting import Channels

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
PROCESSES = 2
MOST_ROUNDS = 25
"""Looks of the clock after which nothing may be due any more: more than anything here takes."""


class Service:
    """Processes of the bot, without Discord, that take turns: what the one does the next one goes on with.

    A context manager; ``begin`` makes everything as if nothing had happened. The database is made once and emptied for
    every run: a new one each time would be a tenth of a run.
    """

    def __init__(self, settings: Settings, errors: list[logging.LogRecord]) -> None:
        """Note in ``errors`` what is logged as an error: the clock goes on after one, as it should."""
        self._errors = errors
        self._url = parse_url(settings.database_url.get_secret_value())
        self.kind = self._url.get_backend_name()
        self._stack = ExitStack()
        self._settings = settings
        self._aside = create_engine(self._url.set(drivername=SQLITE)) if self.kind == SQLITE else None
        # Kept open: opening a file anew for every look would take half of the time.
        self._file = sqlite3.connect(database_file(settings)) if self.kind == SQLITE else None
        self.now = datetime.now(UTC)
        self.told: dict[str, Table] = {}
        """Every table that was changed since somebody looked, as it was when that was committed."""
        self.worked = False
        """True if anything was done since somebody looked."""
        self.shown: list[str] = []
        """Tables that the clock wanted to be shown."""
        self.gone: set[tuple[int, int]] = set()
        """People who are no longer members of a server."""
        self.forbidden: set[int] = set()
        """Channels in which the bot may not post."""

    def __enter__(self) -> Self:
        self._runner = self._stack.enter_context(asyncio.Runner())
        self._patch = self._stack.enter_context(pytest.MonkeyPatch.context())
        self._databases = self._opened()
        self._stack.callback(self._close)
        if self._aside is not None and self._file is not None:
            self._stack.callback(self._aside.dispose)
            self._stack.enter_context(closing(self._file))
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stack.close()

    def _opened(self) -> list[Database]:
        return [Database(self._url) for _process in range(PROCESSES)]

    def _close(self) -> None:
        for database in self._databases:
            self.run(database.close())

    def ask(self, sql: str) -> Rows:
        """Run a query without the bot; times come in words, as SQLite keeps them."""
        if self._file is None:
            return rows(self._settings, sql)
        return self._file.execute(sql).fetchall()

    def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """Look something up; of a file without its threads, which would take most of the time."""
        if self._aside is None:
            return self._runner.run(self.cores[0].database.read(work))
        with self._aside.connect() as connection:
            return work(connection)

    def begin(self, now: datetime) -> None:
        """Begin new bots on an empty database."""
        self.now = now
        self.gone, self.forbidden = set(), set()
        self.run(self._databases[0].write(_empty))
        self._start()

    def _start(self) -> None:
        stored_rows._games.clear()
        self.cores = [
            Core(
                *(database, lambda: self.now, STANDARD_DECK, LIMIT, PACES),
                tables_per_host=HOSTED,
            )
            for database in self._databases
        ]
        for core in self.cores:
            core.facts.subscribe(TableChanged, lambda fact: self.told.update({fact.after.id: fact.after}))
        self._turns = cycle(self.cores)
        self._clocks = {id(core): self._deadlines(core) for core in self.cores}

    @property
    def core(self) -> Core:
        """The core of the process whose turn it is; the next look gets another one's."""
        return next(self._turns)

    def restart(self) -> None:
        self._close()
        self._databases = self._opened()
        self._start()

    def chance(self, seed: int) -> None:
        """Draw seeds, ids and numbers of former players from this seed, so that a run can be repeated."""
        chance = random.Random(seed)
        self._patch.setattr("secrets.token_bytes", lambda size=32: chance.randbytes(size))
        self._patch.setattr("secrets.token_hex", lambda size=32: chance.randbytes(size).hex())
        self._patch.setattr("secrets.randbits", chance.getrandbits)

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Do one thing. Whatever is logged as an error in the meantime fails it."""
        self.worked = True
        answer = self._runner.run(work)
        logged, self._errors[:] = [*self._errors], []
        assert not logged, "\n".join(map(logging.Formatter().format, logged))
        return answer

    def write(self, work: Callable[[Connection], Answer]) -> Answer:
        return self.run(self.core.database.write(work))

    def purge(self, days: float, present: Callable[[int], bool]) -> None:
        """Delete what is due."""

        async def work() -> None:
            core = self.core
            purges = privacy.Purges(core, worker.Clock(core.now), days, connected=lambda: True, present=present)
            purges.wake()
            await purges.settle()

        self.run(work())

    def waiting(self, rows: claims.Claimable) -> list[str]:
        """Return the keys of rows that wait for somebody who claims them, longest waiting first."""
        query = select(*rows.key).where(rows.waiting).order_by(rows.due, *rows.key)
        return self.read(lambda connection: list(connection.scalars(query)))

    def run_due(self) -> int:
        """Let the clocks do what is due, until nothing is. Returns how often they looked."""
        return self.run(self._run_due())

    async def _run_due(self) -> int:
        for looks in range(MOST_ROUNDS):
            core = self.core
            clock = self._clocks[id(core)]
            claim = partial(clock.claim, now=self.now, limit=MOST_ROUNDS)
            if not (due := await core.database.write(claim)):
                return looks
            # One table after the other: which of two reminds somebody first is not left to the threads.
            for table_id in due:
                await clock.handle(table_id)
        raise AssertionError("the clock never comes to an end")

    def _deadlines(self, core: Core) -> Deadlines:
        return Deadlines(core, worker.Clock(core.now), _Discord(self), self.shown.append)


class _Discord(Channels):
    """Takes every message, knows who has gone, and forbids some channels."""

    def __init__(self, service: "Service") -> None:
        super().__init__()
        self._service = service

    def may_post(self, channel_id: int) -> bool:
        return channel_id not in self._service.forbidden

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        return (guild_id, user_id) not in self._service.gone


def _empty(connection: Connection) -> None:
    for table in reversed(models.metadata.sorted_tables):
        connection.execute(table.delete())
