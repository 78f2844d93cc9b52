"""Reading and writing results, standings and records. Every function works inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import RowMapping, Table, and_, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ledger import CardStanding, Ledger, PlayerStanding, Record, Result
from bot.domain.outcome import Finish, GameOutcome, Review
from bot.domain.rating import FORMULA
from bot.store.locks import LockScope, lock
from bot.store.models import (
    REVIEW_OWED,
    card_standings,
    events,
    finished_games,
    games,
    records,
    results,
    seasons,
    seats,
    standings,
)
from bot.store.rows import to_row

AFTER = timedelta(microseconds=1)
"""How long after the last finish of a server a game ends that would have ended before it."""


@dataclass(slots=True)
class Loaded:
    """A ledger with the lines that a game touches, as they are in the database."""

    ledger: Ledger
    standings: set[tuple[str, int]] = field(default_factory=set)
    cards: set[tuple[int, str]] = field(default_factory=set)
    records: dict[str, Record] = field(default_factory=dict)


async def moment_after(connection: AsyncConnection, guild_id: int, now: datetime) -> datetime:
    """Now, or right after the server's last finish if the clock was set back since."""
    last = await connection.scalar(
        select(func.max(finished_games.c.finished_at)).where(finished_games.c.guild_id == guild_id)
    )
    return now if last is None or last < now else last + AFTER


async def load_lines(connection: AsyncConnection, outcome: GameOutcome) -> Loaded:
    """The lines that this game changes."""
    guild_id = outcome.finish.guild_id
    people = [seat.user_id for seat in outcome.people if seat.user_id is not None]
    cards = sorted({turn.card for seat in outcome.people for turn in seat.turns})
    loaded = Loaded(Ledger())
    for line in await _standings_of(connection, guild_id, outcome.finish.periods, people):
        loaded.ledger.standings[line.period, line.user_id] = line
        loaded.standings.add((line.period, line.user_id))
    found = await connection.execute(
        select(card_standings).where(
            card_standings.c.guild_id == guild_id,
            card_standings.c.user_id.in_(people),
            card_standings.c.card.in_(cards),
        )
    )
    for row in found.mappings():
        loaded.ledger.cards[row["user_id"], row["card"]] = CardStanding(**row)
        loaded.cards.add((row["user_id"], row["card"]))
    for card, record in (await load_records(connection, guild_id, cards)).items():
        loaded.ledger.records[card] = record
        loaded.records[card] = record
    return loaded


async def load_records(connection: AsyncConnection, guild_id: int, cards: Collection[str]) -> dict[str, Record]:
    """The records of a server on these cards, where there are any."""
    found = await connection.execute(select(records).where(records.c.guild_id == guild_id, records.c.card.in_(cards)))
    return {row["card"]: Record(**row) for row in found.mappings()}


async def save_game(
    connection: AsyncConnection,
    outcome: GameOutcome,
    seats: Sequence[Result],
    loaded: Loaded,
    locale: str,
    ends_at: datetime,
) -> None:
    """Store a game that has just ended, with the lines it has changed. Its review is owed."""
    finish, ledger = outcome.finish, loaded.ledger
    await connection.execute(insert(finished_games).values(**_finished(outcome, review_owed=True)))
    await connection.execute(insert(results), list(map(to_row, seats)))
    await _save(connection, standings, _STANDING, ledger.standings.values(), loaded.standings)
    await _save(connection, card_standings, _CARD, ledger.cards.values(), loaded.cards)
    broken = [record for card, record in ledger.records.items() if loaded.records.get(card) != record]
    await _save(connection, records, _RECORD, broken, {(card,) for card in loaded.records})
    await add_season(connection, finish.guild_id, finish.season, locale, ends_at, post_at=ends_at)


async def add_season(
    connection: AsyncConnection, guild_id: int, season: str, locale: str, ends_at: datetime, post_at: datetime | None
) -> None:
    """Note that a game ended in a season, unless that is known."""
    known = await connection.scalar(
        select(seasons.c.ends_at).where(seasons.c.guild_id == guild_id, seasons.c.season == season)
    )
    if known is None:
        await connection.execute(
            insert(seasons).values(
                guild_id=guild_id, season=season, locale=locale, ends_at=ends_at, post_at=post_at, post_tries=0
            )
        )


# ------------------------------------------------------------------------------------------------------ luck and loss


async def owed_reviews(connection: AsyncConnection, limit: int) -> list[str]:
    """Games whose luck and loss are still to be worked out, the oldest first."""
    rows = await connection.execute(
        select(finished_games.c.game_id)
        .where(REVIEW_OWED)
        .order_by(finished_games.c.finished_at, finished_games.c.game_id)
        .limit(limit)
    )
    return list(rows.scalars())


