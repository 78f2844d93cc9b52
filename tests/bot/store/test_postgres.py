"""PostgreSQL that fails for a moment: what is tried again, how often, and what never is."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from bot.cli import main
from bot.config import Settings
from bot.store import errors, postgres
from bot.store.database import TRIES, Database, LockScope, lock_subjects, parse_url
from tests.bot.databases import open_database
from tests.bot.store.counting import count_up, number
from tests.bot.store.gate import STARTING, WRONG_PASSWORD, Gate

pytestmark = pytest.mark.only_postgresql("SQLite has no server")

PATIENCE = 30.0
"""Seconds; what is waited for takes two."""


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[Database]:
    async with open_database(settings) as opened:
        yield opened


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have failures tried as often as ever, but in quick succession."""
    monkeypatch.setattr("bot.store.database.LONGEST_WAIT", 0.01)


@pytest.fixture
async def gate(settings: Settings) -> AsyncIterator[Gate]:
    async with Gate(parse_url(settings.database_url.get_secret_value())).open() as made:
        yield made


@pytest.fixture
async def behind(gate: Gate, counter: Database) -> AsyncIterator[Database]:
    """Return the same database as ``counter``, through the gate."""
    assert counter.shared
    async with open_database(gate.url) as opened:
        yield opened


class Tried:
    """Work of a transaction, and how often it was tried."""

    def __init__(self, *works: Callable[[Connection], object]) -> None:
        self.works, self.tries = works, 0

    def __call__(self, connection: Connection) -> None:
        self.tries += 1
        for work in self.works:
            work(connection)


async def _end(other: Database, pid: int) -> None:
    async with other.reading() as connection:
        assert await connection.scalar(text("select pg_terminate_backend(:pid)"), {"pid": pid})
        sql = text("select count(*) from pg_stat_activity where pid = :pid")
        while await connection.scalar(sql, {"pid": pid}):  # noqa: ASYNC110 - only the server knows
            await asyncio.sleep(0.005)


def _pid(connection: Connection) -> int:
    return int(connection.scalar(text("select pg_backend_pid()")) or 0)


async def test_of_two_that_wait_for_each_other_one_is_run_again(counter: Database) -> None:
    tries: list[int] = []
    meeting = asyncio.Barrier(2)

    def work(connection: Connection, first: int, second: int) -> None:
        tries.append(first)
        lock_subjects(connection, LockScope.GUILD, first)
        if tries.count(first) == 1:
            counter.await_within(meeting.wait())
        lock_subjects(connection, LockScope.GUILD, second)
        count_up(connection)

    await asyncio.gather(
        counter.write(partial(work, first=1, second=2)), counter.write(partial(work, first=2, second=1))
    )
    assert await number(counter) == 2
    assert sorted(tries) in ([1, 1, 2], [1, 2, 2])


async def test_a_transaction_whose_connection_is_ended_is_run_again(counter: Database, other: Database) -> None:
    tries: list[int] = []

    def work(connection: Connection) -> None:
        count_up(connection)
        tries.append(_pid(connection))
        if len(tries) == 1:
            counter.await_within(_end(other, tries[0]))
        count_up(connection)

    await counter.write(work)
    assert len(set(tries)) == len(tries) == 2
    assert await number(counter) == 2


async def test_what_is_wrong_is_not_tried_again(counter: Database) -> None:
    work = Tried(lambda connection: connection.execute(text("select * from nothing")))
    with pytest.raises(DBAPIError, match="nothing"):
        await counter.write(work)
    assert work.tries == 1


@pytest.mark.usefixtures("impatient")
async def test_a_transaction_that_fails_for_ever_is_given_up(counter: Database) -> None:
    fail = text("do $$ begin raise exception sqlstate '40001'; end $$")
    work = Tried(lambda connection: connection.execute(fail))
    with pytest.raises(DBAPIError):
        await counter.write(work)
    assert work.tries == TRIES


async def test_nothing_is_run_again_once_its_commit_was_begun(counter: Database, other: Database) -> None:
    work = Tried(count_up, lambda connection: counter.await_within(_end(other, _pid(connection))))
    with pytest.raises(DBAPIError):
        await counter.write(work)
    assert work.tries == 1
    assert await number(counter) == 0
    await counter.write(count_up)
    assert await number(counter) == 1


