"""The replay of open games: whether their event logs lead to the stored states.

It reads only columns that every version of the schema has, so that an old backup can be checked too.
"""

import json
from collections.abc import Iterable

from sqlalchemy import Connection, func, select

from bot.store.documents import events_from_lines
from bot.store.models import IS_OPEN, events, games, seats
from highscore.events import Remarked
from highscore.game import replay_events
from highscore.notation import decode_game
from highscore.turn_order import TurnOrder


def find_wrong_games(connection: Connection) -> list[str]:
    """Return the ids of open games whose events do not lead to the stored state."""
    players = select(func.count()).where(seats.c.game_id == games.c.id).scalar_subquery()
    stored = select(games.c.id, players, games.c.turn_order, games.c.state).where(IS_OPEN).order_by(games.c.id)
    wrong = []
    for game_id, *state in connection.execute(stored).all():
        log = select(events.c.lines).where(events.c.game_id == game_id).order_by(events.c.seq)
        try:
            leads_there = _leads_to(connection.scalars(log).all(), *state)
        # Raised for an event that cannot be read or cannot follow (HighScoreError), and for broken or too deep JSON.
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
            leads_there = False
        wrong += [] if leads_there else [game_id]
    return wrong


def _leads_to(log: Iterable[str], players: int, order: str, state: str | None) -> bool:
    if state is None:  # a lobby
        return all(isinstance(event, Remarked) for event in events_from_lines(log))
    return replay_events(players, TurnOrder(order), events_from_lines(log)) == decode_game(json.loads(state))
