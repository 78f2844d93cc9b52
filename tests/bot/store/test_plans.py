"""Nothing that people do reads a whole table: every statement finds what it needs by an index."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import event, literal_column, select

from bot.observing.backlog import load_backlog
from bot.services import archive, core, daily, departures, lobby, privacy, results
from bot.services.core import Core
from bot.settings import Settings
from bot.store import results as result_store
from bot.store import tables as table_store
from bot.store.models import IS_OPEN
from bot.table import Status
from tests.bot.cores import ADA, BEN, CHANNEL, GUILD, opened, seated
from tests.bot.databases import database_file
from tests.bot.played import play_on

pytestmark = pytest.mark.only_sqlite("asks for plans in the words of SQLite")

LARGE = "games|seats|events|finished_games|results|standings|card_standings|records|dailies|daily_plays|daily_events"
"""Tables that grow for ever."""
SMALL_INDEXES = (
    "ix_events_naming_people|ix_games_owed|ix_games_wake_at|ix_games_open_channel|ix_finished_games_review_owed"
)
"""Partial indexes with few rows, which may be read as a whole."""

Work = Callable[[Core], Awaitable[Any]]


async def _open(running: Core) -> object:
    return await lobby.open_table(running, BEN, guild_id=GUILD, channel_id=CHANNEL + 1, locale="en")


async def _begin_day(running: Core) -> object:
    return await daily.begin(
        running, ADA, guild_id=GUILD, channel_id=CHANNEL, parent_id=None, locale="en", interaction_id=1
    )


async def _next_wake(running: Core) -> object:
    async with running.database.read() as connection:
        return await table_store.next_wake(connection)


async def _owed_reviews(running: Core) -> object:
    async with running.database.read() as connection:
        return await result_store.owed_reviews(connection, 20)


async def _backlog(running: Core) -> object:
    async with running.database.read() as connection:
        return await load_backlog(connection, running.now())


WORKS: dict[str, Work] = {
    "open a table": _open,
    "show": lambda running: core.latest(running, CHANNEL),
    "history": lambda running: archive.history(running, GUILD, None),
    "somebody's history": lambda running: archive.history(running, GUILD, ADA.user_id),
    "autocomplete": lambda running: archive.recent(running, GUILD),
    "stats": lambda running: archive.statistics(running, GUILD, ADA.user_id),
    "me": lambda running: privacy.about(running, ADA.user_id),
    "export": lambda running: privacy.export(running, ADA.user_id),
    "delete": lambda running: privacy.forget(running, ADA),
    "daily": _begin_day,
    "clock": _next_wake,
    "reviews": _owed_reviews,
    "metrics": _backlog,
    "start": lambda running: departures.compare(running, [GUILD]),
}


def _scans(settings: Settings, statements: list[tuple[str, Any]]) -> list[str]:
    found: list[str] = []
    with closing(sqlite3.connect(database_file(settings))) as connection:
        for statement, parameters in statements:
            values = parameters[0] if isinstance(parameters, list) else parameters
            if re.match(r"\s*(SELECT|UPDATE|DELETE|WITH)\b", statement):
                for *_ids, step in connection.execute(f"explain query plan {statement}", values):
                    if re.match(rf"SCAN ({LARGE})\b", step) and not re.search(SMALL_INDEXES, step):
                        found.append(f"{step}: {statement}")
    return found


@pytest.mark.parametrize("name", WORKS)
async def test_nothing_reads_a_whole_table(settings: Settings, name: str) -> None:
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        statements.append((statement, parameters))

    async with opened(settings) as running:
        running.round_ended = results.round_ended
        table = await lobby.set_lucky_word(running, (await seated(running, 2)).id, ADA, "clover")
        await play_on(running, await lobby.start(running, table.id, ADA))
        for engine in (running.database._reader, running.database._writer):
            event.listen(engine.sync_engine, "before_cursor_execute", note)
        await WORKS[name](running)
    assert statements
    assert _scans(settings, statements) == []


async def test_a_statement_that_reads_a_whole_table_is_noticed(settings: Settings) -> None:
    async with opened(settings):
        pass
    assert len(_scans(settings, [("SELECT id FROM games WHERE status IN (?, ?)", ("lobby", "playing"))])) == 1


async def test_what_counts_as_open_is_the_same_in_the_database(settings: Settings) -> None:
    async with opened(settings) as running, running.database.read() as connection:
        for status in Status:
            row = select(literal_column(f"'{status.value}'").label("status")).subquery("games")
            found = await connection.scalar(select(literal_column(str(IS_OPEN))).select_from(row))
            assert bool(found) is status.open
