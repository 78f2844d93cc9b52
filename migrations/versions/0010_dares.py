"""Add the table of dares, with which players of a finished game offer their dice to others.

Revision ID: 0010
Revises: 0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dares",
        sa.Column("challenge_id", sa.String(16), sa.ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game_id", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "seat"),
    )
    op.create_index("ix_dares_user_id", "dares", ["user_id"])


def downgrade() -> None:
    """Delete all dares with their attempts. Their messages stay in the channels, with buttons that do nothing."""
    op.execute("DELETE FROM challenges WHERE id IN (SELECT challenge_id FROM dares)")
    op.execute("DELETE FROM shared_messages WHERE what = 'dares'")
    op.drop_table("dares")
