"""Dataclasses as rows: a field is stored in the column of its name. And rows in portions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import RowMapping

Line = TypeVar("Line")
Item = TypeVar("Item")


@cache
def field_names(kind: Any) -> tuple[str, ...]:
    """The fields of a dataclass in their order."""
    return tuple(field.name for field in fields(kind))


def to_row(line: Any) -> dict[str, Any]:
    """The values of a dataclass by name."""
    return {name: getattr(line, name) for name in field_names(line.__class__)}


def from_row(kind: Callable[..., Line], row: RowMapping, **values: Any) -> Line:
    """The dataclass of a row, which may have further columns. ``values`` are taken in place of columns."""
    return kind(**{name: row[name] for name in field_names(kind) if name not in values}, **values)


def portions(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """The items in portions that one statement, or one transaction, can take."""
    return (items[at : at + size] for at in range(0, len(items), size))
