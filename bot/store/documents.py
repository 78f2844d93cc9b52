"""Texts in one column: values as JSON that follows from their types; games, decks and events."""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from bot.domain.recent import Recent
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Options
from bot.domain.timing import News, Timing
from highscore.cards import Card
from highscore.deck import Deck
from highscore.events import Event
from highscore.game import Game
from highscore.notation import decode_game, encode_game, format_event, parse_event

Value = TypeVar("Value")


class StoredJson(Generic[Value]):
    """Values of one type as JSON. ``short`` leaves out what has its default."""

    def __init__(self, kind: Any, *, short: bool = False) -> None:
        self._adapter: TypeAdapter[Value] = TypeAdapter(kind)
        self._short = short

    def write(self, value: Value) -> str:
        return self._adapter.dump_json(value, exclude_defaults=self._short).decode()

    def read(self, text: str) -> Value:
        """Return the value of a text; missing fields get their defaults. Raise ValueError for any other text."""
        return self._adapter.validate_json(text)


AVERAGES = StoredJson[tuple[float, ...]](tuple[float, ...])
NUMBERS = StoredJson[tuple[int, ...]](tuple[int, ...])
NEWS = StoredJson[tuple[News, ...]](tuple[News, ...])
OPTIONS = StoredJson[Options](Options)
SETTINGS = StoredJson[ServerSettings](ServerSettings)
TIMING = StoredJson[Timing](Timing, short=True)


def game_to_text(game: Game) -> str:
    text = _compact(encode_game(game))
    _games[text] = game
    return text


def game_from_text(text: str) -> Game:
    """Return the game of a text. A click mostly reads what the last one wrote, which is kept in memory."""
    game = _games.get(text)
    if game is None:
        game = _games[text] = decode_game(json.loads(text))
    return game


# Made once: `json.dumps` makes one for each text that is not written in its usual way.
_compact = json.JSONEncoder(separators=(",", ":")).encode
GAMES_REMEMBERED = 256
"""The number of games kept in memory, some 10 kB each; they are values, so they cannot be out of date."""
_games: Recent[str, Game] = Recent(GAMES_REMEMBERED)


def deck_to_text(deck: Deck) -> str:
    return json.dumps({"name": deck.name, "cards": [str(card) for card in deck]})


@lru_cache(maxsize=16)
def deck_from_text(text: str) -> Deck:
    """Return the deck of a text by ``deck_to_text``."""
    document = json.loads(text)
    return Deck(document["name"], tuple(map(Card.parse, document["cards"])))


def events_to_lines(happened: Iterable[Event]) -> str:
    """Return the stored form of a committed move: a line an event."""
    return "\n".join(map(format_event, happened))


def events_from_lines(moves: Iterable[str]) -> Iterator[Event]:
    """Yield the events of moves in their order. Raise ValueError for a line that is no event."""
    return (parse_event(line) for lines in moves for line in lines.split("\n"))
