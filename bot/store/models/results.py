"""What finished games leave behind: results, standings, records, seasons. See bot.domain.ledger for the fields."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    literal_column,
)

from bot.domain.ledger import CardStanding, PlayerStanding, Record, Result
from bot.store.models.columns import CARD, NAME, UtcDateTime, columns_of, game_key, metadata, partial_index

# A finished game: when it ended, in which periods it counts (facts that its events do not tell), and what is owed.
finished_games = Table(
    "finished_games",
    metadata,
    Column("game_id", game_key(), primary_key=True),
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
    # Until when a process is working them out.
    Column("review_until", UtcDateTime),
    UniqueConstraint("guild_id", "finished_at"),
    sqlite_with_rowid=False,
)
# Written out: SQLAlchemy would ask SQLite whether it is 1, which SQLite does not take for the index's condition.
REVIEW_OWED: ColumnElement[bool] = literal_column("finished_games.review_owed")
partial_index("ix_finished_games_review_owed", finished_games.c.finished_at, finished_games.c.review_owed)

# One seat of a finished game.
_SMALL: dict[str, Any] = dict.fromkeys(("seat", "place", "gold", "silver", "bronze", "house_turns"), SmallInteger)
results = Table(
    "results",
    metadata,
    *columns_of(
        Result,
        key=("game_id", "seat"),
        game_id=game_key("finished_games.game_id"),
        luck=BigInteger,
        loss=BigInteger,
        **_SMALL,
    ),
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
    *columns_of(
        PlayerStanding,
        key=("guild_id", "period", "user_id"),
        indexed=("user_id",),
        period=String(8),
        name=NAME,
        luck=BigInteger,
        loss=BigInteger,
    ),
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
    *columns_of(CardStanding, key=("guild_id", "user_id", "card"), indexed=("user_id",), card=CARD),
    sqlite_with_rowid=False,
)

# The hall of fame: the best result ever on each card of a server.
records = Table(
    "records",
    metadata,
    *columns_of(
        Record,
        key=("guild_id", "card"),
        indexed=("user_id", "game_id"),
        card=CARD,
        game_id=game_key(),
        seat=SmallInteger,
        round=SmallInteger,
    ),
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
partial_index("ix_seasons_post_at", seasons.c.post_at, seasons.c.post_at.is_not(None))
