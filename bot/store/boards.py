"""Looking up leaderboards, records, seasons and what one person has done. Nothing here sums over games.

Every function works inside the caller's transaction. The query plans are in the output of benchmarks/leaderboards.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.boards import PAGE, Order
from bot.ledger import CardStanding, Record, Result, Standing
from bot.season import ALL_TIME
from bot.store.models import card_standings, records, results, seasons, standings

_LOWEST = -1_000_000
"""Below everything anybody is ranked by. A condition on it leaves the NULLs out and, unlike one on NULL, is a range
of the index."""


def page_query(guild_id: int, period: str, order: Order, page: int) -> Select[Any]:
    """A page of a leaderboard and one line more, the best first."""
    key = standings.c[order.column]
    direction = (key, standings.c.user_id) if order.ascending else (key.desc(), standings.c.user_id.desc())
    # First only the index: lines that are skipped are not looked up.
    ranked = (
        select(standings.c.user_id)
        .where(standings.c.guild_id == guild_id, standings.c.period == period, key >= _LOWEST)
        .order_by(*direction)
        .offset(page * PAGE)
        .limit(PAGE + 1)
        .subquery()
    )
    return (
        select(standings)
        .join(ranked, standings.c.user_id == ranked.c.user_id)
        .where(standings.c.guild_id == guild_id, standings.c.period == period)
        .order_by(*direction)
    )


def ahead_query(guild_id: int, period: str, order: Order, value: float) -> Select[int]:
    """How many are better than this."""
    key = standings.c[order.column]
    better: ColumnElement[bool] = and_(key < value, key >= _LOWEST) if order.ascending else key > value
    return (
        select(func.count())
        .select_from(standings)
        .where(standings.c.guild_id == guild_id, standings.c.period == period, better)
    )


async def load_page(connection: AsyncConnection, guild_id: int, period: str, order: Order, page: int) -> list[Standing]:
    """A page of a leaderboard and one line more, the best first."""
    found = await connection.execute(page_query(guild_id, period, order, page))
    return [Standing(**row) for row in found.mappings()]


async def count_ahead(connection: AsyncConnection, guild_id: int, period: str, order: Order, value: float) -> int:
    """How many are better than this."""
    return (await connection.execute(ahead_query(guild_id, period, order, value))).scalar_one()


async def load_standing(connection: AsyncConnection, guild_id: int, period: str, user_id: int) -> Standing | None:
    """Somebody's line of a period, or None when they finished no game in it."""
    found = await connection.execute(
        select(standings).where(
            standings.c.guild_id == guild_id, standings.c.period == period, standings.c.user_id == user_id
        )
    )
    row = found.mappings().one_or_none()
    return None if row is None else Standing(**row)


async def load_cards(connection: AsyncConnection, guild_id: int, user_id: int) -> list[CardStanding]:
    """Somebody's figures on each card they have played."""
    found = await connection.execute(
        select(card_standings)
        .where(card_standings.c.guild_id == guild_id, card_standings.c.user_id == user_id)
        .order_by(card_standings.c.card)
    )
    return [CardStanding(**row) for row in found.mappings()]


async def load_results(
    connection: AsyncConnection, guild_id: int, user_id: int, limit: int, before: datetime | None = None
) -> list[Result]:
    """Somebody's finished games, the newest first; a further page begins ``before`` the last moment of this one."""
    mine = and_(results.c.user_id == user_id, results.c.guild_id == guild_id)
    found = await connection.execute(
        select(results)
        .where(mine if before is None else and_(mine, results.c.finished_at < before))
        .order_by(results.c.finished_at.desc())
        .limit(limit)
    )
    return [Result(**row) for row in found.mappings()]


async def load_seats(connection: AsyncConnection, game_id: str) -> list[Result]:
    """The results of all seats of a finished game, in seat order; none for a game that was not finished."""
    found = await connection.execute(select(results).where(results.c.game_id == game_id).order_by(results.c.seat))
    return [Result(**row) for row in found.mappings()]


async def load_fame(connection: AsyncConnection, guild_id: int) -> list[tuple[Record, str | None]]:
    """All records of a server, each with its holder's name where they are still known."""
    found = await connection.execute(
        select(records, standings.c.name)
        .outerjoin(
            standings,
            and_(
                standings.c.guild_id == records.c.guild_id,
                standings.c.period == ALL_TIME,
                standings.c.user_id == records.c.user_id,
            ),
        )
        .where(records.c.guild_id == guild_id)
        .order_by(records.c.card)
    )
    return [
        (Record(**{column.name: row[column.name] for column in records.columns}), row["name"])
        for row in found.mappings()
    ]


async def load_seasons(connection: AsyncConnection, guild_id: int, limit: int) -> Sequence[str]:
    """The seasons of a server in which a game ended, the latest first."""
    rows = await connection.execute(
        select(seasons.c.season)
        .where(seasons.c.guild_id == guild_id)
        .order_by(seasons.c.ends_at.desc(), seasons.c.season)
        .limit(limit)
    )
    return list(rows.scalars())
