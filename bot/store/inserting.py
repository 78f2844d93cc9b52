"""Inserting what somebody else may have inserted a moment ago."""

from __future__ import annotations

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert_or_ignore(connection: AsyncConnection, table: Table) -> Insert:
    """An INSERT that leaves rows alone whose key is there already."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement: Insert = dialect.insert(table).on_conflict_do_nothing()
    return statement
