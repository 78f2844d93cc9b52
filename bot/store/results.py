"""Results, standings and records: reading, writing and rebuilding."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, bindparam, delete, func, insert, or_, select, tuple_, update

from bot.domain.calendar import ALL_TIME, day_of, is_closed
from bot.domain.ledger import (
    FORMULA,
    RANKED_OPPONENTS,
    CardStanding,
    EarnedBadge,
    Ledger,
    PlayerStanding,
    Record,
    Result,
)
from bot.domain.outcome import Finish, GameOutcome, Review, find_compared
from bot.domain.table import Seat
from bot.store.database import LockScope, lock_subjects
from bot.store.models import badges, card_standings, finished_games, games, records, results, seasons, seats, standings
from bot.store.rows import find_rows, from_row, insert_or_ignore, insert_or_replace, to_row
from bot.store.settings import load_server_settings
from highscore.deck import ROUNDS


class GameToSave(NamedTuple):
    outcome: GameOutcome
    review_pending: bool
    """True if the luck and loss of the game's seats are still to be computed."""


def next_finish_after(connection: Connection, guild_id: int, now: datetime) -> datetime:
    """Return ``now``, or a microsecond after the server's last finish if that is not earlier than ``now``."""
    last = connection.scalar(
        select(func.max(finished_games.c.finished_at)).where(finished_games.c.guild_id == guild_id)
    )
    return now if last is None or last < now else last + timedelta(microseconds=1)


def load_ledger(connection: Connection, outcome: GameOutcome) -> Ledger:
    """Return the stored standings, card standings, records and badges that this game may change."""
    guild_id = outcome.finish.guild_id
    people = [seat.user_id for seat in outcome.people if seat.user_id is not None]
    cards = sorted({turn.card for seat in outcome.people for turn in seat.turns})
    lines = _load_standings(connection, guild_id, outcome.finish.periods, people)
    theirs = card_standings.c.guild_id == guild_id, card_standings.c.user_id.in_(people)
    on_cards = find_rows(connection, CardStanding, card_standings, *theirs, card_standings.c.card.in_(cards))
    return Ledger(
        {(line.period, line.user_id): line for line in lines},
        {(line.user_id, line.card): line for line in on_cards},
        load_records(connection, guild_id, cards),
        badges={(badge.user_id, badge.badge): badge for badge in load_badges(connection, guild_id, people)},
        met={
            (line.period, line.user_id): _find_opponents(connection, line, line.opponents)
            for line in lines
            if 0 < line.opponents < RANKED_OPPONENTS
        },
    )


def _find_opponents(connection: Connection, line: PlayerStanding, most: int) -> set[int]:
    """Return up to ``most`` people with whom a person was compared in rated games of a period."""
    mine, other = results.alias(), results.alias()
    query = (
        select(other.c.user_id)
        .join(mine, mine.c.game_id == other.c.game_id)
        .where(mine.c.user_id == line.user_id, mine.c.guild_id == line.guild_id, mine.c.mu_after.is_not(None))
        .where(other.c.user_id > 0, other.c.user_id != line.user_id, other.c.mu_after.is_not(None))
    )
    if line.period != ALL_TIME:
        counts_in = finished_games.c.season == line.period, finished_games.c.month == line.period
        query = query.join(finished_games, finished_games.c.game_id == mine.c.game_id).where(or_(*counts_in))
    return set(connection.scalars(query.distinct().limit(most)))


def load_badges(connection: Connection, guild_id: int, people: Collection[int]) -> list[EarnedBadge]:
    """Return the badges of these people on a server, earliest first."""
    theirs = badges.c.guild_id == guild_id, badges.c.user_id.in_(people)
    return find_rows(connection, EarnedBadge, badges, *theirs, by=[badges.c.at, badges.c.badge])


def find_first_wins(connection: Connection, outcome: GameOutcome) -> list[int]:
    """Return the seats of the people for whom this is their first win on the server. Unrated games count too."""
    # A user whose data was deleted during the game has a negative id.
    people = [(seat.user_id or 0, seat.seat) for seat in outcome.people if seat.place == 1 and seat.played]
    won = {user_id: seat for user_id, seat in people if user_id > 0}
    earlier = results.c.guild_id == outcome.finish.guild_id, results.c.user_id.in_(won), results.c.place == 1
    known = set(connection.scalars(select(results.c.user_id).where(*earlier).distinct()))
    return [seat for user_id, seat in won.items() if user_id not in known]


