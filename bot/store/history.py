"""Queries for finished games. All of them use an index."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, select

from bot.domain.history import FinishedGame, Player
from bot.domain.ledger import Result
from bot.store.models import finished_games, results, seats
from bot.store.rows import from_row


def load_finished_at(connection: Connection, guild_id: int, game_id: str) -> datetime | None:
    """Return when a game ended, or None if it is not a finished game of this server."""
    here = finished_games.c.game_id == game_id, finished_games.c.guild_id == guild_id
    moment: datetime | None = connection.scalar(select(finished_games.c.finished_at).where(*here))
    return moment


def find_game_ids(
    connection: Connection,
    guild_id: int,
    user_id: int | None,
    limit: int,
    moment: datetime | None = None,
    *,
    newer: bool = False,
) -> list[str]:
    """Return the ids of at most ``limit`` finished games of a server, or of one person there.

    The list begins with the last game that ended before ``moment`` and goes back in time. With ``newer``, it begins
    with the first game that ended after ``moment`` and goes forward. If ``moment`` is None, it begins with the newest
    game of all, or with ``newer`` the oldest. No two games of a server end at the same microsecond.
    """
    table = finished_games if user_id is None else results
    ended = table.c.finished_at
    query = select(table.c.game_id).where(table.c.guild_id == guild_id)
    if user_id is not None:
        query = query.where(results.c.user_id == user_id)
    if moment is not None:
        query = query.where(ended > moment if newer else ended < moment)
    return list(connection.scalars(query.order_by(ended if newer else ended.desc()).limit(limit)))


def load_games(connection: Connection, ids: Sequence[str]) -> list[FinishedGame]:
    rows = connection.execute(
        select(results, seats.c.name)
        .join(seats, and_(seats.c.game_id == results.c.game_id, seats.c.seat == results.c.seat))
        .where(results.c.game_id.in_(ids))
        .order_by(results.c.finished_at.desc(), results.c.game_id, results.c.place, results.c.seat)
    )
    played: dict[str, list[Player]] = {}
    for row in rows.mappings():
        played.setdefault(row["game_id"], []).append(Player(from_row(Result, row), row["name"]))
    return [FinishedGame(game_id, line[0].result.finished_at, tuple(line)) for game_id, line in played.items()]
