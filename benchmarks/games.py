"""Tables and their games, made without the bot."""

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.domain.table import Seat, Status, Table
from highscore.cards import Card
from highscore.deck import STANDARD_DECK
from highscore.dice import FACES
from highscore.events import CardRevealed, Decided, Event, Rolled, StartPlayerDrawn
from highscore.fairness import Source, play_event
from highscore.game import Awaiting, Game, apply_event, list_decisions
from highscore.house import Temperament, choose_decision
from highscore.turn_order import TurnOrder

Move = tuple[Decided, tuple[Event, ...], Game]
"""A decision, the events that follow from it, dice included, and the game afterwards."""


def begin_game(players: int, order: TurnOrder, source: Source) -> tuple[Game, tuple[Event, ...]]:
    """Begin a game with the standard deck. Return the game, which waits for its first decision, and its events."""
    return play_event(Game(players, order), None, source, STANDARD_DECK)


def play_moves(game: Game, source: Source, rng: random.Random) -> Iterator[Move]:
    """Play a game to its end with random legal decisions."""
    while not game.over:
        seat = rng.choice(game.may_act)
        decided = Decided(seat, rng.choice(list_decisions(game, seat)))
        game, happened = play_event(game, decided, source, STANDARD_DECK)
        yield decided, happened, game


def make_table(
    table_id: str, guild_id: int, seats: Sequence[Seat], order: TurnOrder, seed: bytes, **other: Any
) -> Table:
    """Make a table that is being played at, without its game. ``other`` replaces further fields."""
    table = Table(
        id=table_id,
        guild_id=guild_id,
        channel_id=guild_id,
        host_id=seats[0].user_id or 1,
        status=Status.PLAYING,
        version=0,
        locale="en",
        max_seats=len(seats),
        turn_order=order,
        deck=STANDARD_DECK,
        seats=tuple(seats),
        seed=seed,
        game=None,
    )
    return replace(table, **other)


def play_on(game: Game, cards: Sequence[Card], temperaments: Sequence[Temperament], rng: random.Random) -> Game:
    """Apply the next event of a game of house players. The arguments are those of ``draw_event``."""
    return apply_event(game, draw_event(game, cards, temperaments, rng))


def draw_event(game: Game, cards: Sequence[Card], temperaments: Sequence[Temperament], rng: random.Random) -> Event:
    """Return the next event of a game of house players. The cards come in the given order, and the dice are random."""
    match game.awaiting:
        case Awaiting.START_PLAYER:
            return StartPlayerDrawn(rng.randrange(game.players))
        case Awaiting.CARD:
            return CardRevealed(cards[len(game.finished)])
        case Awaiting.DICE:
            assert game.turn is not None
            return Rolled(tuple(rng.choices(FACES, k=len(game.turn.to_roll))))
    seat = game.may_act[0]
    return Decided(seat, choose_decision(game, seat, temperaments[seat]))


GAME_TABLES = {"games": "id"} | dict.fromkeys(("seats", "events", "finished_games", "results"), "game_id")
"""The database tables that describe a game, each with the column that has the game's id."""


def copy_game(connection: sqlite3.Connection, game_id: str, numbers: Iterable[int], **columns: str) -> None:
    """Copy a stored game once for each number, which becomes the id of the copy.

    ``columns`` are SQL expressions for columns that differ from the original. They may use ``:number`` and any column.
    """
    given = [{"game": game_id, "number": number} for number in numbers]
    for table, key in GAME_TABLES.items():
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        values = {key: "printf('%012x', :number)", **columns}
        wanted = ", ".join(values.get(name, f'"{name}"') for name in names)
        connection.executemany(f"INSERT INTO {table} SELECT {wanted} FROM {table} WHERE {key} = :game", given)  # noqa: S608