async def test_a_commit_whose_answer_is_lost_is_not_done_twice(behind: Database, gate: Gate) -> None:
    work = Tried(count_up)
    assert await number(behind) == 0
    await behind.write(_pid)
    gate.loses_commits = True
    with pytest.raises(DBAPIError):
        await behind.write(work)
    gate.loses_commits = False
    assert work.tries == 1
    assert await number(behind) == 1


async def _look_at_one_moment(database: Database) -> int:
    async with database.snapshot() as connection:
        return int(await connection.scalar(text("select number from counter")) or 0)


async def _change(database: Database) -> int:
    await database.write(count_up)
    return 0


USES: list[Callable[[Database], Awaitable[int]]] = [number, _look_at_one_moment, _change]


@pytest.mark.parametrize("use", USES)
async def test_a_server_that_is_being_restarted_is_waited_for(
    behind: Database, gate: Gate, use: Callable[[Database], Awaitable[int]]
) -> None:
    gate.says = STARTING
    using = asyncio.ensure_future(use(behind))
    await asyncio.wait_for(gate.has_turned_away(2), PATIENCE)
    gate.says = None
    assert await using == 0


@pytest.mark.parametrize("use", USES)
async def test_connections_that_died_while_nobody_used_them_are_replaced(
    counter: Database, other: Database, use: Callable[[Database], Awaitable[int]]
) -> None:
    def meet(connection: Connection) -> None:
        connection.execute(text("select 1"))
        counter.await_within(meeting.wait())

    async def read() -> None:
        await counter.read(meet)

    meeting = asyncio.Barrier(postgres.READERS)
    await asyncio.gather(*(read() for _ in range(postgres.READERS)))
    meeting = asyncio.Barrier(postgres.WRITERS)
    await asyncio.gather(*(counter.write(meet) for _ in range(postgres.WRITERS)))
    theirs = text(
        "select pid from pg_stat_activity where datname = current_database() and application_name = :name"
        " and pid <> pg_backend_pid()"
    )
    async with other.reading() as connection:
        pids = list(await connection.scalars(theirs, {"name": postgres.APPLICATION}))
    assert len(pids) >= postgres.READERS + postgres.WRITERS
    for pid in pids:
        await _end(other, pid)
    assert await use(counter) == 0


@pytest.mark.usefixtures("impatient")
async def test_while_the_server_is_away_nobody_waits_for_ever(behind: Database, gate: Gate) -> None:
    """More than there are connections: those who wait for one must not wait for somebody to give one back."""
    gate.says = STARTING
    users = [use(behind) for use in USES for _more in range(max(postgres.READERS, postgres.WRITERS) + 2)]
    results = await asyncio.wait_for(asyncio.gather(*users, return_exceptions=True), PATIENCE)
    assert all(isinstance(result, DBAPIError) for result in results), results
    assert gate.turned_away == len(users) * TRIES
    gate.says = None
    for use in USES:
        assert await use(behind) == 0


async def test_a_wrong_password_is_tried_once(behind: Database, gate: Gate) -> None:
    gate.says = WRONG_PASSWORD
    for tried, use in enumerate(USES, start=1):
        with pytest.raises(DBAPIError, match="not now"):
            await use(behind)
        assert gate.turned_away == tried


async def test_readers_who_are_cancelled_give_their_connections_back(counter: Database) -> None:
    async def read() -> None:
        async with counter.reading() as connection:
            await connection.execute(text("select pg_sleep(60)"))

    for _more_than_there_are_connections in range(2):
        readers = [asyncio.create_task(read()) for _ in range(postgres.READERS + 2)]
        await asyncio.sleep(0.05)
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
    assert await asyncio.wait_for(number(counter), PATIENCE) == 0


async def test_the_system_finds_out_about_a_server_that_has_vanished(counter: Database) -> None:
    async with counter.reading() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        found = driver._transport.get_extra_info("socket")
    assert found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    if sys.platform == "linux":
        options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
        idle, interval, count, unheard = (found.getsockopt(socket.IPPROTO_TCP, option) for option in options)
        assert idle + interval * count == unheard / 1000 == postgres.SILENT_SECONDS


def test_without_the_driver_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    url = "postgresql://bob:hunter2@db.example/games"
    with pytest.raises(errors.DatabaseError, match=r"driver is not installed; pip install 'highscore-bot\[postgres\]'"):
        Database(parse_url(url))
    result = CliRunner().invoke(main, ["migrate"], env={"DATABASE_URL": url})
    assert result.exit_code == 2
    assert "pip install 'highscore-bot[postgres]'" in result.stderr
    assert "hunter2" not in result.output
    assert result.stderr.count("\n") == 1
