"""Leases, for several processes that share a database, and the chores that one of them does for all.

Revision ID: 0005
Revises: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

LEASES = (
    ("games", "due_until", sa.DateTime(timezone=True)),
    ("games", "show_by", sa.String(length=16)),
    ("games", "show_until", sa.DateTime(timezone=True)),
    ("reminders", "send_until", sa.DateTime(timezone=True)),
    ("finished_games", "review_until", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    # In place: a batch would copy the whole table.
    for table, name, kind in LEASES:
        op.add_column(table, sa.Column(name, kind, nullable=True))
    op.create_table(
        "chores",
        sa.Column("chore", sa.String(length=64), nullable=False),
        sa.Column("done", sa.String(length=64), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("doing_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("chore", name=op.f("pk_chores")),
    )


def downgrade() -> None:
    op.drop_table("chores")
    for table, name, _kind in reversed(LEASES):
        op.drop_column(table, name)
