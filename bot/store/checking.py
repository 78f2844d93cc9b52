"""Whether the event logs lead to the stored states: what a backup, a restored and a copied database have to hold.

Only columns that every version of the schema has are read, so that an old backup can be checked too.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, func, inspect, select, tuple_

from bot.store.documents import AVERAGES, NEWS, OPTIONS, TIMING, StoredJson, deck_from_text, from_lines
from bot.store.models import dailies, daily_events, daily_plays, events, games, seats
from bot.store.rows import portions
from highscore.events import Remarked
from highscore.fairness import SEED_BYTES
from highscore.game import replay
from highscore.notation import game_from_json
from highscore.turn_order import TurnOrder

AT_ONCE = 100
"""Games whose events are in memory at the same time."""


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
        key = (daily_plays.c.daily_id, daily_plays.c.user_id)
        keys = connection.execute(select(*key).order_by(daily_plays.c.created_at.desc(), *key).limit(newest))
        for pairs in portions(keys.all(), AT_ONCE):
            _check_dailies(connection, pairs, done)
            progress(done)
    return done


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


def _check_dailies(connection: Connection, keys: Sequence[tuple[str, int]], done: Replays) -> None:
    mine = tuple_(daily_events.c.daily_id, daily_events.c.user_id)
    rows = connection.execute(
        select(daily_events.c.daily_id, daily_events.c.user_id, daily_events.c.lines)
        .where(mine.in_(keys))
        .order_by(daily_events.c.daily_id, daily_events.c.user_id, daily_events.c.seq)
    )
    logs = {key: [lines for *_, lines in some] for key, some in groupby(rows, lambda row: row[:2])}
    theirs = tuple_(daily_plays.c.daily_id, daily_plays.c.user_id)
    states = connection.execute(
        select(daily_plays.c.daily_id, daily_plays.c.user_id, daily_plays.c.state).where(theirs.in_(keys))
    )
    for daily_id, user_id, state in states:
        done.dailies += 1
        if not _holds(_leads_to, logs.get((daily_id, user_id), []), 1, TurnOrder.OWN_PACE.value, state):
            done.wrong.append(f"the events of an attempt at the daily challenge {daily_id} do not lead to its state")


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
