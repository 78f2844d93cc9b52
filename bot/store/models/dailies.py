"""The daily challenges."""

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from bot.store.models.columns import NAME, UtcDateTime, metadata, partial_index

# One daily challenge of one server: the cards follow from the day and the deck, the dice from the seed.
dailies = Table(
    "dailies",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("day", Date, nullable=False),
    # When the day is over in the server's time zone, as it was when the day was played first.
    Column("ends_at", UtcDateTime, nullable=False),
    Column("locale", String(8), nullable=False),
    Column("deck", Text, nullable=False),
    # The exact expected result of each card (JSON); their sum is the par.
    Column("averages", Text, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("seal", String(64), nullable=False),
    # When the podium is to be posted or tried again: the clock's row. NULL when it was, or is not to be.
    Column("post_at", UtcDateTime),
    Column("post_tries", SmallInteger, nullable=False, default=0),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("guild_id", "day"),
)
partial_index("ix_dailies_post_at", dailies.c.post_at, dailies.c.post_at.is_not(None))

daily_plays = Table(
    "daily_plays",
    metadata,
    Column("daily_id", ForeignKey("dailies.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("name", NAME, nullable=False),
    # Where the person played last: the line that tells of the finish is posted there.
    Column("channel_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),
    # NULL until all cards are played: the score, and how many days in a row were finished with this one.
    Column("score", Integer),
    Column("streak", Integer),
    Column("finished_at", UtcDateTime),
    # When the line about the finish is to be posted or tried again. NULL when it was, or is not to be.
    Column("post_at", UtcDateTime),
    Column("post_tries", SmallInteger, nullable=False, default=0),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)
partial_index("ix_daily_plays_post_at", daily_plays.c.post_at, daily_plays.c.post_at.is_not(None))

daily_events = Table(
    "daily_events",
    metadata,
    Column("daily_id", String(16), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True),
    # As in ``events``: one row a committed move, a line each for the decision and the chance that followed.
    Column("lines", Text, nullable=False),
    Column("interaction_id", BigInteger, unique=True),
    Column("created_at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(["daily_id", "user_id"], ["daily_plays.daily_id", "daily_plays.user_id"], ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
