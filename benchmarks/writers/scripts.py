"""Scripts: games whose moves are chosen in advance, so that all variants make the same moves."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache

from sqlalchemy import Connection

from benchmarks.games import begin_game, make_table, play_moves
from bot.domain.table import Seat, Table
from bot.store.database import Database
from bot.store.table import append_events, insert_table
from highscore.events import Decision, Event
from highscore.game import Game
from highscore.turn_order import TurnOrder

PLAYERS = 3
ATTEMPTS = 16
"""The most writers that can try the same move, because each attempt needs its own interaction id."""
BEGAN = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Move:
    """A decision, the events that follow from it, dice included, and the game afterwards."""

    user_id: int
    decision: Decision
    happened: tuple[Event, ...]
    after: Game
    number: int
    """The number of the move, which no move of another game has. The interaction ids of the move are made from it."""

    def interaction_id(self, writer: int) -> int:
        return self.number * ATTEMPTS + writer


@dataclass(frozen=True, slots=True)
class Script:
    """A game from the first card to the end, which has about 65 moves."""

    table: Table
    """The table at the start of the game. It has version 0, and each move adds 1."""
    opening: tuple[Event, ...]
    moves: tuple[Move, ...]

    def after(self, moves: int) -> Game | None:
        """Return the game after this many of its moves."""
        return self.moves[moves - 1].after if moves else self.table.game


@cache
def make_script(place: int, number: int) -> Script:
    """Play game ``number`` at place ``place``, with random decisions. The same numbers give the same game."""
    rng = random.Random(place * 1_000_003 + number)
    users = [(place + 1) * 1_000 + seat for seat in range(PLAYERS)]
    # As large as Discord's ids.
    guild, channel = (place + 1) << 56, (place + 1) << 55
    seats = [Seat(user, f"Player {user}", f"word {user}") for user in users]
    order, seed = TurnOrder.CLOCKWISE, rng.randbytes(32)
    table = make_table(f"{place:04x}{number:08x}", guild, seats, order, seed, channel_id=channel)
    game, opening = begin_game(PLAYERS, order, table.source)
    first = (place << 32) + (number << 12)
    made = tuple(
        Move(users[decided.seat], decided.decision, happened, after, first + at)
        for at, (decided, happened, after) in enumerate(play_moves(game, table.source, rng))
    )
    return Script(replace(table, game=game), opening, made)


def make_scripts(place: int, moves: int) -> list[Script]:
    """Return games of a place that have this many moves in all."""
    found: list[Script] = []
    while sum(len(one.moves) for one in found) < moves:
        found.append(make_script(place, len(found)))
    return found


async def store(database: Database, given: Sequence[Script]) -> None:
    def work(connection: Connection) -> None:
        for one in given:
            insert_table(connection, one.table, BEGAN)
            append_events(connection, one.table, one.opening, BEGAN, user_id=None, interaction_id=None)

    await database.write(work)