async def save_reviews(connection: AsyncConnection, game_id: str, reviews: Mapping[int, Review]) -> bool:
    """Store the luck and loss of a game's seats and count them in. Returns False when that was done before.

    Without reviews the game is only no longer owed any.
    """
    finish = await load_finish(connection, game_id)
    if finish is not None:
        await lock(connection, LockScope.GUILD, finish.guild_id)
    taken = await connection.execute(
        update(finished_games)
        .where(finished_games.c.game_id == game_id, finished_games.c.review_owed)
        .values(review_owed=False)
    )
    if taken.rowcount != 1:
        return False
    rows = await connection.execute(select(results.c.seat, results.c.user_id).where(results.c.game_id == game_id))
    users = {seat: user_id for seat, user_id in rows if seat in reviews}
    if finish is None or not users:
        return True
    await connection.execute(
        _REVIEW,
        [
            {
                "key_game": game_id,
                "key_seat": seat,
                "luck": reviews[seat].luck,
                "loss": reviews[seat].loss,
                "decisions": reviews[seat].decisions,
            }
            for seat in users
        ],
    )
    people = {user_id: reviews[seat] for seat, user_id in users.items() if user_id is not None}
    lines = await _standings_of(connection, finish.guild_id, finish.periods, list(people))
    for line in lines:
        line.add_review(people[line.user_id])
    await _save(connection, standings, _STANDING, lines, {(line.period, line.user_id) for line in lines})
    return True


async def load_finish(connection: AsyncConnection, game_id: str) -> Finish | None:
    """When a game ended and in which periods it counts."""
    found = await connection.execute(select(finished_games).where(finished_games.c.game_id == game_id))
    row = found.mappings().one_or_none()
    return None if row is None else _finish(row)


# ------------------------------------------------------------------------------------------------------------ rebuild


@dataclass(frozen=True, slots=True)
class Kept:
    """What a rebuild keeps of a game, because the event log does not tell it or it takes long to work out."""

    finish: Finish
    reviews: Mapping[int, Review]
    review_owed: bool


async def guilds_with_games(connection: AsyncConnection) -> list[int]:
    """Every server in which a game was ever finished."""
    rows = await connection.execute(
        select(games.c.guild_id).where(games.c.status == "finished").distinct().order_by(games.c.guild_id)
    )
    return list(rows.scalars())


async def finished_ids(connection: AsyncConnection, guild_id: int) -> list[str]:
    """The games of a server that were played to the end."""
    rows = await connection.execute(
        select(games.c.id).where(games.c.guild_id == guild_id, games.c.status == "finished").order_by(games.c.id)
    )
    return list(rows.scalars())


async def users_of(connection: AsyncConnection, guild_id: int) -> dict[str, tuple[int | None, ...]]:
    """Whose the seats are in the games of a server that were played to the end, by game."""
    rows = await connection.execute(
        select(seats.c.game_id, seats.c.user_id)
        .join(games, games.c.id == seats.c.game_id)
        .where(games.c.guild_id == guild_id, games.c.status == "finished")
        .order_by(seats.c.game_id, seats.c.seat)
    )
    found: dict[str, list[int | None]] = {}
    for game_id, user_id in rows:
        found.setdefault(game_id, []).append(user_id)
    return {game_id: tuple(users) for game_id, users in found.items()}


async def last_event_at(connection: AsyncConnection, game_id: str) -> datetime:
    """When the last event of a game was committed. Raises LookupError for a game without any."""
    found: datetime | None = await connection.scalar(
        select(events.c.created_at).where(events.c.game_id == game_id).order_by(events.c.seq.desc()).limit(1)
    )
    if found is None:
        raise LookupError(f"game {game_id} has no events")
    return found


async def load_kept(connection: AsyncConnection, guild_id: int) -> dict[str, Kept]:
    """What a rebuild of a server keeps, by game."""
    found: dict[str, dict[int, Review]] = {}
    rows = await connection.execute(
        select(results.c.game_id, results.c.seat, results.c.luck, results.c.loss, results.c.decisions)
        .join(finished_games, finished_games.c.game_id == results.c.game_id)
        .where(finished_games.c.guild_id == guild_id, results.c.decisions.is_not(None))
    )
    for game_id, seat, luck, loss, decisions in rows:
        found.setdefault(game_id, {})[seat] = Review(luck, loss, decisions)
    ended = await connection.execute(select(finished_games).where(finished_games.c.guild_id == guild_id))
    return {
        row["game_id"]: Kept(_finish(row), found.get(row["game_id"], {}), row["review_owed"])
        for row in ended.mappings()
    }


