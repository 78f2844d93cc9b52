"""The errors of the database, and which parts of them may be logged."""

import sqlite3

from sqlalchemy.exc import StatementError

from bot.observing.logs import describe_errors, safe_message


class DatabaseError(Exception):
    """The database cannot be used. The message says what to do."""


class DatabaseClosedError(DatabaseError):
    """The database was closed because the bot is stopping."""


def register_database_errors() -> None:
    """Allow the log to name codes, tables, columns and constraints.

    Messages of PostgreSQL are left out, because they quote rows and arguments.
    """
    describe_errors(DatabaseError)
    describe_errors(sqlite3.Error)  # SQLite's messages name tables, columns and constraints, but never quote values.
    describe_errors(StatementError, _describe_statement)


def _describe_statement(error: StatementError) -> str:
    if error.orig is None:
        return ""
    # SQLAlchemy wraps asyncpg's exception in its own. Only asyncpg's exception has the details.
    original = error.orig.__cause__ or error.orig
    names = ("sqlstate", "table_name", "column_name", "constraint_name")
    details = [getattr(original, name, None) for name in names]
    return " ".join([safe_message(original), *filter(None, details)])
