"""Daily challenges: a day of a server, a person's play, its events.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "dailies",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("locale", sa.String(length=8), nullable=False),
        sa.Column("deck", sa.Text(), nullable=False),
        sa.Column("averages", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("post_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("post_tries", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dailies")),
        sa.UniqueConstraint("guild_id", "day", name=op.f("uq_dailies_guild_id_day")),
    )
    with op.batch_alter_table("dailies", schema=None) as batch_op:
        batch_op.create_index(
            "ix_dailies_post_at",
            ["post_at"],
            unique=False,
            sqlite_where=sa.text("post_at IS NOT NULL"),
            postgresql_where=sa.text("post_at IS NOT NULL"),
        )

    op.create_table(
        "daily_plays",
        sa.Column("daily_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("streak", sa.Integer(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("post_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("post_tries", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["daily_id"], ["dailies.id"], name=op.f("fk_daily_plays_daily_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("daily_id", "user_id", name=op.f("pk_daily_plays")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("daily_plays", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_daily_plays_user_id"), ["user_id"], unique=False)
        batch_op.create_index(
            "ix_daily_plays_post_at",
            ["post_at"],
            unique=False,
            sqlite_where=sa.text("post_at IS NOT NULL"),
            postgresql_where=sa.text("post_at IS NOT NULL"),
        )

    op.create_table(
        "daily_events",
        sa.Column("daily_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["daily_id", "user_id"],
            ["daily_plays.daily_id", "daily_plays.user_id"],
            name=op.f("fk_daily_events_daily_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("daily_id", "user_id", "seq", name=op.f("pk_daily_events")),
        sa.UniqueConstraint("interaction_id", name=op.f("uq_daily_events_interaction_id")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:

    op.drop_table("daily_events")
    with op.batch_alter_table("daily_plays", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_daily_plays_post_at",
            sqlite_where=sa.text("post_at IS NOT NULL"),
            postgresql_where=sa.text("post_at IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_daily_plays_user_id"))

    op.drop_table("daily_plays")
    with op.batch_alter_table("dailies", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_dailies_post_at",
            sqlite_where=sa.text("post_at IS NOT NULL"),
            postgresql_where=sa.text("post_at IS NOT NULL"),
        )

    op.drop_table("dailies")
