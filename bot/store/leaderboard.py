"""Looking up leaderboards, records, seasons and what one person has done. Nothing here sums over games.

Every function works inside the caller's transaction. The query plans are in the output of benchmarks/leaderboards.py.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, and_, case, func, literal, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.leaderboard import PAGE, Order
from bot.domain.ledger import CardStanding, PlayerStanding, Record, Result
from bot.domain.season import ALL_TIME
from bot.store.models import card_standings, records, results, seasons, standings
from bot.store.rows import from_row

_LOWEST = -1_000_000
"""Below everything anybody is ranked by. A condition on it leaves the NULLs out and, unlike one on NULL, is a range
of the index."""


def page_query(guild_id: int, period: str, order: Order, page: int, user_id: int) -> Select[Any]:
    """A page of a leaderboard and one line more; and the line of one person with how many are ahead of it.

    One query, so that a crowded server takes no longer way than a small one, where everybody is on the first page.
    """
    key = standings.c[order.column]
    here = and_(standings.c.guild_id == guild_id, standings.c.period == period)
    # First only the index: lines that are skipped are not looked up.
    ranked = (
        select(standings.c.user_id, literal(1).label("on_page"))
        .where(here, key >= _LOWEST)
        .order_by(*_best_first(order))
        .offset(page * PAGE)
        .limit(PAGE + 1)
        .subquery()
    )
    chosen = union_all(select(ranked), select(literal(user_id), literal(0))).subquery()
    others = standings.alias()
    ahead = (
        select(func.count())
        .where(others.c.guild_id == guild_id, others.c.period == period, _better(others, order, key))
        .scalar_subquery()
    )
    return (
        select(standings, chosen.c.on_page, case((chosen.c.on_page == 0, ahead)).label("ahead"))
        .join(chosen, standings.c.user_id == chosen.c.user_id)
        .where(here)
        .order_by(*_best_first(order))
    )


def _best_first(order: Order) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    key = standings.c[order.column]
    return (key, standings.c.user_id) if order.ascending else (key.desc(), standings.c.user_id.desc())


def _better(among: FromClause, order: Order, value: ColumnElement[Any]) -> ColumnElement[bool]:
    key = among.c[order.column]
    return and_(key < value, key >= _LOWEST) if order.ascending else key > value


async def load_page(
    connection: AsyncConnection, guild_id: int, period: str, order: Order, page: int, user_id: int
) -> tuple[list[PlayerStanding], PlayerStanding | None, int]:
    """A page of a leaderboard and one line more, the best first; one person's line, and how many are ahead of it."""
    lines: list[PlayerStanding] = []
    own, ahead = None, 0
    for row in (await connection.execute(page_query(guild_id, period, order, page, user_id))).mappings():
        line = from_row(PlayerStanding, row)
        if row["on_page"]:
            lines.append(line)
        else:
            own, ahead = line, row["ahead"]
    return lines, own, ahead


async def count_ahead(connection: AsyncConnection, guild_id: int, period: str, order: Order, value: float) -> int:
    """How many are better than this."""
    better = _better(standings, order, literal(value))
    rows = await connection.execute(
        select(func.count())
        .select_from(standings)
        .where(standings.c.guild_id == guild_id, standings.c.period == period, better)
    )
    return rows.scalar_one()


async def load_standing(connection: AsyncConnection, guild_id: int, period: str, user_id: int) -> PlayerStanding | None:
    """Somebody's line of a period, or None when they finished no game in it."""
    rows = await connection.execute(
        select(standings).where(
            standings.c.guild_id == guild_id, standings.c.period == period, standings.c.user_id == user_id
        )
    )
    row = rows.mappings().one_or_none()
    return None if row is None else PlayerStanding(**row)


async def load_cards(connection: AsyncConnection, guild_id: int, user_id: int) -> list[CardStanding]:
    """Somebody's figures on each card they have played."""
    rows = await connection.execute(
        select(card_standings)
        .where(card_standings.c.guild_id == guild_id, card_standings.c.user_id == user_id)
        .order_by(card_standings.c.card)
    )
    return [CardStanding(**row) for row in rows.mappings()]


async def load_results(
    connection: AsyncConnection, guild_id: int, user_id: int, limit: int, before: datetime | None = None
) -> list[Result]:
    """Somebody's finished games, the newest first; a further page begins ``before`` the last moment of this one."""
    mine = and_(results.c.user_id == user_id, results.c.guild_id == guild_id)
    rows = await connection.execute(
        select(results)
        .where(mine if before is None else and_(mine, results.c.finished_at < before))
        .order_by(results.c.finished_at.desc())
        .limit(limit)
    )
    return [Result(**row) for row in rows.mappings()]


async def load_fame(connection: AsyncConnection, guild_id: int) -> list[tuple[Record, str | None]]:
    """All records of a server, each with its holder's name where they are still known."""
    rows = await connection.execute(
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
    return [(from_row(Record, row), row["name"]) for row in rows.mappings()]


async def load_seasons(connection: AsyncConnection, guild_id: int, limit: int) -> Sequence[str]:
    """The seasons of a server in which a game ended, the latest first."""
    rows = await connection.execute(
        select(seasons.c.season)
        .where(seasons.c.guild_id == guild_id)
        .order_by(seasons.c.ends_at.desc(), seasons.c.season)
        .limit(limit)
    )
    return list(rows.scalars())
