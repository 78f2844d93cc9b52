"""Clearer names for some columns, for fields of the stored ``timing`` of games, and for one kind of reminder.

Revision ID: 0007
Revises: 0006
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

GAMES = sa.table("games", sa.column("id"), sa.column("timing"))
COLUMNS = (
    ("games", "picture", "content_version"),
    ("games", "shown_picture", "shown_content_version"),
    ("games", "shown_page", "shown_screen"),
    ("games", "page_since", "screen_since"),
    ("reminders", "span", "deadline_scope"),
)
TIMING = {
    "kept_until": "seats_reserved_until",
    "early_at": "early_end_at",
    "house_at": "house_plays_at",
    "warnings": "pause_warnings",
    "pressed": "turns_at_last_press",
    "asked": "cancel_asked_at_version",
}


def upgrade() -> None:
    for table, old, new in COLUMNS:
        # Without Alembic's batch mode, which copies SQLite tables into new ones that have a rowid. Both databases
        # rename the columns of indexes themselves.
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    op.execute("UPDATE reminders SET kind = 'screen' WHERE kind = 'page'")
    _rename_fields(TIMING)


def downgrade() -> None:
    _rename_fields({new: old for old, new in TIMING.items()})
    op.execute("UPDATE reminders SET kind = 'page' WHERE kind = 'screen'")
    for table, old, new in reversed(COLUMNS):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")


def _rename_fields(names: Mapping[str, str]) -> None:
    """Rename fields in the stored ``timing`` of all tables. Fields with their default value are not stored."""
    connection = op.get_bind()
    holding = sa.or_(*(GAMES.c.timing.like(f'%"{name}"%') for name in names))
    for table_id, text in connection.execute(sa.select(GAMES.c.id, GAMES.c.timing).where(holding)).all():
        timing = {names.get(name, name): value for name, value in json.loads(text).items()}
        written = json.dumps(timing, separators=(",", ":"))
        connection.execute(sa.update(GAMES).where(GAMES.c.id == table_id).values(timing=written))
