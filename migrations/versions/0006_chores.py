"""Drop the table ``chores``, which said which process had registered the commands and uploaded missing emoji.

Every process now does both.

Revision ID: 0006
Revises: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("chores")


def downgrade() -> None:
    op.create_table(
        "chores",
        sa.Column("chore", sa.String(64), primary_key=True),
        sa.Column("done", sa.String(64)),
        sa.Column("until", sa.DateTime(timezone=True)),
    )
