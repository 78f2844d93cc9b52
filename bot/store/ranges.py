"""The ranges of what the bot writes into columns and documents, by type, length, and the value's name.

Integers whose name has no range are not below zero; so new ones are bounded, too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from datetime import date, datetime
from enum import Enum
from math import isfinite
from typing import Any

from sqlalchemy import BigInteger, Column, ColumnElement, LargeBinary, SmallInteger, String, func, or_

from bot.domain import cup
from bot.domain.badges import Badge
from bot.domain.cup_draw import Format
from bot.domain.notify import CallKind, Notify
from bot.domain.season import last_day
from bot.domain.server_settings import LATEST_REMINDER, MOST_TABLES
from bot.domain.sharing import Shared
from bot.domain.table import MAX_SEATS, MIN_PLAYERS, Status
from bot.store.rows import to_row
from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.house import Temperament
from highscore.turn_order import TurnOrder

BIGGEST = 2**63 - 1
"""The largest integer, and id, in SQLite."""
_SIZES = ((SmallInteger, 2**15 - 1), (BigInteger, BIGGEST))
_LARGE = 1e9
"""A bound above all numbers with a fraction that are stored."""
_KINDS: Mapping[type, tuple[str, ...]] = {
    **dict.fromkeys((int, bool), ("integer", "null")),
    **dict.fromkeys((str, date, datetime), ("text", "null")),
    float: ("real", "integer", "null"),
    bytes: ("blob", "null"),
}
"""The storage classes of SQLite for the values of each type."""
_ENUMS: Mapping[str, Iterable[Enum]] = {
    "turn_order": TurnOrder,
    "house": Temperament,
    "kind": CallKind,
    "notify": Notify,
    "badge": Badge,
    "format": Format,
    "status": (*Status, *cup.Status),
    "what": (*Shared, *cup.CupPost),
}
WORDS = {name: [each.value for each in kind] for name, kind in _ENUMS.items()}
"""The words that a column of this name can hold."""
NOTATIONS: Mapping[str, Callable[[str], object]] = {"card": Card.parse, "season": last_day}
"""The parser of the texts in a column of this name, which raises ValueError."""
_SIGNED = (
    *("user_id", "host_id"),  # of somebody whose data was deleted
    *("best", "worst", "total", "result", "luck", "loss", "streak", "span"),
    *("shown_picture", "shown_page"),
)
_BOUNDS = {
    **dict.fromkeys(_SIGNED, (-BIGGEST, BIGGEST)),
    **dict.fromkeys(("allowed_seconds", "hold_seconds"), (1, 10**9)),
    "max_seats": (MIN_PLAYERS, MAX_SEATS),
    "seat": (0, MAX_SEATS - 1),
    "players": (1, MAX_SEATS),
    "people": (0, MAX_SEATS),
    "place": (1, MAX_SEATS),
    "round": (1, ROUNDS),
    "remind_percent": (0, LATEST_REMINDER),
    "tables_per_channel": (1, MOST_TABLES),
}


def is_strange(column: Column[Any]) -> ColumnElement[bool]:
    """Return the condition, in SQLite, for a value that the bot does not write into a column."""
    kind = column.type.python_type
    strange: list[ColumnElement[bool]] = [func.typeof(column).not_in(_KINDS[kind])]
    if kind is str:
        strange.append(func.instr(column, func.char(0)) > 0)
    if isinstance(column.type, String | LargeBinary) and column.type.length is not None:
        strange.append(func.length(column) > column.type.length)
    if column.name in WORDS:
        strange.append(column.not_in(WORDS[column.name]))
    if kind is bool:
        strange.append(column.not_in([False, True]))
    elif kind is int:
        biggest = next((most for size, most in _SIZES if isinstance(column.type, size)), 2**31 - 1)
        least, most = _BOUNDS.get(column.name, (0, biggest))
        strange.append(~column.between(max(least, -biggest - 1), min(most, biggest)))
    elif kind is float:
        strange.append(~column.between(-_LARGE, _LARGE))
    return or_(*strange)


def check_document(value: object, name: str = "") -> None:
    """Raise ValueError if a value read from a document, or one in it, is out of its range."""
    if is_dataclass(value):
        for field, each in to_row(value).items():
            check_document(each, field)
    elif isinstance(value, tuple):
        for each in value:
            check_document(each, name)
    elif isinstance(value, int):
        least, most = _BOUNDS.get(name, (0, BIGGEST))
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}, and not from {least} to {most}")
    elif (isinstance(value, float) and not isfinite(value)) or (isinstance(value, datetime) and value.tzinfo is None):
        raise ValueError(f"{name} is {value}")
