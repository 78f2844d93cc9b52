"""Column types, dataclasses as rows, JSON documents in a column, and text that every database can store.

A field of a dataclass is stored in the column of the same name.
"""

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from enum import Enum
from functools import cache, lru_cache
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy.dialects import postgresql, sqlite

from bot.domain.recent import Recent
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Options
from bot.domain.timing import News, Timing
from highscore.cards import Card
from highscore.deck import Deck
from highscore.events import Event
from highscore.game import Game
from highscore.notation import decode_game, encode_game, format_event, parse_event

Line = TypeVar("Line")
Item = TypeVar("Item")

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

NAME = sa.String(100)
CARD = sa.String(80)
Value = TypeVar("Value")
GAMES_REMEMBERED = 256
"""The number of decoded games kept in memory, about 10 kB each. They are immutable, so they cannot be out of date."""
_UNSTORABLE = frozenset({"Cc", "Cs"})
"""Unicode categories: control characters, because PostgreSQL refuses NUL, and surrogates, which cannot be encoded in
UTF-8.
"""


class UtcDateTime(sa.TypeDecorator[datetime]):
    """A time zone-aware UTC time. SQLite stores no zone, so it is removed when writing and added when reading."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    @property
    def python_type(self) -> type[datetime]:
        return datetime

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a time zone cannot be stored; use aware UTC times")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


_TYPES: Mapping[type, Any] = {
    bool: sa.Boolean,
    int: sa.Integer,
    float: sa.Double,
    str: sa.String(16),
    datetime: UtcDateTime,
}


def columns_of(
    kind: type, *, key: tuple[str, ...] = (), indexed: tuple[str, ...] = (), **types: Any
) -> Iterator[sa.Column[Any]]:
    """Yield the columns for the fields of a dataclass. An ``int`` whose name ends in ``_id`` gets 64 bits.

    ``types`` gives the column types of some fields by name. Any other field gets a column only if its Python type is an
    Enum or one of ``_TYPES``. So a new field of such a type needs nothing but a migration.
    """
    hints = get_type_hints(kind)
    for name in (field.name for field in fields(kind)):
        alternatives = [part for part in get_args(hints[name]) or (hints[name],) if part is not NoneType]
        python_type = alternatives[0]
        if isinstance(python_type, type) and issubclass(python_type, Enum):
            python_type = str
        default = sa.BigInteger if alternatives == [int] and name.endswith("_id") else _TYPES.get(python_type)
        if (column := types.get(name, default)) is not None:
            optional, index = NoneType in get_args(hints[name]), name in indexed or None
            yield sa.Column(name, column, primary_key=name in key, autoincrement=False, nullable=optional, index=index)


def make_game_key(column: str = "games.id") -> sa.ForeignKey:
    """Return a foreign key. Its row is deleted together with the game (or challenge, or cup) that it refers to."""
    return sa.ForeignKey(column, ondelete="CASCADE")


def make_post_columns(table: str) -> tuple[sa.Column[Any], sa.Column[Any], sa.Index]:
    """Return the columns of a row that a worker posts: ``post_at``, which is NULL if there is nothing to post, and
    ``post_until``, the end of the claim on the row. The third value is the index of ``post_at``.
    """
    post_at = sa.Column("post_at", UtcDateTime)
    index = make_partial_index(f"ix_{table}_post_at", post_at, post_at.is_not(None))
    return post_at, sa.Column("post_until", UtcDateTime), index


def make_partial_index(
    name: str, column: sa.Column[Any], where: sa.ColumnElement[bool], *, unique: bool = False
) -> sa.Index:
    """Return an index of only the rows that meet a condition, so that it stays small."""
    return sa.Index(name, column, unique=unique, sqlite_where=where, postgresql_where=where)


@cache
def field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def to_row(line: Any) -> dict[str, Any]:
    return {name: getattr(line, name) for name in field_names(line.__class__)}


def from_row(kind: Callable[..., Line], row: sa.RowMapping, **values: Any) -> Line:
    """Return the dataclass of a row, ignoring columns that are no field. ``values`` replace columns."""
    return kind(**{name: row[name] for name in field_names(kind) if name not in values}, **values)


def find_rows(
    connection: sa.Connection,
    kind: Callable[..., Line],
    table: sa.Table,
    *where: sa.ColumnElement[bool],
    by: Sequence[sa.ColumnElement[Any]] = (),
    most: int | None = None,
) -> list[Line]:
    """Return the rows that meet all these conditions as dataclasses, ordered by ``by``, at most ``most`` of them."""
    rows = connection.execute(sa.select(table).where(*where).order_by(*by).limit(most))
    return [from_row(kind, row) for row in rows.mappings()]


def split_into_portions(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield the items in portions of at most ``size``, small enough for one statement or transaction."""
    return (items[at : at + size] for at in range(0, len(items), size))


