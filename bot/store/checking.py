"""Checks that event logs lead to the stored states, for backups, restored databases and copies.

They read only columns that every version of the schema has, so that an old backup can be checked too.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, inspect, select

from bot.store.documents import AVERAGES, NEWS, OPTIONS, TIMING, StoredJson, deck_from_text, events_from_lines
from bot.store.models import IS_OPEN, attempts, challenges, events, games, seats
from highscore.events import Remarked
from highscore.fairness import SEED_BYTES
from highscore.game import replay_events
from highscore.notation import decode_game
from highscore.turn_order import TurnOrder


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
