"""Columns for rated games (R9.6): the end of the day on which a game started, whether a seat's data was deleted during
the game, and the number of rated games that count.

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
    op.add_column("games", sa.Column("day_ends_at", sa.DateTime(timezone=True)))
    op.drop_index("ix_games_guild_id", "games")
    op.create_index("ix_games_guild_day", "games", ["guild_id", "day_ends_at"])
    op.add_column("seats", sa.Column("erased", sa.Boolean(), nullable=False, server_default=sa.false()))
    # Until now a deletion gave the person one negative number in all finished games, and the next lower numbers in
    # games that were being played. If the person had no finished game, this finds their seat only while the game is
    # being played.
    op.execute(
        "UPDATE seats SET erased = true WHERE user_id < 0"
        " AND (EXISTS (SELECT 1 FROM seats AS others WHERE others.user_id = seats.user_id + 1)"
        " OR game_id IN (SELECT id FROM games WHERE status = 'playing'))"
    )
    # `highscore-bot rebuild` fills these columns. It has to run anyway, because the formula of the ratings has changed.
    op.add_column("standings", sa.Column("counted", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("standings", "counted")
    op.drop_column("seats", "erased")
    op.drop_index("ix_games_guild_day", "games")
    op.create_index("ix_games_guild_id", "games", ["guild_id"])
    op.drop_column("games", "day_ends_at")
