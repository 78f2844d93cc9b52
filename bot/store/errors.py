"""What can be wrong with a database."""

from __future__ import annotations


class DatabaseError(Exception):
    """A database that cannot be used. The sentence says what to do."""
