"""Finished games, results, standings, records and seasons.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "card_standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("card", sa.String(length=80), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("worst", sa.Integer(), nullable=False),
        sa.Column("gold", sa.Integer(), nullable=False),
        sa.Column("silver", sa.Integer(), nullable=False),
        sa.Column("bronze", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "card", name=op.f("pk_card_standings")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("card_standings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_card_standings_user_id"), ["user_id"], unique=False)

    op.create_table(
        "seasons",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("season", sa.String(length=8), nullable=False),
        sa.Column("locale", sa.String(length=8), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("post_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("post_tries", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "season", name=op.f("pk_seasons")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("seasons", schema=None) as batch_op:
        batch_op.create_index(
            "ix_seasons_post_at",
            ["post_at"],
            unique=False,
            sqlite_where=sa.text("post_at IS NOT NULL"),
            postgresql_where=sa.text("post_at IS NOT NULL"),
        )

    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("gold", sa.Integer(), nullable=False),
        sa.Column("silver", sa.Integer(), nullable=False),
        sa.Column("bronze", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=True),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=True),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("longest", sa.Integer(), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("house_turns", sa.Integer(), nullable=False),
        sa.Column("reviewed", sa.Integer(), nullable=False),
        sa.Column("luck", sa.BigInteger(), nullable=False),
        sa.Column("loss", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("win_rate", sa.Double(), nullable=True),
        sa.Column("loss_rate", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "period", "user_id", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("standings", schema=None) as batch_op:
        batch_op.create_index("ix_standings_best", ["guild_id", "period", "best", "user_id"], unique=False)
        batch_op.create_index("ix_standings_loss_rate", ["guild_id", "period", "loss_rate", "user_id"], unique=False)
        batch_op.create_index("ix_standings_points", ["guild_id", "period", "points", "user_id"], unique=False)
        batch_op.create_index("ix_standings_rating", ["guild_id", "period", "rating", "user_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_standings_user_id"), ["user_id"], unique=False)
        batch_op.create_index("ix_standings_win_rate", ["guild_id", "period", "win_rate", "user_id"], unique=False)
        batch_op.create_index("ix_standings_wins", ["guild_id", "period", "wins", "user_id"], unique=False)

    op.create_table(
        "finished_games",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("season", sa.String(length=8), nullable=False),
        sa.Column("month", sa.String(length=8), nullable=False),
        sa.Column("players", sa.SmallInteger(), nullable=False),
        sa.Column("people", sa.SmallInteger(), nullable=False),
        sa.Column("formula", sa.SmallInteger(), nullable=True),
        sa.Column("review_owed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_finished_games_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_finished_games")),
        sa.UniqueConstraint("guild_id", "finished_at", name=op.f("uq_finished_games_guild_id_finished_at")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("finished_games", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_finished_games_formula"), ["formula"], unique=False)
        batch_op.create_index(
            "ix_finished_games_review_owed",
            ["finished_at"],
            unique=False,
            sqlite_where=sa.text("review_owed"),
            postgresql_where=sa.text("review_owed"),
        )

    op.create_table(
        "records",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("card", sa.String(length=80), nullable=False),
        sa.Column("result", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("round", sa.SmallInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_records_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("guild_id", "card", name=op.f("pk_records")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("records", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_records_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_records_user_id"), ["user_id"], unique=False)

    op.create_table(
        "results",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("house", sa.String(length=16), nullable=True),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("gold", sa.SmallInteger(), nullable=False),
        sa.Column("silver", sa.SmallInteger(), nullable=False),
        sa.Column("bronze", sa.SmallInteger(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=True),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("house_turns", sa.SmallInteger(), nullable=False),
        sa.Column("mu_before", sa.Double(), nullable=True),
        sa.Column("sigma_before", sa.Double(), nullable=True),
        sa.Column("mu_after", sa.Double(), nullable=True),
        sa.Column("sigma_after", sa.Double(), nullable=True),
        sa.Column("luck", sa.BigInteger(), nullable=True),
        sa.Column("loss", sa.BigInteger(), nullable=True),
        sa.Column("decisions", sa.Integer(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["finished_games.game_id"], name=op.f("fk_results_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_results")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index(
            "ix_results_person",
            [
                "user_id",
                "guild_id",
                "finished_at",
                "place",
                "points",
                "gold",
                "silver",
                "bronze",
                "best",
                "hints",
                "house",
                "house_turns",
                "mu_before",
                "sigma_before",
                "mu_after",
                "sigma_after",
                "luck",
                "loss",
                "decisions",
            ],
            unique=False,
        )

    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index("ix_games_guild_id", ["guild_id"], unique=False)


def downgrade() -> None:

    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index("ix_games_guild_id")

    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.drop_index("ix_results_person")

    op.drop_table("results")
    with op.batch_alter_table("records", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_records_user_id"))
        batch_op.drop_index(batch_op.f("ix_records_game_id"))

    op.drop_table("records")
    with op.batch_alter_table("finished_games", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_finished_games_review_owed",
            sqlite_where=sa.text("review_owed"),
            postgresql_where=sa.text("review_owed"),
        )
        batch_op.drop_index(batch_op.f("ix_finished_games_formula"))

    op.drop_table("finished_games")
    with op.batch_alter_table("standings", schema=None) as batch_op:
        batch_op.drop_index("ix_standings_wins")
        batch_op.drop_index("ix_standings_win_rate")
        batch_op.drop_index(batch_op.f("ix_standings_user_id"))
        batch_op.drop_index("ix_standings_rating")
        batch_op.drop_index("ix_standings_points")
        batch_op.drop_index("ix_standings_loss_rate")
        batch_op.drop_index("ix_standings_best")

    op.drop_table("standings")
    with op.batch_alter_table("seasons", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_seasons_post_at",
            sqlite_where=sa.text("post_at IS NOT NULL"),
            postgresql_where=sa.text("post_at IS NOT NULL"),
        )

    op.drop_table("seasons")
    with op.batch_alter_table("card_standings", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_card_standings_user_id"))

    op.drop_table("card_standings")