async def replace_all(
    connection: AsyncConnection,
    guild_id: int,
    outcomes: Iterable[tuple[GameOutcome, bool]],
    seats: Sequence[Result],
    ledger: Ledger,
) -> None:
    """Store everything of a server anew. Each outcome comes with whether its review is owed."""
    for table in (records, card_standings, standings, finished_games):
        await connection.execute(delete(table).where(table.c.guild_id == guild_id))
    people = [line for line in ledger.standings.values() if line.user_id > 0]
    cards = [line for line in ledger.cards.values() if line.user_id > 0]
    for table, rows in (
        (finished_games, [_finished(outcome, review_owed=owed) for outcome, owed in outcomes]),
        (results, list(map(to_row, seats))),
        (standings, list(map(to_row, people))),
        (card_standings, list(map(to_row, cards))),
        (records, list(map(to_row, ledger.records.values()))),
    ):
        if rows:
            await connection.execute(insert(table), rows)


async def oldest_formula(connection: AsyncConnection) -> int | None:
    """The oldest version of the rating's formula by which any game is rated; None when none is."""
    found: int | None = await connection.scalar(
        select(func.min(finished_games.c.formula)).where(finished_games.c.formula.is_not(None))
    )
    return found


# -------------------------------------------------------------------------------------------------------------- people


async def forget(connection: AsyncConnection, user_id: int, former_id: int) -> None:
    """Take a person out of results, standings and records.

    ``former_id`` is negative, made up for this one deletion, and the same that replaces them in ``seats``: their
    games stay readable and the others' ratings can still be worked out again, but nobody knows whose they were.
    """
    for table in (standings, card_standings):
        await connection.execute(delete(table).where(table.c.user_id == user_id))
    for table in (results, records):
        await connection.execute(update(table).where(table.c.user_id == user_id).values(user_id=former_id))


# ------------------------------------------------------------------------------------------------------------ private


def _key(table: Table) -> list[str]:
    return [column.name for column in table.primary_key.columns if column.name != "guild_id"]


def _updating(table: Table) -> Any:
    """An update by primary key. SQLAlchemy wants other names for the key's parameters than the columns'."""
    key = [column.name for column in table.primary_key.columns]
    matching = and_(*(table.c[name] == bindparam(f"key_{name}") for name in key))
    others: dict[str, Any] = {column.name: bindparam(column.name) for column in table.columns if column.name not in key}
    return update(table).where(matching).values(others)


_STANDING = _updating(standings)
_CARD = _updating(card_standings)
_RECORD = _updating(records)
_REVIEW = (
    update(results)
    .where(results.c.game_id == bindparam("key_game"), results.c.seat == bindparam("key_seat"))
    .values(luck=bindparam("luck"), loss=bindparam("loss"), decisions=bindparam("decisions"))
)


async def _save(
    connection: AsyncConnection,
    table: Table,
    change: Any,
    lines: Iterable[PlayerStanding | CardStanding | Record],
    there: Collection[tuple[Any, ...]],
) -> None:
    """Store lines: those whose key is in ``there`` are changed, the others are new."""
    key = _key(table)
    rows = [to_row(line) for line in lines]
    known = [row for row in rows if tuple(row[name] for name in key) in there]
    new = [row for row in rows if tuple(row[name] for name in key) not in there]
    if known:
        await connection.execute(
            change,
            [
                {(f"key_{name}" if name in key or name == "guild_id" else name): row[name] for name in row}
                for row in known
            ],
        )
    if new:
        await connection.execute(insert(table), new)


async def _standings_of(
    connection: AsyncConnection, guild_id: int, periods: Sequence[str], people: Sequence[int]
) -> list[PlayerStanding]:
    found = await connection.execute(
        select(standings).where(
            standings.c.guild_id == guild_id, standings.c.period.in_(periods), standings.c.user_id.in_(people)
        )
    )
    return [PlayerStanding(**row) for row in found.mappings()]


def _finished(outcome: GameOutcome, *, review_owed: bool) -> dict[str, Any]:
    finish = outcome.finish
    return {
        "game_id": finish.game_id,
        "guild_id": finish.guild_id,
        "finished_at": finish.at,
        "season": finish.season,
        "month": finish.month,
        "players": len(outcome.seats),
        "people": len(outcome.people),
        "formula": FORMULA if outcome.rated else None,
        "review_owed": review_owed,
    }


def _finish(row: RowMapping) -> Finish:
    return Finish(row["game_id"], row["guild_id"], row["finished_at"], row["season"], row["month"])
