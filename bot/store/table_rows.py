"""How a table is written in its row, and read from it: its changing columns, its seats, its game and deck as JSON."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import RowMapping

from bot.domain.pace import Pace
from bot.domain.table import Options, Seat, Status, Table
from bot.domain.timing import News, NewsKind, Timing
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
        "options": json.dumps(_options_to_json(table)),
        "state": None if table.game is None else _game_to_text(table.game),
        "timing": json.dumps(table.timing.to_json()),
        "news": json.dumps([[news.kind.value, news.seat] for news in table.news]),
        "wake_at": table.timing.wake_at,
        "updated_at": now,
    }


def row_of(table_id: str, at: int, seat: Seat) -> dict[str, Any]:
    """The row of a seat."""
    return {
        "game_id": table_id,
        "seat": at,
        "user_id": seat.user_id,
        "house": seat.house,
        "name": seat.name,
        "lucky_word": seat.lucky_word,
        "left": seat.left,
        "misses": seat.misses,
        "hints": seat.hints,
    }


def table_of(row: RowMapping, sitting: Sequence[RowMapping]) -> Table:
    """The table of a row of games, and of those of its seats in their order."""
    return Table(
        id=row["id"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        host_id=row["host_id"],
        status=Status(row["status"]),
        version=row["version"],
        locale=row["locale"],
        max_seats=row["max_seats"],
        turn_order=TurnOrder(row["turn_order"]),
        deck=deck_from_text(row["deck"]),
        seats=tuple(_seat(one) for one in sitting),
        seed=row["seed"],
        words_digest=row["words_digest"],
        game=None if row["state"] is None else _game_from_text(row["state"]),
        message_id=row["message_id"],
        shown_version=row["shown_version"],
        shown_page=row["shown_page"],
        options=_options_from_json(json.loads(row["options"])),
        timing=Timing.from_json(json.loads(row["timing"])),
        news=tuple(News(NewsKind(kind), seat) for kind, seat in json.loads(row["news"])),
    )


def _seat(row: RowMapping) -> Seat:
    return Seat(
        user_id=row["user_id"],
        name=row["name"],
        lucky_word=row["lucky_word"],
        house=row["house"],
        left=row["left"],
        misses=row["misses"],
        hints=row["hints"],
    )


def _options_to_json(table: Table) -> dict[str, Any]:
    options = table.options
    sitting = {seat.user_id for seat in table.seats}
    return {
        "pace": options.pace.value,
        "allowed": options.allowed_seconds,
        "hold": options.hold_seconds,
        "hints": options.hints,
        "pictures": options.pictures,
        # Of nobody who got up again: what is stored about people is found by their seats.
        "newcomers": sorted(user_id for user_id in options.newcomers if user_id in sitting),
    }


def _options_from_json(document: dict[str, Any]) -> Options:
    return Options(
        Pace(document["pace"]),
        document["allowed"],
        document["hold"],
        document["hints"],
        document["pictures"],
        frozenset(document.get("newcomers", ())),
    )


def _game_to_text(game: Game) -> str:
    text = json.dumps(game_to_json(game), separators=(",", ":"))
    _remember(text, game)
    return text


def _game_from_text(text: str) -> Game:
    """The game a text tells. A click mostly finds what the last one wrote, and need not read and check that anew."""
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
