"""From the databases that older versions have left to this version, on with the play, and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from sqlalchemy import Connection, select, text

from bot.domain import notify
from bot.domain.timing import Timing
from bot.store import schema
from bot.store.cup import load_view
from bot.store.database import Database
from bot.store.models import attempts, games, reminders, seats
from bot.store.rows import TIMING, events_from_lines, find_rows
from bot.store.table import load_events, load_table
from highscore import TurnOrder, replay_events
from tests import postgresql
from tests.bot.databases import open_database
from tests.bot.store.older import (
    Older,
    Row,
    describe,
    dump_rows,
    find_changed_columns,
    find_changes,
    find_differences,
    load_rows,
    read_older,
)


@pytest.fixture(scope="module")
def older() -> Older:
    return read_older()


@asynccontextmanager
async def _open_empty(database_url: str, folder: Path) -> AsyncIterator[Database]:
    async with AsyncExitStack() as stack:
        url = f"sqlite+aiosqlite:///{folder / 'older.sqlite3'}"
        if not database_url.startswith("sqlite"):
            url = await stack.enter_async_context(postgresql.new_database())
        yield await stack.enter_async_context(open_database(url))


@pytest.fixture
async def database(older: Older, database_url: str, tmp_path: Path) -> AsyncIterator[Database]:
    async with _open_empty(database_url, tmp_path) as opened:
        await opened.write(load_rows, older.rows)
        yield opened


TO_0005 = {
    "games.timing": "last presses, the reason for a pause, and moments of silence are gone",
    "games.news": "two kinds became one of the others",
    "cup_entrants.left": "who withdrew early stays in the digest of a cup that had started",
    "cup_legs.began_at": "a leg begins with its post, which was not sent",
    "cup_posts.what": "the post that starts a cup has a kind of its own",
    "cup_posts.leg": "it belongs to no leg",
    "cup_posts {unposted} 4": "the reminder of a leg is planned when its post is sent",
}
"""The columns and rows of the older version that migrations change."""
BACK_TO_0001 = {
    **{name: TO_0005[name] for name in ("games.timing", "games.news", "cup_entrants.left", "cup_posts {unposted} 4")},
    "cup_legs.began_at": "the leg with the unsent post has no beginning that could be put back",
    "cup_legs.planned_at": "the end that was announced, with the outages",
    "cup_legs.outages": "they are in the end",
    "cup_posts.argument": "a leg can be prolonged only by a day",
}
"""The columns and rows that differ after the way there and back."""


async def _migrate(database: Database, command: Literal["upgrade", "downgrade"], revision: str) -> None:
    await database.write(partial(schema.run_alembic, command=command, revision=revision))


async def test_migrations_change_the_rows_that_they_are_to_change(older: Older, database: Database) -> None:
    before = await database.read(dump_rows)
    rows = {table: [_without_empty(row) for row in some.values()] for table, some in before.items()}
    assert rows == older.rows
    cups = older.about["cups"]
    way: tuple[tuple[Literal["upgrade", "downgrade"], str, dict[str, str]], ...] = (
        ("upgrade", "0005", TO_0005),
        ("downgrade", "0001", BACK_TO_0001),
    )
    for command, revision, changes in way:
        await _migrate(database, command, revision)
        changed = find_changed_columns(before, await database.read(dump_rows))
        assert changed == {name.format(unposted=cups["Unposted"]) for name in changes}


def _without_empty(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


async def test_values_are_read_as_the_older_version_read_them(older: Older, database: Database) -> None:
    tables, cups = older.about["tables"], older.about["cups"]
    expected = {
        tables["cancelled"]: [".news.0.kind: cancelled by all -> cancelled"],
        tables["missed"]: [".news.0.kind: kept -> played"],
        cups["League"]: [".cup.entrants.3.left: 0 -> 1"],
        cups["Starting"]: [".cup.entrants.5.left: 0 -> 1"],
        cups["Unposted"]: [
            ".legs.1.began_at: 2026-01-04T09:00:00.000001 -> None",
            ".legs.1.ends_at: 2026-01-06T09:00:00 -> 2026-01-08T09:05:56",
        ],
    }
    for _again in range(2):
        await schema.migrate_database(database)
        assert await database.read(find_differences) == []
        if not database.shared:
            await database.read(schema.check_objects)
        changes = {each: find_changes(seen, await _describe(database, each)) for each, seen in older.seen.items()}
        assert {each: found for each, found in changes.items() if found} == expected
        assert await database.read(_replay_all) == len(older.rows["games"]) + len(older.rows["attempts"])
        unposted = await database.read(load_view, cups["Unposted"])
        assert unposted is not None
        assert unposted.legs[-1].ends_at.isoformat() == "2026-01-08T09:05:56+00:00", "with the outage, as announced"
        assert await database.read(_find_erased) == [tables["former"]]
        assert await database.read(_find_wrong_moments) == []
        await _migrate(database, "downgrade", "0001")


async def test_every_field_of_a_table_is_read_as_version_0006_wrote_it(database_url: str, tmp_path: Path) -> None:
    """A field that is renamed without its migration would get its default: a deadline would be lost."""
    older = read_older("0006")
    for seen in older.seen.values():
        unset = describe(Timing())
        assert all(seen["timing"][name] != value for name, value in unset.items()), "no field has its default"
    async with _open_empty(database_url, tmp_path) as database:
        await database.write(load_rows, older.rows, "0006")
        before = await database.read(dump_rows)
        for _again in range(2):
            await schema.migrate_database(database)
            assert await database.read(find_differences) == []
            for table_id, seen in older.seen.items():
                assert find_changes(seen, await _describe(database, table_id)) == []
            assert await database.read(_find_calls) == {
                (row["game_id"], row["user_id"], row["kind"].replace("page", "screen"), row["span"], row["due_at"])
                for row in older.rows["reminders"]
            }
            await _migrate(database, "downgrade", "0006")
            assert await database.read(dump_rows) == before


def _find_calls(connection: Connection) -> set[tuple[object, ...]]:
    calls = find_rows(connection, notify.Call, reminders)
    return {(each.game_id, each.user_id, each.kind, each.deadline_scope, describe(each.due_at)) for each in calls}


async def test_the_post_that_starts_a_cup_is_no_leg_s_also_if_it_was_sent(older: Older, database: Database) -> None:
    """The leg that is drawn after it has a post of its own, which calls people once."""

    def send(connection: Connection) -> None:
        sent = text("UPDATE cup_posts SET message_id = 1, post_at = NULL WHERE cup_id = :cup AND what = 'leg'")
        connection.execute(sent, {"cup": older.about["cups"]["Starting"]})
        connection.execute(text("UPDATE cups SET opening = 1 WHERE status = 'starting'"))

    await database.write(send)
    await schema.migrate_database(database)
    posts = (await database.read(dump_rows))["cup_posts"].values()
    theirs = [each for each in posts if each["cup_id"] == older.about["cups"]["Starting"]]
    assert [(each["what"], each["leg"]) for each in theirs] == [("entry", 0), ("start", 0)]


async def _describe(database: Database, one: str) -> Row:
    found: Row = describe(await database.read(load_table, one) or await database.read(load_view, one))
    return found


def _find_erased(connection: Connection) -> list[str]:
    return list(connection.scalars(select(seats.c.game_id).where(seats.c.erased)))


def _replay_all(connection: Connection) -> int:
    """Check that all event logs lead to what is stored. Return their number."""
    ids, logs = connection.scalars(select(games.c.id)).all(), connection.scalars(select(attempts.c.events)).all()
    for table_id in ids:
        table = load_table(connection, table_id)
        assert table is not None
        if table.game is not None:
            log = load_events(connection, table_id)
            assert replay_events(len(table.seats), table.turn_order, log) == table.game, table_id
    for lines in logs:
        replay_events(1, TurnOrder.OWN_PACE, events_from_lines([lines] if lines else []))
    return len(ids) + len(logs)


def _find_wrong_moments(connection: Connection) -> list[str]:
    """Return the tables whose clock would wake at another moment than the first of theirs."""
    rows = connection.execute(select(games.c.id, games.c.wake_at, games.c.timing))
    return [row.id for row in rows if row.wake_at != TIMING.read(row.timing).wake_at]
