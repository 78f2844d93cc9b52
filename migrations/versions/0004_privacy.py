"""What deleting people's and servers' data needs, and the newest game of a channel by an index.

Revision ID: 0004
Revises: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "guilds_left",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds_left")),
    )
    op.create_index(op.f("ix_guilds_left_left_at"), "guilds_left", ["left_at"], unique=False)

    # In place: a batch would copy the whole table.
    op.add_column("games", sa.Column("words_digest", sa.String(length=64), nullable=True))

    op.create_index(
        "ix_events_naming_people",
        "events",
        ["game_id"],
        unique=False,
        sqlite_where=sa.text("lines LIKE '% user %'"),
        postgresql_where=sa.text("lines LIKE '% user %'"),
    )

    op.create_index("ix_games_channel", "games", ["channel_id", "created_at"], unique=False)


def downgrade() -> None:

    op.drop_index("ix_games_channel", table_name="games")

    op.drop_index(
        "ix_events_naming_people",
        table_name="events",
        sqlite_where=sa.text("lines LIKE '% user %'"),
        postgresql_where=sa.text("lines LIKE '% user %'"),
    )

    op.drop_column("games", "words_digest")

    op.drop_index(op.f("ix_guilds_left_left_at"), table_name="guilds_left")
    op.drop_table("guilds_left")
