"""Rebuild of the results: its reads, and the replacement of all books of a server. In the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from sqlalchemy import Connection, delete, select

from bot.domain.calendar import is_closed
from bot.domain.ledger import Ledger, Result
from bot.domain.outcome import Finish, GameOutcome, Review
from bot.domain.table import Seat
from bot.store.models import badges, card_standings, finished_games, games, records, results, seats, standings
from bot.store.results import save_games
from bot.store.rows import from_row


@dataclass(frozen=True, slots=True)
class Kept:
    """The parts of a game that a rebuild keeps: not told by its event log, or long to compute."""

    finish: Finish
    reviews: Mapping[int, Review]
    review_owed: bool


def find_guilds_with_games(connection: Connection) -> list[int]:
    """Return every server in which a game was ever finished."""
    finished = select(games.c.guild_id).where(games.c.status == "finished")
    return list(connection.scalars(finished.distinct().order_by(games.c.guild_id)))


def load_seats(connection: Connection, guild_id: int) -> dict[str, tuple[Seat, ...]]:
    """Return the seats in the completed games of a server, by game."""
    rows = connection.execute(
        select(seats)
        .join(games, games.c.id == seats.c.game_id)
        .where(games.c.guild_id == guild_id, games.c.status == "finished")
        .order_by(seats.c.game_id, seats.c.seat)
    ).mappings()
    return {
        game_id: tuple(from_row(Seat, row) for row in group)
        for game_id, group in groupby(rows, lambda row: row["game_id"])
    }


def load_kept(connection: Connection, guild_id: int) -> dict[str, Kept]:
    """Return what a rebuild of a server keeps, by game."""
    reviews: dict[str, dict[int, Review]] = {}
    rows = connection.execute(
        select(results.c.game_id, results.c.seat, results.c.luck, results.c.loss, results.c.decisions)
        .join(finished_games, finished_games.c.game_id == results.c.game_id)
        .where(finished_games.c.guild_id == guild_id, results.c.decisions.is_not(None))
    )
    for game_id, seat, luck, loss, decisions in rows:
        reviews.setdefault(game_id, {})[seat] = Review(luck, loss, decisions)
    ended = connection.execute(select(finished_games).where(finished_games.c.guild_id == guild_id))
    return {
        row["game_id"]: Kept(from_row(Finish, row), reviews.get(row["game_id"], {}), row["review_owed"])
        for row in ended.mappings()
    }


def replace_books(
    connection: Connection,
    guild_id: int,
    outcomes: Sequence[tuple[GameOutcome, bool]],
    seats: Sequence[Result],
    ledger: Ledger,
    today: date,
) -> None:
    """Replace all books of a server. Each outcome comes with whether its review is owed.

    The standings of closed seasons and months stay, so that a podium that was posted remains true by every later rule.
    """
    periods = connection.scalars(select(standings.c.period).where(standings.c.guild_id == guild_id).distinct())
    closed = {period for period in periods if is_closed(period, today)}
    for table in (badges, records, card_standings, finished_games):
        connection.execute(delete(table).where(table.c.guild_id == guild_id))
    connection.execute(delete(standings).where(standings.c.guild_id == guild_id, standings.c.period.not_in(closed)))
    ledger.standings = {key: line for key, line in ledger.standings.items() if line.period not in closed}
    save_games(connection, outcomes, seats, ledger)