def insert_or_ignore(connection: sa.Connection, table: sa.Table) -> sa.Insert:
    return _make_insert(connection, table).on_conflict_do_nothing()


def insert_or_replace(connection: sa.Connection, table: sa.Table) -> sa.Insert:
    """Return an INSERT that replaces all values of a row whose key exists already."""
    statement = _make_insert(connection, table)
    values = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)


def redraw_at(connection: sa.Connection, table: sa.Table, at: datetime, *which: sa.ColumnElement[bool]) -> None:
    """Have the messages of rows with post columns redrawn at a time.

    A message that waits for its time already keeps that time, so that frequent changes do not delay it. A message that
    is being redrawn is redrawn again.
    """
    free = sa.or_(table.c.post_at.is_(None), table.c.post_until.is_not(None))
    connection.execute(sa.update(table).where(*which, free).values(post_at=at, post_until=None))


def _make_insert(connection: sa.Connection, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


class StoredJson(Generic[Value]):
    """Converts values of one type to JSON and back. ``short`` omits fields that have their default."""

    def __init__(self, kind: Any, *, short: bool = False) -> None:
        self._adapter: TypeAdapter[Value] = TypeAdapter(kind)
        self._short = short

    def write(self, value: Value) -> str:
        return self._adapter.dump_json(value, exclude_defaults=self._short).decode()

    def read(self, text: str) -> Value:
        """Return the value of a JSON text. Missing fields get their defaults. Raise ValueError if the text does not
        fit.
        """
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
    """Return the game that ``game_to_text`` wrote. Most clicks read what the previous click wrote, from memory."""
    game = _games.get(text)
    if game is None:
        game = _games[text] = decode_game(json.loads(text))
    return game


# Made once, because ``json.dumps`` makes a new encoder for every call with other than its default separators.
_compact = json.JSONEncoder(separators=(",", ":")).encode
_games: Recent[str, Game] = Recent(GAMES_REMEMBERED)


def deck_to_text(deck: Deck) -> str:
    return json.dumps({"name": deck.name, "cards": [str(card) for card in deck]})


@lru_cache(maxsize=16)
def deck_from_text(text: str) -> Deck:
    document = json.loads(text)
    return Deck(document["name"], tuple(map(Card.parse, document["cards"])))


def events_to_lines(happened: Iterable[Event]) -> str:
    return "\n".join(map(format_event, happened))


def events_from_lines(moves: Iterable[str]) -> Iterator[Event]:
    """Yield the events of texts by ``events_to_lines``, in order. Raise ValueError for a line that is not an event."""
    return (parse_event(line) for lines in moves for line in lines.split("\n"))


def make_storable(text: str) -> str:
    r"""Drop characters that cannot be stored, and replace all white space by spaces.

    >>> make_storable("two\nlines\0")
    'two lines'
    """
    spaced = "".join(" " if character.isspace() else character for character in text)
    return "".join(character for character in spaced if unicodedata.category(character) not in _UNSTORABLE)
