"""Attempts store their result on each card, and the server's medians with which these results are compared.

Revision ID: 0008
Revises: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Earlier attempts have neither. Their results are compared with the averages of the cards.
    op.add_column("attempts", sa.Column("results", sa.Text()))
    op.add_column("attempts", sa.Column("medians", sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("attempts", "medians")
    op.drop_column("attempts", "results")
