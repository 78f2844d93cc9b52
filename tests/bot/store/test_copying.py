import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pydantic import SecretStr
from sqlalchemy import Executable, create_engine, delete, insert, inspect, select, text, update
from sqlalchemy.pool import NullPool

from bot.config import Settings
from bot.services.leaderboard import rebuild
from bot.store.copying import CopyFailed, Digest, check_idle, copy_rows
from bot.store.database import Database
from bot.store.errors import DatabaseError
from bot.store.models import events, games, guild_settings, metadata, seats, standings
from bot.store.schema import list_revisions, load_schema_state, migrate_database
from tests.bot.cores import opened
from tests.bot.databases import open_database, update_program
from tests.bot.stocked import stocked
from tests.postgresql import new_database

Result = TypeVar("Result")


@asynccontextmanager
async def postgresql(options: str = "") -> AsyncIterator[Database]:
    async with new_database(options=options) as url, open_database(url) as database:
        yield database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return stocked(tmp_path / "source.sqlite3")


@pytest.fixture
async def source(file: Path) -> AsyncIterator[Database]:
    async with open_database(f"sqlite:///{file}") as database:
        yield database


@pytest.fixture(params=["sqlite", "postgresql"])
async def target(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    file = f"sqlite:///{tmp_path / 'target.sqlite3'}"
    async with open_database(file) if request.param == "sqlite" else postgresql() as database:
        yield database


def alter(file: Path, statement: Executable) -> None:
    """Change something in a file behind everybody's back."""
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(statement)


async def prepare(target: Database, statement: Executable | None = None) -> None:
    """Migrate a target and perhaps write something into it, as another process that is gone."""
    await beside(target, migrate_database)
    if statement is not None:
        await beside(target, lambda other: other.write(lambda connection: connection.execute(statement)))


async def everything(database: Database) -> dict[str, list[Any]]:
    async with database.reading() as connection:
        return {
            table.name: sorted((tuple(row) for row in await connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }


async def beside(target: Database, work: Callable[[Database], Awaitable[Result]]) -> Result:
    """Do something with a database as another process, which is gone afterwards."""
    async with open_database(target.url) as other:
        return await work(other)


async def tables(database: Database) -> list[str]:
    return await database.read(lambda synchronous: inspect(synchronous).get_table_names())


async def test_every_row_arrives_and_is_told(
    source: Database, target: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A target that was migrated is empty enough; and there are more rows than are read together.
    await prepare(target)
    monkeypatch.setattr("bot.store.copying.BATCH", 3)
    lines: list[str] = []
    copied = await copy_rows(source, target, lines.append)
    expected = await everything(source)
    assert await everything(target) == expected
    assert all(expected.values())
    assert copied == {name: len(found) for name, found in expected.items()}
    assert lines == [f"{name}: {number}" for name, number in copied.items()]
    # The event logs lead to the same rows on the other database.
    async with opened_on(target) as core:
        done = await rebuild(core)
    assert (done.games, done.failed) == (4, [])
    assert await everything(target) == expected


@asynccontextmanager
async def opened_on(database: Database) -> AsyncIterator[Any]:
    url = database.url.render_as_string(hide_password=False)
    async with opened(Settings(_env_file=None, database_url=SecretStr(url))) as core:  # type: ignore[call-arg]
        yield core


async def test_a_target_of_an_older_schema_is_migrated_with_the_copy_or_not_at_all(
    source: Database, target: Database, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def attempt() -> None:
        await beside(source, lambda one: beside(target, lambda other: copy_rows(one, other)))

    await prepare(target)
    reason = f"has schema {list_revisions()[-1]} instead of 9000; run highscore-bot migrate on it first"
    update_program(monkeypatch, tmp_path)
    before = await beside(target, load_schema_state)
    with pytest.raises(DatabaseError, match=reason):
        await attempt()
    await beside(source, migrate_database)
    alter(file, delete(games).where(games.c.id == "000000000001"))
    with pytest.raises(DatabaseError, match="refuses rows of"):
        await attempt()
    assert await beside(target, load_schema_state) == before
    assert not before.up_to_date
    stocked(file)
    await beside(source, migrate_database)
    await attempt()
    assert (await load_schema_state(target)).up_to_date
    assert await everything(target) == await everything(source)


async def test_a_target_in_which_something_is_stays_as_it_is(source: Database, target: Database) -> None:
    row = {"guild_id": 1, "settings": "{}", "updated_at": datetime(2026, 1, 1, tzinfo=UTC)}
    await prepare(target, insert(guild_settings).values(row))
    with pytest.raises(DatabaseError, match="not empty: the table guild_settings has rows"):
        await copy_rows(source, target)
    assert sum(map(len, (await everything(target)).values())) == 1


async def test_a_copy_that_differs_is_not_kept(
    source: Database, target: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should a driver ever make something else of a value."""
    add, seen = Digest.__add__, list[int]()

    def other(self: Digest, row: Any) -> Digest:
        seen.append(1)
        return add(self, (*row, "other") if len(seen) == 200 else row)

    monkeypatch.setattr(Digest, "__add__", other)
    with pytest.raises(CopyFailed, match="in the copy differ from"):
        await copy_rows(source, target)
    assert await tables(target) == []


async def test_a_move_that_is_made_meanwhile_is_noticed(source: Database, target: Database) -> None:
    """Somebody starts the bot after it was seen that nobody has the database open."""
    path = str(source.url.database)
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:

        def move(line: str) -> None:
            if line.startswith("seats:"):
                other.execute("UPDATE games SET version = version + 1 WHERE status = 'playing'")

        with pytest.raises(CopyFailed, match="the database changed while it was being copied"):
            await copy_rows(source, target, move)
    assert await tables(target) == []


async def test_while_a_bot_is_connected_nothing_is_copied(source: Database, target: Database) -> None:
    in_use = r"is in use; stop the bot first|a bot is connected to the database"
    for database in (source, target):
        async with open_database(database.url) as bot:
            await migrate_database(bot)
            with pytest.raises(DatabaseError, match=in_use):
                await copy_rows(source, target)
    await check_idle(target)


async def test_a_postgresql_that_cannot_store_every_name_is_refused(source: Database) -> None:
    async with postgresql("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0") as target:
        with pytest.raises(DatabaseError, match="has the encoding LATIN1; create it with the encoding UTF8"):
            await copy_rows(source, target)


LONG = "x" * 101


DAMAGES: dict[Executable, str] = {
    update(seats).where(seats.c.seat == 1).values(lucky_word="hunter2\0"): "seats",
    update(standings).where(standings.c.period == "all").values(name=LONG): "standings",
    update(seats).where(seats.c.seat == 0).values(misses=2**15): "seats",
    update(events).where(events.c.seq == 2).values(seq=2**31): "events",
    text("update seats set game_id = 'gone' where game_id = (select min(game_id) from seats)"): "seats",
}


async def test_rows_that_postgresql_refuses_are_named_without_their_values(tmp_path: Path) -> None:
    async with postgresql() as target:
        for number, (damage, table) in enumerate(DAMAGES.items()):
            alter(file := stocked(tmp_path / f"{number}.sqlite3"), damage)
            async with open_database(f"sqlite:///{file}") as source:
                with pytest.raises(DatabaseError, match=rf"refuses rows of {table} \(\w+\)$") as refused:
                    await beside(target, partial(copy_rows, source))
            assert await beside(target, tables) == []
            assert "hunter2" not in str(refused.value)
            assert LONG not in str(refused.value)


def test_a_digest_tells_every_difference_but_the_order_of_rows() -> None:
    first, second = (1, "a", None, b"\0", datetime(2026, 1, 1, tzinfo=UTC)), (1.5, True, "1", b"", "a")
    assert Digest() + first + second == Digest() + second + first
    for other in (
        (1, "a", None, b"\0", datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=UTC)),
        (1, "a", "None", b"\0", 0),
        (1, "a, None"),
    ):
        assert Digest() + first != Digest() + other
    assert Digest() + first + first != Digest() + first
