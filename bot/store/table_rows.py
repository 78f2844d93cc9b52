"""How a table is written in its row, and read from it: its changing columns, its seats, its game and deck as JSON."""

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import RowMapping

from bot.domain.table import Options, Seat, Status, Table
from bot.store.documents import NEWS, OPTIONS, TIMING
from bot.store.models import games
from bot.store.rows import from_row, to_row
from highscore.cards import Card
from highscore.deck import Deck
from highscore.game import Game, TurnOrder
from highscore.notation import game_from_json, game_to_json

CHANGING = ("host_id", "status", "version", "locale", "options", "state", "timing", "news", "wake_at", "updated_at")
"""The columns that a change of a table may change; what it was opened with stays."""


def changing(table: Table, now: datetime) -> dict[str, Any]:
    """The values of these columns for a table that changes now."""
    return {
        "host_id": table.host_id,
        "status": table.status.value,
        "version": table.version,
        "locale": table.locale,
        "options": OPTIONS.write(_stored_options(table)),
        "state": None if table.game is None else _game_to_text(table.game),
        "timing": TIMING.write(table.timing),
        "news": NEWS.write(table.news),
        "wake_at": table.timing.wake_at,
        "updated_at": now,
    }


def new_row(table: Table, now: datetime) -> dict[str, Any]:
    """The row of a table that is opened now."""
    return {
        **{name: value for name, value in to_row(table).items() if name in games.c},
        "turn_order": table.turn_order.value,
        "deck": deck_to_text(table.deck),
        "seal": table.seal,
        "created_at": now,
        **changing(table, now),
    }


def seat_rows(table: Table) -> list[dict[str, Any]]:
    """The rows of a table's seats."""
    return [{"game_id": table.id, "seat": at, **to_row(seat)} for at, seat in enumerate(table.seats)]


def table_of(row: RowMapping, seats: Sequence[RowMapping]) -> Table:
    """The table of a row of games, and of those of its seats in their order."""
    return from_row(
        Table,
        row,
        status=Status(row["status"]),
        turn_order=TurnOrder(row["turn_order"]),
        deck=deck_from_text(row["deck"]),
        seats=tuple(from_row(Seat, seat) for seat in seats),
        game=None if row["state"] is None else _game_from_text(row["state"]),
        options=OPTIONS.read(row["options"]),
        timing=TIMING.read(row["timing"]),
        news=NEWS.read(row["news"]),
    )


def _stored_options(table: Table) -> Options:
    """Newcomers who got up again are left out: what is stored about people is found by their seats."""
    newcomers = {user_id for user_id in table.options.newcomers if table.seat_of(user_id) is not None}
    return replace(table.options, newcomers=tuple(sorted(newcomers)))


def _game_to_text(game: Game) -> str:
    text = json.dumps(game_to_json(game), separators=(",", ":"))
    _remember(text, game)
    return text


def _game_from_text(text: str) -> Game:
    """The game of a text. A click mostly reads what the last one wrote, which need not be parsed and checked anew."""
    if (known := _games.get(text)) is not None:
        return known
    game = game_from_json(json.loads(text))
    _remember(text, game)
    return game


_games: OrderedDict[str, Game] = OrderedDict()
GAMES_REMEMBERED = 256
"""States of games that are kept in memory, some 10 kB each; they are values, so they cannot be out of date."""


def _remember(text: str, game: Game) -> None:
    _games[text] = game
    while len(_games) > GAMES_REMEMBERED:
        _games.popitem(last=False)


def deck_to_text(deck: Deck) -> str:
    """A deck as it is stored."""
    return json.dumps({"name": deck.name, "cards": [str(card) for card in deck]})


@lru_cache(maxsize=16)
def deck_from_text(text: str) -> Deck:
    """What ``deck_to_text`` wrote."""
    document = json.loads(text)
    return Deck(document["name"], tuple(map(Card.parse, document["cards"])))
