"""The real service as tests/faults/test_model.py drives it: two processes on one database, and a clock set by hand.

Hypothesis' state machines cannot ``await``, so the event loop runs only while one thing is done.
"""

import asyncio
import logging
import random
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, create_engine

from bot.config import Settings
from bot.domain.table import Table
from bot.domain.timing import Pace, PaceTimes
from bot.services.core import Core
from bot.services.facts import TableChanged
from bot.store import models
from bot.store import rows as stored_rows
from bot.store.database import Database, parse_url
from bot.workers import worker
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
MOST_TABLES = 2
"""The open tables in a channel, and of a host on a server."""
PROCESSES = 2
MOST_ROUNDS = 25
"""The clock finds nothing due any more after at most this many rounds."""


class Service:
    """Processes of the bot, without Discord, that take turns."""

    def __init__(self, settings: Settings, errors: list[logging.LogRecord], runner: asyncio.Runner) -> None:
        """Use an empty database. ``errors`` has what is logged as an error: the clock goes on after one."""
        self._settings, self._errors, self._runner = settings, errors, runner
        self._url = parse_url(settings.database_url.get_secret_value())
        self.kind = self._url.get_backend_name()
        # Opening the file again for every look, or reading it in the bot's threads, would take most of the time.
        self._engine = create_engine(self._url.set(drivername=SQLITE)) if self.kind == SQLITE else None
        self._file = sqlite3.connect(database_file(settings)) if self.kind == SQLITE else None
        self.now = datetime.now(UTC)
        self.announced: dict[str, Table] = {}
        """The tables that were changed since the last look, as the last fact says."""
        self.worked = False
        """True if anything was done since the last look."""
        self.shown: list[str] = []
        """Tables that the clock wanted to be shown."""
        self.gone: set[tuple[int, int]] = set()
        """People who have left a server, with the server."""
        self.forbidden: set[int] = set()
        """Channels in which the bot may not post."""
        self._start()

    def close(self) -> None:
        for core in self.cores:
            self.run(core.database.close())
        if self._engine is not None and self._file is not None:
            self._engine.dispose()
            self._file.close()

    def ask(self, sql: str) -> Rows:
        """Run a query without the bot. Times are texts, as SQLite stores them."""
        return rows(self._settings, sql) if self._file is None else self._file.execute(sql).fetchall()

    def read(self, work: Callable[[Connection], Answer]) -> Answer:
        if self._engine is None:
            return self._runner.run(self.cores[0].database.read(work))
        with self._engine.connect() as connection:
            return work(connection)

    def begin(self, now: datetime) -> None:
        """Delete everything and restart. Making a new database would take longer."""
        self.now = now
        self.gone, self.forbidden = set(), set()
        self.run(self.core.database.write(_empty))
        self.restart()

    def restart(self) -> None:
        for core in self.cores:
            self.run(core.database.close())
        self._start()

    def _start(self) -> None:
        stored_rows._games.clear()
        self.cores = [
            Core(
                *(Database(self._url), lambda: self.now, STANDARD_DECK, MOST_TABLES, PACES),
                tables_per_host=MOST_TABLES,
            )
            for _process in range(PROCESSES)
        ]
        for core in self.cores:
            core.facts.subscribe(TableChanged, lambda fact: self.announced.update({fact.after.id: fact.after}))
        self._turns = cycle(self.cores)
        self._clocks = {
            id(core): Deadlines(core, worker.Clock(core.now), _Discord(self), self.shown.append) for core in self.cores
        }

    @property
    def core(self) -> Core:
        """The core of the process whose turn it is. Each access passes the turn on."""
        return next(self._turns)

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Do one thing, and fail if an error is logged."""
        self.worked = True
        answer = self._runner.run(work)
        logged, self._errors[:] = [*self._errors], []
        assert not logged, "\n".join(map(logging.Formatter().format, logged))
        return answer

    def run_due(self) -> None:
        """Let the clocks do what is due, until nothing is."""
        self.run(self._run_due())

    async def _run_due(self) -> None:
        for _round in range(MOST_ROUNDS):
            core = self.core
            clock = self._clocks[id(core)]
            due = await core.database.write(partial(clock.claim, now=self.now, limit=MOST_ROUNDS))
            if not due:
                return
            # One after the other, so that a run can be repeated: the first of two tables reminds their player.
            for table_id in due:
                await clock.handle(table_id)
        raise AssertionError("the clock never comes to an end")


class _Discord(Channels):
    """Takes every message."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self._service = service

    def may_post(self, channel_id: int) -> bool:
        return channel_id not in self._service.forbidden

    async def is_member(self, guild_id: int, user_id: int) -> bool:
        return (guild_id, user_id) not in self._service.gone


def _empty(connection: Connection) -> None:
    for table in reversed(models.metadata.sorted_tables):
        connection.execute(table.delete())


def draw_from(seed: int, patch: pytest.MonkeyPatch) -> None:
    """Draw seeds, ids and numbers of former players from a seed, so that a run can be repeated."""
    chance = random.Random(seed)
    patch.setattr("secrets.token_bytes", lambda size=32: chance.randbytes(size))
    patch.setattr("secrets.token_hex", lambda size=32: chance.randbytes(size).hex())
    patch.setattr("secrets.randbits", chance.getrandbits)


@contextmanager
def serving(settings: Settings, errors: list[logging.LogRecord]) -> Iterator[Service]:
    with asyncio.Runner() as runner, closing(Service(settings, errors, runner)) as service:
        yield service
