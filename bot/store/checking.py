"""Checks that event logs lead to the stored states, for backups, restored databases and copies.

They read only columns that every version of the schema has, so that an old backup can be checked too.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy
from sqlalchemy import Column, Connection, func, inspect, literal, or_, select

from bot.domain.ledger import CHIP_COLUMNS
from bot.domain.outcome import outcome_of
from bot.domain.table import Status, Table
from bot.domain.time_zones import find_zone
from bot.store.challenge import load_attempt, load_challenge
from bot.store.documents import AVERAGES, NEWS, OPTIONS, TIMING, StoredJson, deck_from_text, events_from_lines
from bot.store.models import IS_OPEN, attempts, challenges, events, games, guild_settings, metadata, results, seats
from bot.store.ranges import NOTATIONS, check_document, is_strange
from bot.store.results import load_finish
from bot.store.settings import load_server_settings
from bot.store.table import load_table
from highscore.events import Remarked
from highscore.fairness import SEED_BYTES
from highscore.game import Game, replay_events
from highscore.notation import decode_game
from highscore.turn_order import TurnOrder

AT_ONCE = 100
"""The number of rows in memory at the same time."""


@dataclass(slots=True)
class Replays:
    """The result of replaying event logs."""

    games: int = 0
    attempts: int = 0
    wrong: list[str] = field(default_factory=list)
    """The contradictions, a clause each, which name the game and nobody."""


def check_replays(connection: Connection, newest: int | None = None, *, open_too: bool = False) -> Replays:
    """Replay the event logs of all games and attempts, or of the ``newest`` of each (and of open games)."""
    done = Replays()
    tables = set(inspect(connection).get_table_names())
    if games.name in tables:
        for game_id in _find_game_ids(connection, newest, open_too=open_too):
            done.games += 1
            done.wrong += _find_wrong(connection, game_id)
    if challenges.name in tables:
        sealed = select(challenges.c.id, func.length(challenges.c.seed), challenges.c.deck, challenges.c.averages)
        for challenge_id, *values in connection.execute(sealed.order_by(challenges.c.created_at.desc()).limit(newest)):
            if not _holds(_can_be_read, *values[:2], {AVERAGES: values[2]}):
                done.wrong.append(f"the seed, the deck or the par of the challenge {challenge_id} cannot be read")
    if attempts.name in tables:
        columns = attempts.c
        plays = select(columns.challenge_id, columns.events, columns.step, columns.score, columns.finished_at)
        for challenge_id, *play in connection.execute(plays.order_by(columns.updated_at.desc()).limit(newest)):
            done.attempts += 1
            if not _holds(_leads_to_step, *play):
                done.wrong.append(f"the events of an attempt at the challenge {challenge_id} do not lead to its step")
    return done


def find_unreadable(connection: Connection, newest: int | None = None) -> Iterator[str]:
    """Yield what the bot has not written in a SQLite database that has its schema, a clause each.

    SQLite puts any value into any column. Read every row, and load the ``newest`` games and challenges, and all open
    games.
    """
    reading = connection.execution_options(yield_per=AT_ONCE)
    for table in metadata.sorted_tables:
        if (strange := find_strange_columns(connection, table)) or not _holds(_can_be_passed, reading, table):
            yield f"the table {table.name} holds what the bot has not written (see {strange or 'its texts'})"
            return
    for guild_id in connection.scalars(select(guild_settings.c.guild_id)).all():
        if not _holds(_are_settings, connection, guild_id):
            yield f"the settings of server {guild_id} cannot be read"
    newest_challenges = select(challenges.c.id).order_by(challenges.c.created_at.desc()).limit(newest)
    looks = (
        ("game", _is_table, _find_game_ids(connection, newest, open_too=True)),
        ("challenge", _is_challenge, connection.scalars(newest_challenges).all()),
    )
    for what, fits, ids in looks:
        for one in ids:
            if not _holds(fits, connection, one):
                yield f"the {what} {one} cannot be read, or contradicts itself"


def find_strange_columns(connection: Connection, table: sqlalchemy.Table) -> str:
    """Return the columns of a SQLite table with values that the bot does not write there; empty for none."""
    if not _is_any(connection, *table.c):
        return ""
    return ", ".join(each.name for each in table.c if _is_any(connection, each))


def _is_any(connection: Connection, *columns: Column[Any]) -> bool:
    """Return whether any row has a strange value in one of these columns."""
    return connection.scalar(select(literal(1)).where(or_(*map(is_strange, columns))).limit(1)) is not None


def _can_be_passed(connection: Connection, table: sqlalchemy.Table) -> bool:
    for name in NOTATIONS.keys() & table.c.keys():
        for written in connection.scalars(select(table.c[name]).distinct()):
            NOTATIONS[name](written)
    return all(len(row) for row in connection.execute(select(table)))


def _are_settings(connection: Connection, guild_id: int) -> bool:
    settings = load_server_settings(connection, guild_id)
    check_document(settings)
    return find_zone(settings.zone) == settings.zone


def _is_table(connection: Connection, table_id: str) -> bool:
    """Return whether a table can be loaded and contradicts neither itself nor the books of its game."""
    table = load_table(connection, table_id)
    if table is None:
        return False
    for document in (table.options, table.timing, table.news, table.log):
        check_document(document)
    game = table.game
    fits = {
        Status.LOBBY: game is None,
        Status.PLAYING: game is not None and not game.over,
        Status.FINISHED: game is not None and game.complete,
        Status.ABANDONED: game is None or game.abandoned,
    }
    return (
        fits[table.status]
        and len(table.seats) <= table.max_seats
        and table.shown_picture <= table.picture
        and table.page_since <= table.version
        and all(seat.user_id is not None or seat.house is not None for seat in table.seats)
        and table.seal == table.source.seal
        and connection.scalar(select(games.c.wake_at).where(games.c.id == table_id)) == table.timing.wake_at
        and (game is None or not game.complete or _are_results(connection, table, game))
    )


def _are_results(connection: Connection, table: Table, game: Game) -> bool:
    finish = load_finish(connection, table.id)
    made = () if finish is None else outcome_of(finish, table.seats, game).seats
    names = ("seat", "user_id", "house", "place", "points", *CHIP_COLUMNS)
    kept = select(*(results.c[name] for name in names)).where(results.c.game_id == table.id).order_by(results.c.seat)
    return [tuple(row) for row in connection.execute(kept)] == [
        (seat.seat, seat.user_id, seat.house, seat.place, seat.points, *seat.chips.values()) for seat in made
    ]


def _is_challenge(connection: Connection, challenge_id: str) -> bool:
    challenge = load_challenge(connection, challenge_id)
    if challenge is None or challenge.seal != challenge.source.seal:
        return False
    check_document(challenge.averages)
    players = connection.scalars(select(attempts.c.user_id).where(attempts.c.challenge_id == challenge_id))
    return all(load_attempt(connection, challenge, one) for one in players.all())


def _find_game_ids(connection: Connection, newest: int | None, *, open_too: bool) -> Sequence[str]:
    """Return the newest games, and perhaps the open ones, whose next move follows from their row."""
    query = select(games.c.id).order_by(games.c.created_at.desc(), games.c.id)
    ids = connection.scalars(query.limit(newest)).all()
    return (
        ids if newest is None or not open_too else [*dict.fromkeys([*ids, *connection.scalars(query.where(IS_OPEN))])]
    )


def _find_wrong(connection: Connection, game_id: str) -> Iterator[str]:
    sitting = select(func.count(), func.coalesce(func.max(seats.c.seat), -1)).where(seats.c.game_id == game_id)
    log = connection.scalars(select(events.c.lines).where(events.c.game_id == game_id).order_by(events.c.seq)).all()
    stored = select(
        *(games.c.turn_order, games.c.state, func.length(games.c.seed), games.c.deck),
        *(games.c.options, games.c.timing, games.c.news),
    )
    order, state, seed, deck, *documents = connection.execute(stored.where(games.c.id == game_id)).one()
    if not _holds(_can_be_read, seed, deck, dict(zip((OPTIONS, TIMING, NEWS), documents, strict=True))):
        yield f"the seed, the deck or the settings of game {game_id} cannot be read"
    if not _holds(_leads_to, log, *connection.execute(sitting).one(), order, state):
        yield f"the events of game {game_id} do not lead to its stored state"


def _holds(check: Callable[..., bool], *values: Any) -> bool:
    try:
        return check(*values)
    # Raised for an event that cannot be read or cannot follow (HighScoreError), and for broken or too deep JSON.
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return False


def _can_be_read(seed: int, deck: str, documents: Mapping[StoredJson[Any], str]) -> bool:
    """Return whether the documents can be read. Of the seed only the length counts: a proof checks the dice."""
    deck_from_text(deck)
    for kind, text in documents.items():
        kind.read(text)
    return seed == SEED_BYTES


def _leads_to(log: Iterable[str], players: int, last_seat: int, order: str, state: str | None) -> bool:
    if last_seat != players - 1:
        return False
    if state is None:  # closed before it began
        return all(isinstance(event, Remarked) for event in events_from_lines(log))
    return replay_events(players, TurnOrder(order), events_from_lines(log)) == decode_game(json.loads(state))


def _leads_to_step(log: str, step: int, score: int | None, finished_at: object) -> bool:
    game = replay_events(1, TurnOrder.OWN_PACE, events_from_lines([log]))
    run = game.find_run(0)
    return (run.step.number, run.total if game.complete else None, game.complete) == (
        step,
        score,
        finished_at is not None,
    )
