"""Inserting what somebody else may have inserted before."""

from typing import Any

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert_or_ignore(connection: AsyncConnection, table: Table) -> Insert:
    """An INSERT that leaves rows alone whose key exists already."""
    statement: Insert = _insert(connection, table).on_conflict_do_nothing()
    return statement


def insert_or_replace(connection: AsyncConnection, table: Table) -> Insert:
    """An INSERT that gives rows whose key exists already all the new values."""
    statement = _insert(connection, table)
    values = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
    replacing: Insert = statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)
    return replacing


def _insert(connection: AsyncConnection, table: Table) -> Any:
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
