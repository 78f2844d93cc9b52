"""The database: one transaction a use case on SQLite or PostgreSQL, and locks for what is read before it is written.

The rest of the program sees no difference but ``shared``: on PostgreSQL other processes of the bot may be at work on
the same games.

On SQLite every write transaction is alone anyway, and a lock does nothing. On PostgreSQL a lock is held until the
transaction ends, and is taken *before* reading: in READ COMMITTED every statement sees what was committed before it, so
what is read after the lock is what the last holder left.
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
"""The number of tries after a passing failure: a deadlock, a server that is being restarted."""
LONGEST_WAIT = 0.5
"""The most seconds between two tries, doubled from 5 ms until then: together as long as a click may wait."""
_POSTGRES = ("postgresql", "postgres", "postgresql+asyncpg")
LAST_PORT = 65_535
_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")

_HOLD = select(func.pg_advisory_xact_lock(func.unnest(bindparam("keys", type_=ARRAY(BigInteger))).column_valued("key")))
# "Key share": rows that refer to a game may be inserted meanwhile. They only need it to stay there.
_SOME = games.c.id.in_(bindparam("games", expanding=True))
_HOLD_GAMES = select(games.c.id).where(_SOME).order_by(games.c.id).with_for_update(key_share=True)


def parse_url(text: str) -> URL:
    """Read DATABASE_URL. Raise DatabaseError if the bot cannot use it, without repeating it: it is secret."""
    try:
        url = make_url(text.strip())
    except (ArgumentError, ValueError):  # SQLAlchemy lets a port that is no number through, with the text around it
        raise DatabaseError(
            "DATABASE_URL is not understood; write it like sqlite+aiosqlite:///data/highscore.sqlite3"
            " or postgresql://user:password@host/database"
        ) from None
    if not _is_sound(url) or text.count("@") > 1:
        raise DatabaseError(
            "DATABASE_URL is not understood; in a password, write @ as %40, : as %3A, / as %2F, ? as %3F and % as %25"
        )
    if url.drivername in _POSTGRES:
        if not url.database:
            raise DatabaseError("DATABASE_URL names no database; it ends in /NAME")
        options = parse_qsl(text.strip().rpartition("@")[2].partition("?")[2], keep_blank_values=True)
        if not all(value for _name, value in options):  # SQLAlchemy drops it without a word.
            raise DatabaseError("DATABASE_URL has an option without a value")
        return _to_asyncpg_options(url.set(drivername="postgresql+asyncpg"))
    if url.drivername not in ("sqlite", "sqlite+aiosqlite"):
        # Name only a known one: anything else may be a part of something secret.
        kind = url.drivername if url.get_backend_name() in dialects.__all__ else "unknown"
        raise DatabaseError(
            f"DATABASE_URL names the database {kind!r}; this bot plays on sqlite+aiosqlite:///FILE"
            " or postgresql://user:password@host/database"
        )
    if "?" in text:
        raise DatabaseError("DATABASE_URL has a question mark in it, and a file of SQLite takes no options")
    if url.host is not None or url.username is not None:
        raise DatabaseError("DATABASE_URL needs three slashes before a file of SQLite, or four before /")
    if url.database in (None, "", ":memory:"):
        raise DatabaseError("DATABASE_URL names no file; games that live in memory would be lost at every restart")
    return url.set(drivername="sqlite+aiosqlite")


def _is_sound(url: URL) -> bool:
    """Return whether every part can be sent, and was not cut off in the middle of another."""
    named = (url.username or "", url.host or "", url.database or "")
    password = str(url.password or "")
    return (
        all(map(str.isprintable, named))
        and not any(character == "\0" or 0xD800 <= ord(character) <= 0xDFFF for character in password)
        and (url.port is None or 0 < url.port <= LAST_PORT)
    )


def _to_asyncpg_options(url: URL) -> URL:
    """Check the options, which an error does not repeat, and rename libpq's ``sslmode`` to this driver's ``ssl``."""
    mode, host = url.query.get("sslmode", url.query.get("ssl")), url.query.get("host", "")
    if set(url.query) - {"ssl", "sslmode", "host"} or not (isinstance(host, str) and host.isprintable()):
        raise DatabaseError("DATABASE_URL has an option that is not understood; it can have host and sslmode")
    if mode not in (None, *_MODES):
        raise DatabaseError(f"DATABASE_URL has an sslmode that there is not; it can be {', '.join(_MODES)}")
    plain = url.difference_update_query(["sslmode"])
    return plain if mode is None else plain.update_query_pairs([("ssl", str(mode))])


class Database:
    """One database for the life of the process. ``close`` when done. ``checkpoints``: see bot.store.sqlite."""

    def __init__(self, url: URL, *, checkpoints: bool = True) -> None:
        self.url = url
        self.shared = url.get_backend_name() == "postgresql"
        """True if other processes may change the same tables."""
        self._in_flight: set[asyncio.Future[Any]] = set()
        """Transactions, and what is read on a connection of its own."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        options = {
            # Errors are logged; the values of a statement have people's names and lucky words in them.
            "hide_parameters": True,
            # SQLAlchemy's own reset would be one more round trip for every transaction, and there is nothing to
            # reset: every transaction here is committed or rolled back by its context manager.
            "pool_reset_on_return": None,
        }
        self._engine: AsyncEngine
        self._reader: sqlite.Threads | None = None
        self._writer: AsyncEngine | sqlite.Writer
        if self.shared:
            self._engine, self._writer = postgres.make_engines(url, options)
        else:
            self._engine, self._reader, self._writer = sqlite.open_file(url, options, checkpoints=checkpoints)
        # The queue for connections. One in SQLAlchemy's pool would wait for a connection to be given back, also when
        # connecting has failed and there is none.
        self._readers = asyncio.Semaphore(postgres.READERS if self.shared else sqlite.READERS)
        self._writers = asyncio.Semaphore(postgres.WRITERS)

    async def read(
        self,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Return what ``work`` reads; each of its statements sees what was committed before it."""
        if self._reader is None:
            async with self.reading() as connection:
                return await connection.run_sync(work, *args, **kwargs)
        self._check_open()
        return await self._reader.transact(work, *args, **kwargs)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection for reading, trying again; each statement sees what was committed before it."""
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
        """Give a connection for reading on which every statement sees the moment of the first one."""
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
        """Run ``work`` with these arguments in one write transaction and commit it, or roll back when it raises.

        ``work`` has no effects but on the database, and waits for nothing else. SQLite runs it in the writer's thread.
        PostgreSQL runs it on the event loop, which goes on while a statement is answered, and runs it again after a
        passing failure. It goes on when the caller is cancelled: a cancelled commit would leave it open whether it
        happened.
        """
        self._check_open()
        self._loop = asyncio.get_running_loop()
        if isinstance(self._writer, sqlite.Writer):
            return await self._finish(self._writer.transact(work, *args, **kwargs))
        transact = partial(self._transact, self._writer, work, *args, **kwargs)
        return await self._finish(asyncio.create_task(self._try(transact)))

    def await_within(self, awaited: Coroutine[Any, Any, Result]) -> Result:
        """Wait for a coroutine inside of ``work``. All other writers wait too: never use it in the path of a click."""
        if self.shared:
            return await_only(awaited)
        if self._loop is None:
            raise DatabaseError("nothing is being written")
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result()

    async def _finish(self, work: asyncio.Future[Result]) -> Result:
        """Wait for ``work``, which goes on when the caller is cancelled; the database stays open until then."""
        self._in_flight.add(work)
        work.add_done_callback(self._in_flight.discard)
        return await run_to_the_end(work, "write transaction")

    async def truncate_log(self) -> None:
        """Remove deleted rows from SQLite's write-ahead log, unless readers are in the way all the time."""
        for _look in range(TRIES):
            if not isinstance(self._writer, sqlite.Writer) or await self._finish(self._writer.truncate_log()):
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

    async def _transact(
        self,
        engine: AsyncEngine,
        work: Callable[Concatenate[Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        async with self._writers, aclosing(await self._connect(engine)) as connection:
            transaction = await connection.begin()
            try:
                result = await connection.run_sync(work, *args, **kwargs)
            except BaseException as error:
                # The server may have ended it with the connection. The first error is the one to report.
                with suppress(DBAPIError):
                    await transaction.rollback()
                if isinstance(error, DBAPIError) and postgres.may_succeed_again(error):
                    raise _Again(error) from error
                raise
            # A failure from here on is not tried again: the commit may have happened.
            await transaction.commit()
            return result

    async def close(self) -> None:
        """Let what is in flight finish, then close the connections.

        A connection in use stays open when this is cancelled: its thread, no daemon, would keep the program from
        ending.
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
    """A failure for a passing reason, before any effect."""

    def __init__(self, error: DBAPIError | OSError) -> None:
        super().__init__(str(error))
        self.error = error


class LockScope(Enum):
    CHANNEL = "channel"
    """For the number of open tables in it."""
    GUILD = "guild"
    """For its standings, records and seasons; its settings; its daily challenge."""
    PERSON = "person"
    """For the seats a person has; their settings; their attempts at challenges."""
    SCHEMA = "schema"


def lock_subjects(connection: Connection, what: LockScope, *ids: int) -> None:
    """Hold these, in everybody's order, until the transaction ends. PERSON is taken last."""
    if ids and connection.dialect.name == "postgresql":
        connection.execute(_HOLD, {"keys": sorted({_make_key(what, one) for one in ids})})


def lock_games(connection: Connection, *game_ids: str) -> None:
    """Lock games before reading their seats. One query for both could wait for the lock and still return old seats."""
    if game_ids and connection.dialect.name == "postgresql":
        connection.execute(_HOLD_GAMES, {"games": game_ids})


def hold_challenge(connection: Connection, challenge_id: str) -> None:
    """Keep a challenge as it is, before it and its attempts are read, until the transaction ends.

    Whoever plays holds it together with the others, so nobody waits for a player. The one who stores that it is closed
    changes its row, and so waits for those who play: what is read after that is all that was played.
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
    """Return an advisory lock's number of 64 bits: https://www.postgresql.org/docs/current/explicit-locking.html."""
    return int.from_bytes(blake2b(f"highscore {what.value} {one}".encode(), digest_size=8).digest(), signed=True)
