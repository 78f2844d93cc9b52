"""Nothing that people do reads a whole table: every statement finds what it needs by an index."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, event, literal_column, select

from bot.config import Settings
from bot.domain import calendar, leaderboard
from bot.domain.challenge import Attempt
from bot.domain.daily import Daily
from bot.domain.shards import Share
from bot.domain.table import Status
from bot.operations.health import load_backlog
from bot.services import core, daily, history, lobby, privacy
from bot.services.core import Core, Place
from bot.services.leaderboard import load_hall_of_fame, load_leaderboard, load_past_seasons
from bot.services.privacy import compare_guilds, note_guild_left
from bot.store import claims, models
from tests.bot import attempts
from tests.bot.cores import ADA, BEN, CHANNEL, GUILD, begun, open_one, opened, seated, started
from tests.bot.databases import plans
from tests.bot.played import play_on

LARGE = re.compile(
    r"\b((ix|pk|uq)_)?(games|seats|events|finished_games|results|standings|card_standings|records|challenges|dailies|attempts)"
    r"(_|\b)"
)
"""Tables that grow for ever."""
SMALL_INDEXES = re.compile(
    r"ix_(events_naming_people|games_owed|games_wake_at|games_open_channel|finished_games_review_owed|reminders_unsent"
    r"|(dailies|attempts|seasons|shared_messages|absences)_post_at)\b"
)
"""Partial indexes with few rows, which may be read as a whole."""

Work = Callable[[Core], Awaitable[Any]]
YEAR = timedelta(days=365)
HALF = Share(2, frozenset({0}))


async def _open(running: Core) -> object:
    return await open_one(running, BEN, channel_id=CHANNEL + 1)


async def _begin_day(running: Core) -> Attempt[Daily]:
    asking = replace(ADA, interaction_id=1)
    return await daily.begin_attempt(running, asking, Place(GUILD, CHANNEL, "en"))


def _reading(*asks: Callable[[Connection, datetime], object]) -> Work:
    """Run the queries of regular looks, whether or not they find anything."""

    async def work(running: Core) -> None:
        for ask in asks:
            await running.database.read(ask, running.now())

    return work


def _claiming(*works: Callable[[Connection, datetime], object]) -> Work:
    """Run the claims of a process."""

    async def work(running: Core) -> None:
        def transaction(connection: Connection) -> None:
            for claiming in works:
                claiming(connection, running.now() + YEAR)

        await running.database.write(transaction)

    return work


def _claim_and_end(connection: Connection, now: datetime, rows: claims.Claimable) -> None:
    for key in claims.claim_due(connection, rows, now, 10, Share()):
        claims.load_claimed_row(connection, rows, key)
        claims.hold_claimed(connection, rows, key, now, now)
        claims.mark_done(connection, rows, key, now)


def _next(connection: Connection, now: datetime, rows: claims.Claimable, share: Share) -> datetime | None:
    return claims.find_next_moment(connection, rows, now, share)


async def _move(running: Core) -> object:
    return await play_on(running, await started(running, 2), moves=3)


async def _decide_daily(running: Core) -> object:
    attempt = await _begin_day(running)
    return await attempts.decide(running, daily.DAYS, attempt, person=replace(ADA, interaction_id=2))


async def _page(running: Core, order: leaderboard.Order) -> object:
    return await load_leaderboard(running, GUILD, calendar.ALL_TIME, order, 1, ADA.user_id)


WORKS: dict[str, Work] = {
    "open a table": _open,
    "show": lambda running: core.get_latest_table(running, CHANNEL),
    "history": lambda running: history.load_history(running, GUILD, None),
    "somebody's history": lambda running: history.load_history(running, GUILD, ADA.user_id),
    "autocomplete": lambda running: history.load_recent_games(running, GUILD),
    "stats": lambda running: history.load_statistics(running, GUILD, ADA.user_id),
    **{f"leaderboard, {order.value}": partial(_page, order=order) for order in leaderboard.Order},
    "hall of fame": lambda running: load_hall_of_fame(running, GUILD, 0),
    "past seasons": lambda running: load_past_seasons(running, GUILD),
    "me": lambda running: privacy.count_about(running, ADA.user_id),
    "export": lambda running: privacy.export_person(running, ADA.user_id),
    "delete": lambda running: privacy.erase_person(running, ADA),
    "daily": _begin_day,
    "daily move": _decide_daily,
    "move": _move,
    "leave": lambda running: note_guild_left(running, GUILD),
    "what is next": _reading(
        *(
            partial(_next, rows=rows, share=share)
            for rows in (
                claims.DUE_TABLES,
                claims.UNSHOWN_TABLES,
                claims.PENDING_REVIEWS,
                claims.UNSENT_REMINDERS,
                *claims.POSTS,
            )
            for share in (Share(), HALF)
        ),
    ),
    "what is claimed": _claiming(
        lambda connection, now: claims.claim_due(connection, claims.DUE_TABLES, now, 10, HALF),
        lambda connection, now: claims.claim_unshown(connection, now, 10, HALF, "me"),
        lambda connection, now: claims.claim_reminders(connection, now, 10, HALF),
        lambda connection, now: claims.claim_due(connection, claims.PENDING_REVIEWS, now, 10, HALF),
        lambda connection, _now: claims.release_unshown(connection, "me"),
        lambda connection, _now: claims.release_all(connection),
    ),
    "posts": _claiming(
        *(partial(_claim_and_end, rows=rows) for rows in claims.POSTS),
    ),
    "metrics": _reading(load_backlog),
    "start": lambda running: compare_guilds(running, [GUILD]),
}


def _scans(settings: Settings, statements: list[tuple[str, Any]]) -> list[str]:
    return [
        f"{step.says}: {statement}"
        for statement, steps in plans(settings, statements)
        for step in steps
        if step.reads_all and LARGE.search(step.says) and not SMALL_INDEXES.search(step.says)
    ]


@pytest.mark.only_sqlite("PostgreSQL's planner chooses by the statistics it happens to have: not yet told apart here")
async def test_nothing_reads_a_whole_table(settings: Settings) -> None:
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        statements.append((statement, parameters))

    async with opened(settings) as running:
        table = await lobby.set_lucky_word(running, (await seated(running, 2)).id, ADA, "clover")
        await play_on(running, await begun(running, table.id))
        for engine in (running.database._engine, running.database._reader, running.database._writer):
            assert engine is not None
            event.listen(engine.sync_engine, "before_cursor_execute", note)
        for name, work in WORKS.items():
            statements.clear()
            await work(running)
            assert statements, name
            assert (name, _scans(settings, statements)) == (name, [])


async def test_what_counts_as_open_is_the_same_in_the_database(settings: Settings) -> None:
    async with opened(settings) as running, running.database.reading() as connection:
        for status in Status:
            row = select(literal_column(f"'{status.value}'").label("status")).subquery("games")
            found = await connection.scalar(select(literal_column(str(models.IS_OPEN))).select_from(row))
            assert bool(found) is status.open
