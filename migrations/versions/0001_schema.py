"""The whole schema of version 0.1.0. bot.store.models explains the columns.

Revision ID: 0001
Revises: nothing
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    *("games", "seats", "events", "reminders", "shared_messages", "old_messages", "absences"),
    *("guild_settings", "player_settings", "guilds_left"),
    *("challenges", "dailies", "attempts"),
    *("cups", "cup_entrants", "cup_legs", "cup_groups", "cup_results", "cup_posts"),
    *("finished_games", "results", "standings", "card_standings", "records", "seasons", "badges"),
    *("chores", "interactions"),
    *("mark_keys", "marks"),
)
WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    _create_games()
    _create_settings()
    _create_challenges()
    _create_cups()
    _create_results()
    _create_badges()
    _create_processes()
    _create_marks()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)


def _partial_index(name: str, table: str, column: str, condition: str, *, unique: bool = False) -> None:
    where = sa.text(condition)
    op.create_index(name, table, [column], unique=unique, sqlite_where=where, postgresql_where=where)


def _id(name: str, **options: Any) -> sa.Column[int]:
    """Return a column of the primary key for an id that Discord generates."""
    return sa.Column(name, sa.BigInteger(), primary_key=True, autoincrement=False, **options)


def _belongs_to(name: str, target: str, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.String(16), sa.ForeignKey(target, ondelete="CASCADE"), **options)


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("locale", sa.String(8), nullable=False),
        sa.Column("max_seats", sa.SmallInteger(), nullable=False),
        sa.Column("turn_order", sa.String(16), nullable=False),
        sa.Column("deck", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.Column("words_digest", sa.String(64)),
        sa.Column("opening_id", sa.BigInteger),
        sa.Column("state", sa.Text()),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("timing", sa.Text(), nullable=False),
        sa.Column("news", sa.Text(), nullable=False),
        sa.Column("wake_at", WHEN),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("picture", sa.Integer(), nullable=False),
        sa.Column("shown_picture", sa.Integer(), nullable=False),
        sa.Column("shown_page", sa.Integer(), nullable=False),
        sa.Column("page_since", sa.Integer(), nullable=False),
        sa.Column("log", sa.String(200), nullable=False),
        sa.Column("due_until", WHEN),
        sa.Column("show_by", sa.String(16)),
        sa.Column("show_until", WHEN),
        sa.Column("created_at", WHEN, nullable=False),
        sa.Column("updated_at", WHEN, nullable=False),
    )
    _partial_index("ix_games_open_channel", "games", "channel_id", "status IN ('lobby', 'playing')")
    _partial_index("ix_games_open_host", "games", "host_id", "status IN ('lobby', 'playing')")
    _partial_index("ix_games_owed", "games", "updated_at", "shown_picture < picture")
    _partial_index("ix_games_wake_at", "games", "wake_at", "wake_at IS NOT NULL")
    op.create_index("ix_games_guild_id", "games", ["guild_id"])
    op.create_index("ix_games_channel", "games", ["channel_id", "created_at"])

    op.create_table(
        "seats",
        _belongs_to("game_id", "games.id", primary_key=True),
        sa.Column("seat", sa.SmallInteger(), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), index=True),
        sa.Column("house", sa.String(16)),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("lucky_word", sa.String(64), nullable=False),
        sa.Column("left", sa.Boolean(), nullable=False),
        sa.Column("misses", sa.SmallInteger(), nullable=False),
        sa.Column("hints", sa.SmallInteger(), nullable=False),
        sa.Column("practised", sa.Text(), nullable=False),
        sa.Column("invited", sa.Boolean(), nullable=False),
        sa.Column("uncalled", sa.Boolean(), nullable=False),
        sa.Column("gives_up", sa.Boolean()),
        sa.Column("away_until", WHEN),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("game_id", "user_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        _belongs_to("game_id", "games.id", primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("interaction_id", sa.BigInteger(), unique=True),
        sa.Column("created_at", WHEN, nullable=False),
        sqlite_with_rowid=False,
    )
    _partial_index("ix_events_naming_people", "events", "created_at", "lines LIKE '% user %'")
    op.create_table(
        "reminders",
        _id("user_id"),
        _belongs_to("game_id", "games.id", primary_key=True, index=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("span", sa.Integer(), nullable=False),
        sa.Column("due_at", WHEN, nullable=False),
        sa.Column("sent_at", WHEN),
        sa.Column("send_until", WHEN),
        sa.Column("message_id", sa.BigInteger()),
    )
    _partial_index("ix_reminders_unsent", "reminders", "due_at", "sent_at IS NULL")
    _partial_index("uq_reminders_one", "reminders", "user_id", "kind = 'reminder'", unique=True)
    op.create_table(
        "shared_messages",
        _id("message_id"),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        _belongs_to("game_id", "games.id", nullable=False, index=True),
        sa.Column("what", sa.String(8), nullable=False),
        sa.Column("post_at", WHEN),
        sa.Column("post_until", WHEN),
    )
    _partial_index("ix_shared_messages_post_at", "shared_messages", "post_at", "post_at IS NOT NULL")
    op.create_table(
        "old_messages",
        _id("message_id"),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        _belongs_to("game_id", "games.id", nullable=False, index=True),
        sa.Column("due_at", WHEN),
        sa.Column("delete_until", WHEN),
    )
    _partial_index("ix_old_messages_due", "old_messages", "due_at", "due_at IS NOT NULL")
    op.create_table(
        "absences",
        _id("guild_id"),
        _id("user_id", index=True),
        sa.Column("until", WHEN, nullable=False),
        sa.Column("post_at", WHEN),
        sa.Column("post_until", WHEN),
    )
    _partial_index("ix_absences_post_at", "absences", "post_at", "post_at IS NOT NULL")


def _create_settings() -> None:
    op.create_table(
        "guild_settings",
        _id("guild_id"),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("updated_at", WHEN, nullable=False),
    )
    op.create_table(
        "player_settings",
        _id("user_id"),
        sa.Column("notify", sa.String(8), nullable=False),
        sa.Column("invitations", sa.Boolean(), nullable=False),
        sa.Column("updated_at", WHEN, nullable=False),
    )
    left_at = sa.Column("left_at", WHEN, nullable=False, index=True)
    op.create_table("guilds_left", _id("guild_id"), left_at, sa.Column("purge_until", WHEN))


def _create_challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False, index=True),
        sa.Column("cards_name", sa.String(40), nullable=False),
        sa.Column("ends_at", WHEN, nullable=False),
        sa.Column("closed_at", WHEN),
        sa.Column("locale", sa.String(8), nullable=False),
        sa.Column("deck", sa.Text(), nullable=False),
        sa.Column("averages", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.Column("created_at", WHEN, nullable=False),
    )
    op.create_table(
        "dailies",
        _belongs_to("challenge_id", "challenges.id", primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("post_at", WHEN),
        sa.Column("post_until", WHEN),
        sa.UniqueConstraint("guild_id", "day"),
    )
    op.create_table(
        "attempts",
        _belongs_to("challenge_id", "challenges.id", primary_key=True),
        _id("user_id", index=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("practised", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer()),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("finished_at", WHEN),
        sa.Column("shared_at", WHEN),
        sa.Column("post_at", WHEN),
        sa.Column("post_until", WHEN),
        sa.Column("updated_at", WHEN, nullable=False),
        sqlite_with_rowid=False,
    )
    for table in ("dailies", "attempts"):
        _partial_index(f"ix_{table}_post_at", table, "post_at", "post_at IS NOT NULL")


def _create_cups() -> None:
    op.create_table(
        "cups",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False, index=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        *(sa.Column(name, sa.SmallInteger(), nullable=False) for name in ("length", "days", "most")),
        sa.Column("begins_at", WHEN, nullable=False),
        sa.Column("waited", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("locale", sa.String(8), nullable=False),
        sa.Column("deck", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("digest", sa.String(64)),
        sa.Column("opening", sa.BigInteger()),
        sa.Column("leg", sa.SmallInteger(), nullable=False),
        sa.Column("finished_at", WHEN),
        sa.Column("wake_at", WHEN),
        sa.Column("due_until", WHEN),
        sa.Column("created_at", WHEN, nullable=False),
    )
    op.create_index("ix_cups_guild_id", "cups", ["guild_id", "created_at"])
    _partial_index("ix_cups_wake_at", "cups", "wake_at", "wake_at IS NOT NULL")
    op.create_table(
        "cup_entrants",
        _belongs_to("cup_id", "cups.id", primary_key=True),
        _number("number"),
        sa.Column("user_id", sa.BigInteger(), index=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("left", sa.SmallInteger()),
        *(sa.Column(name, sa.Boolean(), nullable=False) for name in ("removed", "won")),
        sa.UniqueConstraint("cup_id", "user_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "cup_legs",
        _belongs_to("cup_id", "cups.id", primary_key=True),
        _number("number"),
        *(sa.Column(name, WHEN, nullable=False) for name in ("began_at", "planned_at")),
        sa.Column("closed_at", WHEN),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("outages", "byes", "averages")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "cup_groups",
        _belongs_to("challenge_id", "challenges.id", primary_key=True),
        _belongs_to("cup_id", "cups.id", nullable=False),
        sa.Column("leg", sa.SmallInteger(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("entrants", sa.Text(), nullable=False),
        sa.UniqueConstraint("cup_id", "leg", "number"),
    )
    op.create_table(
        "cup_results",
        _belongs_to("cup_id", "cups.id", primary_key=True),
        *(_number("leg"), _number("number")),
        sa.Column("results", sa.Text(), nullable=False),
        sa.Column("given_away", sa.Integer()),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "cup_posts",
        _belongs_to("cup_id", "cups.id", primary_key=True),
        _number("number"),
        sa.Column("what", sa.String(16), nullable=False),
        *(sa.Column(name, sa.SmallInteger(), nullable=False) for name in ("leg", "argument")),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("called", sa.SmallInteger(), nullable=False),
        sa.Column("post_at", WHEN),
        sa.Column("post_until", WHEN),
        sqlite_with_rowid=False,
    )
    _partial_index("ix_cup_posts_post_at", "cup_posts", "post_at", "post_at IS NOT NULL")


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.SmallInteger(), primary_key=True, autoincrement=False)


def _create_badges() -> None:
    op.create_table(
        "badges",
        _id("guild_id"),
        _id("user_id", index=True),
        sa.Column("badge", sa.String(16), primary_key=True),
        _belongs_to("game_id", "games.id", nullable=False, index=True),
        sa.Column("at", WHEN, nullable=False),
        sqlite_with_rowid=False,
    )


def _create_results() -> None:
    op.create_table(
        "finished_games",
        _belongs_to("game_id", "games.id", primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", WHEN, nullable=False),
        sa.Column("season", sa.String(8), nullable=False),
        sa.Column("month", sa.String(8), nullable=False),
        sa.Column("players", sa.SmallInteger(), nullable=False),
        sa.Column("people", sa.SmallInteger(), nullable=False),
        sa.Column("formula", sa.SmallInteger(), index=True),
        sa.Column("review_owed", sa.Boolean(), nullable=False),
        sa.Column("review_until", WHEN),
        sa.UniqueConstraint("guild_id", "finished_at"),
        sqlite_with_rowid=False,
    )
    _partial_index("ix_finished_games_review_owed", "finished_games", "finished_at", "review_owed")
    op.create_table(
        "results",
        _belongs_to("game_id", "finished_games.game_id", primary_key=True),
        sa.Column("seat", sa.SmallInteger(), primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("house", sa.String(16)),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        *(sa.Column(chip, sa.SmallInteger(), nullable=False) for chip in ("gold", "silver", "bronze")),
        sa.Column("best", sa.Integer()),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("house_turns", sa.SmallInteger(), nullable=False),
        *(sa.Column(name, sa.Double()) for name in ("mu_after", "sigma_after")),
        sa.Column("luck", sa.BigInteger()),
        sa.Column("loss", sa.BigInteger()),
        sa.Column("decisions", sa.Integer()),
        sa.Column("finished_at", WHEN, nullable=False),
        sa.Index(
            "ix_results_person",
            *("user_id", "guild_id", "finished_at"),
            *("place", "points", "gold", "silver", "bronze", "best", "hints", "house", "house_turns"),
            *("mu_after", "sigma_after", "luck", "loss", "decisions"),
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standings",
        _id("guild_id"),
        sa.Column("period", sa.String(8), primary_key=True),
        _id("user_id", index=True),
        sa.Column("name", sa.String(100), nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("games", "wins", "points", "gold", "silver", "bronze")
        ),
        sa.Column("best", sa.Integer()),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("rating", sa.Double()),
        sa.Column("opponents", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("streak", "longest", "hints", "house_turns", "reviewed")
        ),
        sa.Column("luck", sa.BigInteger(), nullable=False),
        sa.Column("loss", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("win_rate", sa.Double()),
        sa.Column("loss_rate", sa.Double()),
        *(
            sa.Index(f"ix_standings_{order}", "guild_id", "period", order, "user_id")
            for order in ("wins", "win_rate", "points", "best", "loss_rate")
        ),
        sa.Index("ix_standings_rating", "guild_id", "period", "rating", "user_id", "opponents"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "card_standings",
        _id("guild_id"),
        _id("user_id", index=True),
        sa.Column("card", sa.String(80), primary_key=True),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("turns", "total", "best", "worst", "gold", "silver", "bronze")
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        _id("guild_id"),
        sa.Column("card", sa.String(80), primary_key=True),
        sa.Column("result", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False, index=True),
        _belongs_to("game_id", "games.id", nullable=False, index=True),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("round", sa.SmallInteger(), nullable=False),
        sa.Column("at", WHEN, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seasons",
        _id("guild_id"),
        sa.Column("season", sa.String(8), primary_key=True),
        sa.Column("locale", sa.String(8), nullable=False),
        sa.Column("ends_at", WHEN, nullable=False),
        sa.Column("post_at", WHEN),
        sa.Column("post_until", WHEN),
        sqlite_with_rowid=False,
    )
    _partial_index("ix_seasons_post_at", "seasons", "post_at", "post_at IS NOT NULL")


def _create_processes() -> None:
    op.create_table(
        "chores",
        sa.Column("chore", sa.String(64), primary_key=True),
        sa.Column("done", sa.String(64)),
        sa.Column("until", WHEN),
    )
    op.create_table("interactions", _id("interaction_id"), sa.Column("at", WHEN, nullable=False, index=True))


def _create_marks() -> None:
    op.create_table(
        "mark_keys",
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", WHEN, nullable=False, index=True),
        sa.UniqueConstraint("guild_id", "ends_at"),
    )
    op.create_table(
        "marks",
        sa.Column("mark", sa.LargeBinary(16), primary_key=True),
        sa.Column("number", sa.SmallInteger(), primary_key=True, autoincrement=False),
        sa.Column(
            "key", sa.LargeBinary(32), sa.ForeignKey("mark_keys.key", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("at", WHEN, nullable=False),
        sqlite_with_rowid=False,
    )