def load_records(connection: Connection, guild_id: int, cards: Collection[str]) -> dict[str, Record]:
    found = find_rows(connection, Record, records, records.c.guild_id == guild_id, records.c.card.in_(cards))
    return {record.card: record for record in found}


def save_season(connection: Connection, finish: Finish, locale: str, ends_at: datetime) -> None:
    """Store the season in which a game ended, unless it is stored already."""
    season = {"guild_id": finish.guild_id, "season": finish.season, "locale": locale}
    connection.execute(insert_or_ignore(connection, seasons), {**season, "ends_at": ends_at, "post_at": ends_at})


def postpone_season(connection: Connection, guild_id: int, season: str, ends_at: datetime) -> None:
    """Move the end of a season, and the time of its podium, unless the podium was posted."""
    pending = seasons.c.guild_id == guild_id, seasons.c.season == season, seasons.c.post_at.is_not(None)
    moved = {"ends_at": ends_at, "post_at": ends_at, "post_until": None}
    connection.execute(update(seasons).where(*pending).values(moved))


def save_games(
    connection: Connection, games_to_save: Sequence[GameToSave], seats: Sequence[Result], ledger: Ledger
) -> None:
    """Store finished games of a server, with their seats and the lines of the ledger that they have changed."""
    finished = list(map(_make_finished_row, games_to_save))
    connection.execute(insert(finished_games), finished)
    connection.execute(insert(results), list(map(to_row, seats)))
    # A person whose data was deleted during the game has a negative id and no line.
    _save_lines(connection, standings, [line for line in ledger.standings.values() if line.user_id > 0])
    _save_lines(connection, card_standings, [line for line in ledger.cards.values() if line.user_id > 0])
    # Only broken records are written, because the others may belong to a former player by now.
    _save_lines(connection, records, [ledger.records[card] for card in ledger.broken])
    if ledger.earned:
        connection.execute(insert(badges), [to_row(badge) for _seat, badge in ledger.earned])


def save_reviews(connection: Connection, game_id: str, reviews: Mapping[int, Review]) -> None:
    """Store the luck and loss of a game's seats. Add them to the standings of people who began a turn themselves.

    Do nothing if the game is not stored or was reviewed before. If ``reviews`` is empty, only note that the review is
    not pending any more.
    """
    finish = next(iter(find_rows(connection, Finish, finished_games, finished_games.c.game_id == game_id)), None)
    if finish is not None:
        lock_subjects(connection, LockScope.GUILD, finish.guild_id)
    taken = connection.execute(
        update(finished_games)
        .where(finished_games.c.game_id == game_id, finished_games.c.review_owed)
        .values(review_owed=False)
    )
    if taken.rowcount != 1 or finish is None:
        return
    rows = connection.execute(
        select(results.c.seat, results.c.user_id, results.c.house_turns < ROUNDS).where(results.c.game_id == game_id)
    )
    # The review of a seat does not count for a person if the house began all turns of the seat.
    users = {seat: user_id if played else None for seat, user_id, played in rows if seat in reviews}
    if not users:
        return
    connection.execute(_REVIEW, [{"key_game": game_id, "key_seat": seat, **to_row(reviews[seat])} for seat in users])
    people = {user_id: reviews[seat] for seat, user_id in users.items() if user_id is not None}
    lines = _load_standings(connection, finish.guild_id, finish.periods, list(people))
    for line in lines:
        line.add_review(people[line.user_id])
    _save_lines(connection, standings, lines)


def find_oldest_formula(connection: Connection) -> int | None:
    oldest: int | None = connection.scalar(
        select(func.min(finished_games.c.formula)).where(finished_games.c.formula.is_not(None))
    )
    return oldest


