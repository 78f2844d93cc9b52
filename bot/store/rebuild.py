"""Reading what a rebuild of the results needs, and storing all of a server anew. In the caller's transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection, delete, insert, select

from bot.domain.ledger import Ledger, Result
from bot.domain.outcome import Finish, GameOutcome, Review
from bot.store.models import badges, card_standings, events, finished_games, games, records, results, seats, standings
from bot.store.results import finished_row
from bot.store.rows import from_row, to_row


@dataclass(frozen=True, slots=True)
class Kept:
    """What a rebuild keeps of a game, because the event log does not tell it or it takes long to work out."""

    finish: Finish
    reviews: Mapping[int, Review]
    review_owed: bool


def guilds_with_games(connection: Connection) -> list[int]:
    """Every server in which a game was ever finished."""
    finished = select(games.c.guild_id).where(games.c.status == "finished")
    return list(connection.scalars(finished.distinct().order_by(games.c.guild_id)))


def finished_ids(connection: Connection, guild_id: int) -> list[str]:
    """The games of a server that were played to the end."""
    finished = select(games.c.id).where(games.c.guild_id == guild_id, games.c.status == "finished")
    return list(connection.scalars(finished.order_by(games.c.id)))


def users_of(connection: Connection, guild_id: int) -> dict[str, tuple[int | None, ...]]:
    """Whose the seats are in the games of a server that were played to the end, by game."""
    rows = connection.execute(
        select(seats.c.game_id, seats.c.user_id)
        .join(games, games.c.id == seats.c.game_id)
        .where(games.c.guild_id == guild_id, games.c.status == "finished")
        .order_by(seats.c.game_id, seats.c.seat)
    )
    return {game_id: tuple(user_id for _, user_id in seats) for game_id, seats in groupby(rows, lambda row: row[0])}


def last_event_at(connection: Connection, game_id: str) -> datetime:
    """When the last event of a game was committed. Raises LookupError for a game without any."""
    last: datetime | None = connection.scalar(
        select(events.c.created_at).where(events.c.game_id == game_id).order_by(events.c.seq.desc()).limit(1)
    )
    if last is None:
        raise LookupError(f"game {game_id} has no events")
    return last


def load_kept(connection: Connection, guild_id: int) -> dict[str, Kept]:
    """What a rebuild of a server keeps, by game."""
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


def replace_all(
    connection: Connection,
    guild_id: int,
    outcomes: Iterable[tuple[GameOutcome, bool]],
    seats: Sequence[Result],
    ledger: Ledger,
) -> None:
    """Store everything of a server anew. Each outcome comes with whether its review is owed."""
    for table in (badges, records, card_standings, standings, finished_games):
        connection.execute(delete(table).where(table.c.guild_id == guild_id))
    people = [line for line in ledger.standings.values() if line.user_id > 0]
    cards = [line for line in ledger.cards.values() if line.user_id > 0]
    for table, rows in (
        (finished_games, [finished_row(outcome, review_owed=owed) for outcome, owed in outcomes]),
        (results, list(map(to_row, seats))),
        (standings, list(map(to_row, people))),
        (card_standings, list(map(to_row, cards))),
        (records, list(map(to_row, ledger.records.values()))),
        (badges, list(map(to_row, ledger.badges.values()))),
    ):
        if rows:
            connection.execute(insert(table), rows)
