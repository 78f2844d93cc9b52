"""Whether the event logs lead to the stored states: what a backup, a restored and a copied database have to hold.

Only columns that every version of the schema has are read, so that an old backup can be checked too.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Table, func, inspect, or_, select

from bot.domain.daily import Daily
from bot.store.daily import load as load_daily
from bot.store.daily import load_attempt
from bot.store.documents import AVERAGES, NEWS, OPTIONS, TIMING, StoredJson, deck_from_text, from_lines
from bot.store.models import dailies, daily_plays, events, games, guild_settings, metadata, seats
from bot.store.rows import portions
from bot.store.settings import load_guild
from bot.store.table import load_table
from highscore.events import Remarked
from highscore.fairness import SEED_BYTES
from highscore.game import replay
from highscore.notation import game_from_json
from highscore.turn_order import TurnOrder

AT_ONCE = 100
"""Games whose events are in memory at the same time."""
_KINDS: Mapping[type, tuple[str, ...]] = {
    **dict.fromkeys((int, bool), ("integer", "null")),
    **dict.fromkeys((str, date, datetime), ("text", "null")),
    float: ("real", "integer", "null"),
    bytes: ("blob", "null"),
}
"""As what SQLite stores the values of a column of each type."""


@dataclass(slots=True)
class Replays:
    """What was replayed."""

    games: int = 0
    dailies: int = 0
    wrong: list[str] = field(default_factory=list)
    """What does not fit, a clause each; names the game and nobody."""


def check_replays(
    connection: Connection, newest: int | None = None, progress: Callable[[Replays], None] = lambda _done: None
) -> Replays:
    """Replay the event logs of all games and daily challenges, or of so many newest ones of each."""
    done = Replays()
    tables = set(inspect(connection).get_table_names())
    if games.name in tables:
        ids = connection.scalars(select(games.c.id).order_by(games.c.created_at.desc(), games.c.id).limit(newest))
        for some in portions(ids.all(), AT_ONCE):
            _check_games(connection, some, done)
            progress(done)
    if dailies.name in tables:
        sealed = select(dailies.c.id, func.length(dailies.c.seed), dailies.c.deck, dailies.c.averages)
        for daily_id, *values in connection.execute(sealed.order_by(dailies.c.created_at.desc()).limit(newest)):
            if not _holds(_can_be_read, *values[:2], {AVERAGES: values[2]}):
                done.wrong.append(f"the seed, the deck or the par of the daily challenge {daily_id} cannot be read")
    if daily_plays.name in tables:
        plays = select(daily_plays.c.daily_id, daily_plays.c.events, daily_plays.c.step)
        for daily_id, *play in connection.execute(plays.order_by(daily_plays.c.updated_at.desc()).limit(newest)):
            done.dailies += 1
            if not _holds(_leads_to_step, *play):
                done.wrong.append(f"the events of an attempt at the daily challenge {daily_id} do not lead to its step")
            if done.dailies % AT_ONCE == 0:
                progress(done)
        progress(done)
    return done


def unreadable(connection: Connection, newest: int | None = None) -> Iterator[str]:
    """What the bot could not read of a SQLite database whose schema is its own, a clause each.

    SQLite puts any value into any column. Every row is read, and so many newest games and daily challenges are loaded.
    """
    reading = connection.execution_options(yield_per=AT_ONCE)
    for table in metadata.sorted_tables:
        other = (func.typeof(column).not_in(_KINDS[column.type.python_type]) for column in table.c)
        if connection.scalar(select(table).where(or_(*other)).limit(1)) is not None or not _holds(
            _can_be_passed, reading, table
        ):
            yield f"the table {table.name} holds what the bot has not written"
            return
    for guild_id in connection.scalars(select(guild_settings.c.guild_id)).all():
        if not _holds(_loads, load_guild, connection, guild_id):
            yield f"the settings of server {guild_id} cannot be read"
    for table, what, load in ((games, "game", load_table), (dailies, "daily challenge", _load_daily)):
        for (one,) in connection.execute(select(table.c.id).order_by(table.c.created_at.desc()).limit(newest)).all():
            if not _holds(_loads, load, connection, one):
                yield f"the {what} {one} cannot be read"


def _can_be_passed(connection: Connection, table: Table) -> bool:
    return all(len(row) for row in connection.execute(select(table)))


def _loads(load: Callable[..., object], *values: object) -> bool:
    return load(*values) is not None


def _load_daily(connection: Connection, daily_id: str) -> Daily | None:
    daily = load_daily(connection, daily_id)
    players = connection.scalars(select(daily_plays.c.user_id).where(daily_plays.c.daily_id == daily_id))
    return daily if daily is not None and all(load_attempt(connection, daily, one) for one in players.all()) else None


def _check_games(connection: Connection, ids: Sequence[str], done: Replays) -> None:
    counted = select(seats.c.game_id, func.count()).where(seats.c.game_id.in_(ids)).group_by(seats.c.game_id)
    players = {row[0]: row[1] for row in connection.execute(counted)}
    rows = connection.execute(
        select(events.c.game_id, events.c.lines)
        .where(events.c.game_id.in_(ids))
        .order_by(events.c.game_id, events.c.seq)
    )
    logs = {game_id: [lines for _, lines in some] for game_id, some in groupby(rows, lambda row: row[0])}
    states = connection.execute(
        select(
            *(games.c.id, games.c.turn_order, games.c.state, func.length(games.c.seed), games.c.deck),
            *(games.c.options, games.c.timing, games.c.news),
        ).where(games.c.id.in_(ids))
    )
    for game_id, order, state, seed, deck, *documents in states:
        done.games += 1
        if not _holds(_can_be_read, seed, deck, dict(zip((OPTIONS, TIMING, NEWS), documents, strict=True))):
            done.wrong.append(f"the seed, the deck or the settings of game {game_id} cannot be read")
        if not _holds(_leads_to, logs.get(game_id, []), players.get(game_id, 0), order, state):
            done.wrong.append(f"the events of game {game_id} do not lead to its stored state")


def _holds(check: Callable[..., bool], *values: Any) -> bool:
    try:
        return check(*values)
    # What is no event, or cannot follow the one before (HighScoreError), and what is no JSON, or nested too deep.
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return False


def _can_be_read(seed: int, deck: str, documents: Mapping[StoredJson[Any], str]) -> bool:
    """Of the seed its length is enough: whether the dice are its dice is what a proof says."""
    deck_from_text(deck)
    for kind, text in documents.items():
        kind.read(text)
    return seed == SEED_BYTES


def _leads_to(log: Iterable[str], players: int, order: str, state: str | None) -> bool:
    if state is None:  # closed before it began
        return all(isinstance(event, Remarked) for event in from_lines(log))
    return replay(players, TurnOrder(order), from_lines(log)) == game_from_json(json.loads(state))


def _leads_to_step(log: str, step: int) -> bool:
    return replay(1, TurnOrder.OWN_PACE, from_lines([log])).run(0).step == step