def forget_results(connection: Connection, user_id: int, former_id: int, now: datetime) -> None:
    """Remove a person from results, standings, badges and records, and from the numbers of others' opponents (R9.6).

    ``former_id`` is a negative number drawn for this deletion. It replaces the person's id in ``results``, ``records``
    and ``seats``, so the others' ratings can still be rebuilt. The other people's lines in closed seasons and months
    stay as they are. Lock the servers of the person's games first.
    """
    mine, other = results.alias(), results.alias()
    met = select(other.c.guild_id, other.c.user_id).join(mine, mine.c.game_id == other.c.game_id)
    met = met.where(mine.c.user_id == user_id, mine.c.mu_after.is_not(None), other.c.mu_after.is_not(None))
    theirs = tuple_(standings.c.guild_id, standings.c.user_id).in_(met.distinct())
    lines = find_rows(connection, PlayerStanding, standings, theirs, standings.c.user_id != user_id)
    for table in (standings, card_standings, badges):
        connection.execute(delete(table).where(table.c.user_id == user_id))
    for table in (results, records):
        connection.execute(update(table).where(table.c.user_id == user_id).values(user_id=former_id))
    for line in lines:
        if not is_closed(line.period, day_of(now, load_server_settings(connection, line.guild_id).zone)):
            line.opponents = len(_find_opponents(connection, line, RANKED_OPPONENTS))
    _save_lines(connection, standings, lines)


_REVIEW = (
    update(results)
    .where(results.c.game_id == bindparam("key_game"), results.c.seat == bindparam("key_seat"))
    .values(luck=bindparam("luck"), loss=bindparam("loss"), decisions=bindparam("decisions"))
)


def _save_lines(
    connection: Connection, table: Table, lines: Collection[PlayerStanding | CardStanding | Record]
) -> None:
    if lines:
        connection.execute(insert_or_replace(connection, table), list(map(to_row, lines)))


def _load_standings(
    connection: Connection, guild_id: int, periods: Sequence[str], people: Sequence[int]
) -> list[PlayerStanding]:
    theirs = standings.c.guild_id == guild_id, standings.c.period.in_(periods), standings.c.user_id.in_(people)
    return find_rows(connection, PlayerStanding, standings, *theirs)


def _make_finished_row(game: GameToSave) -> dict[str, Any]:
    played = game.outcome.seats
    return {
        **to_row(game.outcome.finish),
        "players": len(played),
        "people": sum(seat.user_id is not None for seat in played),
        "formula": FORMULA if find_compared(played) else None,
        "review_owed": game.review_pending,
    }


@dataclass(frozen=True, slots=True)
class Preserved:
    """The parts of a game's stored results that a rebuild copies. The log does not contain them, or they take long to
    compute.
    """

    finish: Finish
    reviews: Mapping[int, Review]
    review_pending: bool


def find_guilds_with_games(connection: Connection) -> list[int]:
    finished = select(games.c.guild_id).where(games.c.status == "finished")
    return list(connection.scalars(finished.distinct().order_by(games.c.guild_id)))


def load_seats(connection: Connection, guild_id: int) -> dict[str, tuple[Seat, ...]]:
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


def load_preserved(connection: Connection, guild_id: int) -> dict[str, Preserved]:
    """Return, by game, the parts of a server's stored results that a rebuild copies."""
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
        row["game_id"]: Preserved(from_row(Finish, row), reviews.get(row["game_id"], {}), row["review_owed"])
        for row in ended.mappings()
    }


def replace_books(
    connection: Connection,
    guild_id: int,
    games_to_save: Sequence[GameToSave],
    seats: Sequence[Result],
    ledger: Ledger,
    today: date,
) -> None:
    """Replace all results, standings, badges and records of a server with those of a rebuild.

    Standings of closed seasons and months stay, so that posted podiums remain true when the rules change. Their lines
    are removed from ``ledger``.
    """
    periods = connection.scalars(select(standings.c.period).where(standings.c.guild_id == guild_id).distinct())
    closed = {period for period in periods if is_closed(period, today)}
    for table in (badges, records, card_standings, finished_games):
        connection.execute(delete(table).where(table.c.guild_id == guild_id))
    connection.execute(delete(standings).where(standings.c.guild_id == guild_id, standings.c.period.not_in(closed)))
    ledger.standings = {key: line for key, line in ledger.standings.items() if line.period not in closed}
    save_games(connection, games_to_save, seats, ledger)
