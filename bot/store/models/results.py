"""What finished games leave behind: results, standings, records, seasons."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    literal_column,
)

from bot.store.models.columns import UtcDateTime, metadata

# A finished game: when it ended, in which periods it counts (facts that its events do not tell), and what is owed.
finished_games = Table(
    "finished_games",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    # Later than every earlier finish of the server: the order in which games are rated.
    Column("finished_at", UtcDateTime, nullable=False),
    Column("season", String(8), nullable=False),
    Column("month", String(8), nullable=False),
    Column("players", SmallInteger, nullable=False),
    Column("people", SmallInteger, nullable=False),
    # The version of the rating's formula; NULL for a game that had too few people to be rated.
    Column("formula", SmallInteger, index=True),
    # Whether luck and loss are still to be worked out, which takes too long for the transaction that ends a game.
    Column("review_owed", Boolean, nullable=False),
    # Until when a process is working them out; NULL where there is only one.
    Column("review_until", UtcDateTime),
    UniqueConstraint("guild_id", "finished_at"),
    sqlite_with_rowid=False,
)
# Written out: SQLAlchemy would ask SQLite whether it is 1, which SQLite does not take for the index's condition.
REVIEW_OWED: ColumnElement[bool] = literal_column("finished_games.review_owed")
Index(
    "ix_finished_games_review_owed",
    finished_games.c.finished_at,
    sqlite_where=finished_games.c.review_owed,
    postgresql_where=finished_games.c.review_owed,
)

# One seat of a finished game. Luck and loss are millionths of a chip point, NULL until they are worked out.
results = Table(
    "results",
    metadata,
    Column("game_id", ForeignKey("finished_games.game_id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    # NULL: a house player, ``house`` says which. Negative: somebody whose data was deleted.
    Column("user_id", BigInteger),
    Column("house", String(16)),
    Column("place", SmallInteger, nullable=False),
    Column("points", Integer, nullable=False),
    Column("gold", SmallInteger, nullable=False),
    Column("silver", SmallInteger, nullable=False),
    Column("bronze", SmallInteger, nullable=False),
    Column("best", Integer),
    Column("hints", Integer, nullable=False),
    Column("house_turns", SmallInteger, nullable=False),
    Column("mu_before", Double),
    Column("sigma_before", Double),
    Column("mu_after", Double),
    Column("sigma_after", Double),
    Column("luck", BigInteger),
    Column("loss", BigInteger),
    Column("decisions", Integer),
    Column("finished_at", UtcDateTime, nullable=False),
    # Somebody's games in a server, newest first; also everything of one person. All columns are in it: their games lie
    # side by side here and need not be fetched one by one from among everybody's.
    Index(
        "ix_results_person",
        *("user_id", "guild_id", "finished_at"),
        *("place", "points", "gold", "silver", "bronze", "best", "hints", "house", "house_turns"),
        *("mu_before", "sigma_before", "mu_after", "sigma_after", "luck", "loss", "decisions"),
    ),
    sqlite_with_rowid=False,
)

# Kept ready for every person, server and period (domain.season). The indexes are the orders of the leaderboard: what is
# ranked by is NULL for whoever is not ranked.
standings = Table(
    "standings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("period", String(8), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("name", String(100), nullable=False),
    Column("last_at", UtcDateTime, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("gold", Integer, nullable=False),
    Column("silver", Integer, nullable=False),
    Column("bronze", Integer, nullable=False),
    Column("best", Integer),
    Column("rated", Integer, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("rating", Double),
    Column("streak", Integer, nullable=False),
    Column("longest", Integer, nullable=False),
    Column("hints", Integer, nullable=False),
    Column("house_turns", Integer, nullable=False),
    Column("reviewed", Integer, nullable=False),
    Column("luck", BigInteger, nullable=False),
    Column("loss", BigInteger, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("win_rate", Double),
    Column("loss_rate", Double),
    *(
        Index(f"ix_standings_{order}", "guild_id", "period", order, "user_id")
        for order in ("rating", "wins", "win_rate", "points", "best", "loss_rate")
    ),
    sqlite_with_rowid=False,
)

# Somebody's own turns on one card (in the notation of cards) in one server.
card_standings = Table(
    "card_standings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("card", String(80), primary_key=True),
    Column("turns", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("worst", Integer, nullable=False),
    Column("gold", Integer, nullable=False),
    Column("silver", Integer, nullable=False),
    Column("bronze", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# The hall of fame: the best result ever on each card of a server.
records = Table(
    "records",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("card", String(80), primary_key=True),
    Column("result", Integer, nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", SmallInteger, nullable=False),
    Column("round", SmallInteger, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# The seasons of a server in which a game ended.
seasons = Table(
    "seasons",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("season", String(8), primary_key=True),
    Column("locale", String(8), nullable=False),
    Column("ends_at", UtcDateTime, nullable=False),
    # When the podium is to be posted or tried again: the clock's row. NULL when it was, or is not to be.
    Column("post_at", UtcDateTime),
    Column("post_tries", SmallInteger, nullable=False, default=0),
    sqlite_with_rowid=False,
)
Index(
    "ix_seasons_post_at",
    seasons.c.post_at,
    sqlite_where=seasons.c.post_at.is_not(None),
    postgresql_where=seasons.c.post_at.is_not(None),
)
