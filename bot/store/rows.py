"""Dataclasses as rows, whose fields are the columns of the same name; inserting what may exist; portions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Insert, RowMapping, Table, select
from sqlalchemy.dialects import postgresql, sqlite

Line = TypeVar("Line")
Item = TypeVar("Item")


@cache
def field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def to_row(line: Any) -> dict[str, Any]:
    """Return the values of a dataclass by name."""
    return {name: getattr(line, name) for name in field_names(line.__class__)}


def from_row(kind: Callable[..., Line], row: RowMapping, **values: Any) -> Line:
    """Return the dataclass of a row, which may have further columns. ``values`` replace columns."""
    return kind(**{name: row[name] for name in field_names(kind) if name not in values}, **values)


def find_rows(
    connection: Connection,
    kind: Callable[..., Line],
    table: Table,
    *where: ColumnElement[bool],
    by: Sequence[ColumnElement[Any]] = (),
    most: int | None = None,
) -> list[Line]:
    """Return the dataclasses of the rows that meet all these conditions, at most ``most`` in the order of ``by``."""
    rows = connection.execute(select(table).where(*where).order_by(*by).limit(most))
    return [from_row(kind, row) for row in rows.mappings()]


def split_into_portions(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield the items in portions that one statement, or one transaction, can take."""
    return (items[at : at + size] for at in range(0, len(items), size))


def insert_or_ignore(connection: Connection, table: Table) -> Insert:
    """Return an INSERT that leaves rows alone whose key exists already."""
    return _make_insert(connection, table).on_conflict_do_nothing()


def insert_or_replace(connection: Connection, table: Table) -> Insert:
    """Return an INSERT that gives rows whose key exists already all the new values."""
    statement = _make_insert(connection, table)
    values = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)


def _make_insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
