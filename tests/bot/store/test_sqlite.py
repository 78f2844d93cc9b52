"""SQLite's own: one writer, alone from the beginning, a thread for whatever may wait, and checkpoints."""

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import OperationalError

import bot.store.sqlite
from bot.store.database import Database
from bot.store.sqlite import DURABILITY
from tests.bot.databases import open_database
from tests.bot.store.counting import COUNTER, count_up, number

pytestmark = pytest.mark.only_sqlite("about SQLite itself")


def found(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


def content(file: Path) -> bytes:
    return file.read_bytes()


async def test_files_and_folders_that_are_not_there_are_made_for_this_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        async with open_database(f"sqlite+aiosqlite:///{tmp_path / 'deep' / 'down' / 'games.sqlite3'}") as made:
            await made.write(lambda connection: connection.execute(text("create table notes (content text)")))
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in found(tmp_path)}
    finally:
        os.umask(before)
    files = {f"games.sqlite3{end}": 0o600 for end in ("", "-wal", "-shm")}
    assert modes == {"deep": 0o700, "down": 0o700, **files}


async def test_what_was_deleted_is_neither_in_the_file_nor_in_its_log(notes: Database) -> None:
    file = Path(str(notes.url.database))
    log = file.with_name(file.name + "-wal")
    await notes.write(lambda connection: connection.execute(text("insert into notes values ('periwinkle')")))
    await notes.truncate_log()
    assert b"periwinkle" in content(file)
    await notes.write(lambda connection: connection.execute(text("delete from notes")))
    async with notes.snapshot() as reader:
        await reader.execute(text("select * from notes"))
        truncating = asyncio.create_task(notes.truncate_log())
        await write(notes, 1)
        assert log.stat().st_size, "it waits for whoever reads, and nobody for it"
    await truncating
    assert log.stat().st_size == 0
    assert b"periwinkle" not in content(file)


@pytest.fixture
def power_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the test open databases as the bot does from here on."""
    monkeypatch.setattr(bot.store.sqlite, "DURABILITY", DURABILITY)


async def test_every_connection_is_configured(power_cuts: None, database: Database) -> None:
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1, "busy_timeout": 5000}

    def ask(connection: Connection) -> dict[str, object]:
        return {name: connection.scalar(text(f"pragma {name}")) for name in expected}

    assert await database.write(ask) == await database.read(ask) == expected
    async with database.reading() as first, database.reading() as second:
        assert [await first.run_sync(ask), await second.run_sync(ask)] == [expected, expected]


async def test_a_transaction_holds_the_write_lock_from_its_beginning(counter: Database) -> None:
    def only_read(connection: Connection) -> None:
        connection.execute(select(COUNTER.c.number))
        with (
            sqlite3.connect(str(counter.url.database), timeout=0) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("update counter set number = 99")
        other.close()

    await counter.write(only_read)
    assert await number(counter) == 0


async def test_a_transaction_runs_in_one_thread_beside_the_event_loop(counter: Database) -> None:
    threads: list[threading.Thread] = []
    beside = asyncio.Event()

    async def go_on() -> None:
        beside.set()

    def work(connection: Connection) -> None:
        threads.append(threading.current_thread())
        count_up(connection)
        counter.await_within(go_on())

    await asyncio.gather(*(counter.write(work) for _ in range(3)))
    assert beside.is_set()
    assert len(set(threads)) == 1
    assert threading.current_thread() not in threads
    with pytest.raises(OperationalError):
        await counter.write(lambda connection: connection.execute(text("select nothing from nowhere")))
    assert await number(counter) == 3


async def read_in_one_go(database: Database, work: Callable[[Connection], int]) -> int:
    return await database.read(work)


async def read_and_write(database: Database, work: Callable[[Connection], int]) -> int:
    return await database.write(work)


async def read_as_a_stream(database: Database, work: Callable[[Connection], int]) -> int:
    async with database.reading() as connection:
        return await connection.run_sync(
            lambda reading: work(reading.execution_options(stream_results=True, max_row_buffer=1))
        )


@pytest.mark.parametrize("read", [read_in_one_go, read_and_write, read_as_a_stream])
async def test_a_result_that_is_left_in_its_middle_ends_with_its_transaction(
    counter: Database, monkeypatch: pytest.MonkeyPatch, read: Callable[..., Awaitable[int]]
) -> None:
    """A result that somebody keeps, as a traceback does, would make later reads as old; and the collector would
    end it in any thread, also while another one is at work with its connection.
    """
    monkeypatch.setattr(bot.store.sqlite, "READERS", 1)
    kept: list[object] = []

    def leave(connection: Connection) -> int:
        rows = connection.execute(text("select number from counter union all select number from counter"))
        kept.append(rows)
        (found,) = next(rows)
        return int(found)

    async with open_database(counter.url, checkpoints=False) as another:
        for number in range(3):
            assert await read(another, leave) == number
            await counter.write(count_up)
    assert len(kept) == 3


PAGES = 1_500
"""More than SQLite lets gather before it checkpoints by itself (1,000)."""
PAGE = 4_096


@pytest.fixture
async def notes(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(f"sqlite:///{tmp_path / 'games.sqlite3'}") as opened:
        await opened.write(lambda connection: connection.execute(text("create table notes (content blob)")))
        yield opened


@pytest.fixture
async def command(notes: Database) -> AsyncIterator[Database]:
    """Return the same file, opened as by a command beside the bot."""
    async with open_database(notes.url, checkpoints=False) as opened:
        yield opened


async def write(database: Database, pages: int) -> None:
    row = {"content": b"x" * (PAGE - 100)}
    await database.write(
        lambda connection: connection.execute(text("insert into notes values (:content)"), [row] * pages)
    )


def size(database: Database) -> int:
    """Return the pages of the file itself, without its write-ahead log: only a checkpoint makes it larger."""
    assert database.url.database is not None
    return Path(database.url.database).stat().st_size // PAGE


async def test_the_write_connection_checkpoints_when_enough_has_gathered(notes: Database) -> None:
    before = size(notes)
    await write(notes, PAGES)
    assert size(notes) >= before + PAGES


async def test_a_command_beside_the_bot_leaves_it_to_the_bot(notes: Database, command: Database) -> None:
    before = size(notes)
    await write(command, PAGES)
    assert size(notes) == before
    await write(notes, 1)
    assert size(notes) >= before + PAGES


async def test_what_a_command_wrote_is_in_the_file_when_everybody_has_closed_it(
    notes: Database, command: Database
) -> None:
    before = size(notes)
    await write(command, PAGES)
    await notes.close()
    assert size(command) == before
    await command.close()
    assert size(command) >= before + PAGES


async def test_readers_neither_write_nor_checkpoint(notes: Database) -> None:
    def pragma(connection: Connection, name: str) -> object:
        return connection.scalar(text(f"pragma {name}"))

    async with notes.reading() as first, notes.reading() as second:
        for reader in (first, second):
            assert await reader.run_sync(pragma, "wal_autocheckpoint") == 0
            with pytest.raises(OperationalError, match="readonly"):
                await reader.execute(text("insert into notes values ('x')"))
    assert await notes.read(pragma, "wal_autocheckpoint") == 0
    with pytest.raises(OperationalError, match="readonly"):
        await notes.read(lambda connection: connection.execute(text("insert into notes values ('x')")))
    assert await notes.write(lambda connection: pragma(connection, "wal_autocheckpoint")) == 1_000
