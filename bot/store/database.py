"""Transactions and locks, on SQLite or PostgreSQL.

The rest of the program sees only one difference between the two: if ``Database.shared``, other processes may change the
same games at the same time.

On SQLite write transactions run one at a time anyway, so the lock functions do nothing. On PostgreSQL a lock lasts
until the transaction ends. Take a lock *before* you read the rows that it protects: in READ COMMITTED each statement
sees everything that was committed before it, including what the last holder of the lock has written.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from enum import Enum
from functools import partial
from hashlib import blake2b
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import parse_qsl

from sqlalchemy import URL, BigInteger, Connection, bindparam, dialects, func, make_url, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.util import await_only

from bot.observing.in_flight import run_to_the_end
from bot.store import postgres, sqlite
from bot.store.errors import DatabaseClosedError, DatabaseError
from bot.store.models import challenges, cups, games

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

TRIES = 10
"""How often a transaction is tried if it fails for a passing reason, such as a deadlock or a restart of the server."""
LONGEST_WAIT = 0.5
"""The longest pause between two tries, in seconds. The first pause takes 5 ms, and each one twice as long as the one
before. The nine pauses together take about 1.6 seconds; Discord waits three for the answer to a press.
"""
_POSTGRES = ("postgresql", "postgres", "postgresql+asyncpg")
LAST_PORT = 65_535
_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")

_HOLD = select(func.pg_advisory_xact_lock(func.unnest(bindparam("keys", type_=ARRAY(BigInteger))).column_valued("key")))
# With ``key_share``, others can still insert rows that refer to the game. Those only need the game to exist.
_SOME = games.c.id.in_(bindparam("games", expanding=True))
_HOLD_GAMES = select(games.c.id).where(_SOME).order_by(games.c.id).with_for_update(key_share=True)


def parse_url(text: str) -> URL:
    """Parse DATABASE_URL. Raise DatabaseError if the bot cannot use it. The message does not repeat the URL, which is
    secret.
    """
    try:
        url = make_url(text.strip())
    except (ArgumentError, ValueError):  # ValueError: the port is not a number. Its message quotes part of the URL.
        raise DatabaseError(
            "DATABASE_URL cannot be parsed; write it like sqlite+aiosqlite:///data/highscore.sqlite3"
            " or postgresql://user:password@host/database"
        ) from None
    if not _is_sound(url) or text.count("@") > 1:
        raise DatabaseError(
            "DATABASE_URL cannot be parsed; in a password, write @ as %40, : as %3A, / as %2F, ? as %3F and % as %25"
        )
    if url.drivername in _POSTGRES:
        if not url.database:
            raise DatabaseError("DATABASE_URL names no database; it ends in /NAME")
        options = parse_qsl(text.strip().rpartition("@")[2].partition("?")[2], keep_blank_values=True)
        if not all(value for _name, value in options):  # SQLAlchemy would ignore it silently.
            raise DatabaseError("DATABASE_URL has an option without a value")
        return _to_asyncpg_options(url.set(drivername="postgresql+asyncpg"))
    if url.drivername not in ("sqlite", "sqlite+aiosqlite"):
        # Only known names are repeated: anything else may be a part of a password.
        kind = url.drivername if url.get_backend_name() in dialects.__all__ else "unknown"
        raise DatabaseError(
            f"DATABASE_URL names the database {kind!r}; this bot plays on sqlite+aiosqlite:///FILE"
            " or postgresql://user:password@host/database"
        )
    if "?" in text:
        raise DatabaseError("DATABASE_URL has a question mark in it, but an SQLite file takes no options")
    if url.host is not None or url.username is not None:
        raise DatabaseError(
            "DATABASE_URL needs three slashes before a relative path of an SQLite file, and four before an absolute one"
        )
    if url.database in (None, "", ":memory:"):
        raise DatabaseError("DATABASE_URL names no file; games in memory would be lost at every restart")
    return url.set(drivername="sqlite+aiosqlite")


def _is_sound(url: URL) -> bool:
    """Return whether each part can be sent to a server. A password may have every character that UTF-8 can encode,
    except NUL.
    """
    named = (url.username or "", url.host or "", url.database or "")
    password = str(url.password or "")
    return (
        all(map(str.isprintable, named))
        and not any(character == "\0" or 0xD800 <= ord(character) <= 0xDFFF for character in password)
        and (url.port is None or 0 < url.port <= LAST_PORT)
    )


def _to_asyncpg_options(url: URL) -> URL:
    """Check the options, and rename libpq's ``sslmode`` to asyncpg's ``ssl``. Errors do not repeat an option's
    value.
    """
    mode, host = url.query.get("sslmode", url.query.get("ssl")), url.query.get("host", "")
    if set(url.query) - {"ssl", "sslmode", "host"} or not (isinstance(host, str) and host.isprintable()):
        raise DatabaseError("DATABASE_URL has an unknown option; it can have host and sslmode")
    if mode not in (None, *_MODES):
        raise DatabaseError(f"DATABASE_URL has an unknown sslmode; it can be {', '.join(_MODES)}")
    plain = url.difference_update_query(["sslmode"])
    return plain if mode is None else plain.update_query_pairs([("ssl", str(mode))])


class Database:
    """One database, for the life of the process. Call ``close`` at the end.

    ``checkpoints`` is False for a command that may run while a bot uses the same SQLite file (see bot.store.sqlite).
    """

    def __init__(self, url: URL, *, checkpoints: bool = True) -> None:
        self.url = url
        self.shared = url.get_backend_name() == "postgresql"
        """True if other processes may change the same tables."""
        self._in_flight: set[asyncio.Future[Any]] = set()
        """Running write transactions, and connections in use for reading."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        options = {
            # Errors are logged, and a statement's values include people's names and lucky words.
            "hide_parameters": True,
            # SQLAlchemy's reset costs a round trip for every transaction. It is not needed: a context manager commits
            # or rolls back every transaction here.
            "pool_reset_on_return": None,
        }
        self._engine: AsyncEngine
        self._reader: sqlite.Threads | None = None
        self._writer: AsyncEngine | sqlite.Writer
        if self.shared:
            self._engine, self._writer = postgres.make_engines(url, options)
        else:
            self._engine, self._reader, self._writer = sqlite.open_file(url, options, checkpoints=checkpoints)
        # Callers queue for connections here. SQLAlchemy's pool would wait for a connection to be returned even if
        # connecting has failed and no connection exists.
        self._readers = asyncio.Semaphore(postgres.READERS if self.shared else sqlite.READERS)
        self._writers = asyncio.Semaphore(postgres.WRITERS)

    async def read(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Run ``work`` and return its result. Each of its statements sees everything that was committed before it."""
        if self._reader is None:
            async with self.reading() as connection:
                return await connection.run_sync(work, *args, **kwargs)
        self._check_open()
        return await self._reader.transact(work, *args, **kwargs)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection for reading. Each statement sees everything that was committed before it.

        If connecting fails for a passing reason, it is tried again.
        """
        self._check_open()
        self._in_flight.add(ended := asyncio.get_running_loop().create_future())
        try:
            async with self._readers, AsyncExitStack() as stack:
                connection = await self._try(partial(self._connect, self._engine))
                stack.push_async_exit(connection)
                yield connection
        finally:
            self._in_flight.discard(ended)
            ended.set_result(None)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection for reading. All its statements see the same state, that of the first statement."""
        async with self.reading() as connection:
            if self.shared:
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with connection.begin() as transaction:
                if not self.shared:
                    await connection.exec_driver_sql("BEGIN")
                try:
                    yield connection
                finally:
                    await transaction.rollback()

    async def write(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Run ``work`` in a write transaction. Commit it, or roll it back if ``work`` raises.

        ``work`` must have no effect outside of the database and must not wait for anything else. On SQLite it runs in
        the writer's thread. On PostgreSQL it runs on the event loop, which does other work during each statement, and
        is run again if the transaction fails for a passing reason. The transaction continues if the caller is
        cancelled, because nobody would know whether a cancelled commit happened.
        """
        self._check_open()
        self._loop = asyncio.get_running_loop()
        if isinstance(self._writer, sqlite.Writer):
            writing = self._writer.transact(work, *args, **kwargs)
        else:
            writing = asyncio.create_task(self._try(partial(self._transact, self._writer, work, *args, **kwargs)))
        self._in_flight.add(writing)
        writing.add_done_callback(self._in_flight.discard)
        return await run_to_the_end(writing, "write transaction")

    def await_within(self, awaited: Coroutine[Any, Any, Result]) -> Result:
        """Wait for a coroutine from inside a write transaction.

        In the meantime every other writer waits on SQLite, and all locks stay held on PostgreSQL. So never use this in
        the path of a click.
        """
        if self.shared:
            return await_only(awaited)
        if self._loop is None:
            raise DatabaseError("await_within was called outside of a write transaction")
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result()

    async def truncate_log(self) -> None:
        """Empty SQLite's write-ahead log, which still contains deleted rows. Do nothing on PostgreSQL.

        Give up silently if a reader prevents this in each of ten tries.
        """
        for _look in range(TRIES):
            if not isinstance(self._writer, sqlite.Writer) or await self._writer.truncate_log():
                break
            await asyncio.sleep(LONGEST_WAIT)

    async def _try(self, once: Callable[[], Awaitable[Result]]) -> Result:
        for wait in (min(0.005 * 2**tried, LONGEST_WAIT) for tried in range(TRIES - 1)):
            try:
                return await once()
            except _Again:
                await asyncio.sleep(wait * random.uniform(0.5, 1.5))  # noqa: S311 - only so that two do not meet again
        try:
            return await once()
        except _Again as last:
            raise last.error from None

    async def _connect(self, engine: AsyncEngine) -> AsyncConnection:
        try:
            return await engine.connect()
        except (DBAPIError, OSError) as error:
            if self.shared and postgres.may_come_back(error):
                raise _Again(error) from error
            raise

    async def _transact(self, engine: AsyncEngine, work: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
        async with self._writers, aclosing(await self._connect(engine)) as connection:
            transaction = await connection.begin()
            try:
                result = await connection.run_sync(work, *args, **kwargs)
            except BaseException as error:
                # The server may have closed the connection already. Report the first error.
                with suppress(DBAPIError):
                    await transaction.rollback()
                if isinstance(error, DBAPIError) and postgres.may_succeed_again(error):
                    raise _Again(error) from error
                raise
            # A failure of the commit is not tried again, because the commit may have happened.
            await transaction.commit()
            return result

    async def close(self) -> None:
        """Wait for running reads and transactions, then close the connections.

        If this is cancelled, connections in use stay open, and the work that is still queued for SQLite's threads is
        dropped. Otherwise the program would do that work before it ends.
        """
        try:
            while self._in_flight:
                await asyncio.wait(self._in_flight)
        except asyncio.CancelledError:
            for threads in (self._reader, self._writer):
                if isinstance(threads, sqlite.Threads):
                    threads.break_off()
            raise
        self._closed = True
        for connections in (self._engine, self._reader, self._writer):
            if connections is not None:
                await connections.dispose()

    def _check_open(self) -> None:
        if self._closed:
            raise DatabaseClosedError("the database is closed; the bot is stopping")


class _Again(Exception):
    """An attempt failed for a passing reason, without any effect."""

    def __init__(self, error: DBAPIError | OSError) -> None:
        super().__init__(str(error))
        self.error = error


class LockScope(Enum):
    CHANNEL = "channel"
    """Protects the number of open tables in a channel."""
    GUILD = "guild"
    """Protects a server's standings, records, seasons, settings, daily challenge, and number of cups."""
    PERSON = "person"
    """Protects a person's seats, settings, marks and attempts at challenges."""
    SCHEMA = "schema"


def lock_subjects(connection: Connection, what: LockScope, *ids: int) -> None:
    """Lock these ids until the transaction ends. They are sorted first, so that two transactions do not deadlock.

    For the same reason, take PERSON after all other scopes.
    """
    if ids and connection.dialect.name == "postgresql":
        connection.execute(_HOLD, {"keys": sorted({_make_key(what, one) for one in ids})})


def lock_games(connection: Connection, *game_ids: str) -> None:
    """Lock games before reading their seats. A single query for both could wait for the lock and still return the old
    seats.
    """
    if game_ids and connection.dialect.name == "postgresql":
        connection.execute(_HOLD_GAMES, {"games": game_ids})


def hold_challenge(connection: Connection, challenge_id: str) -> None:
    """Keep others from closing or deleting a challenge until the transaction ends. Call this before you read it.

    Any number of players can hold a challenge at the same time. The transaction that closes the challenge waits for
    them, so it reads everything that they have played.
    """
    if connection.dialect.name == "postgresql":
        row = select(challenges.c.id).where(challenges.c.id == challenge_id)
        connection.execute(row.with_for_update(read=True))


def lock_cups(connection: Connection, *cup_ids: str) -> None:
    """Lock cups before reading their entrants and legs."""
    if cup_ids and connection.dialect.name == "postgresql":
        rows = select(cups.c.id).where(cups.c.id.in_(cup_ids)).order_by(cups.c.id)
        connection.execute(rows.with_for_update(key_share=True))


def _make_key(what: LockScope, one: int) -> int:
    """Return a 64-bit number for an advisory lock: https://www.postgresql.org/docs/current/explicit-locking.html"""
    return int.from_bytes(blake2b(f"highscore {what.value} {one}".encode(), digest_size=8).digest(), signed=True)
