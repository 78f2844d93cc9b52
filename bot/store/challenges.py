"""The tables of challenges, daily ones and those of cups, and of cups; a part of ``bot.store.models``."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from bot.domain.challenge import Challenge
from bot.store.columns import (
    NAME,
    UtcDateTime,
    columns_of,
    make_game_key,
    make_owed_columns,
    make_partial_index,
    metadata,
)

# Cards and dice that are the same for everybody who plays them. The cards follow from a name and the deck, the dice
# from the seed.
challenges = Table(
    "challenges",
    metadata,
    *columns_of(
        Challenge,
        key=("id",),
        indexed=("guild_id",),
        cards_name=String(40),
        locale=String(8),
        deck=Text,
        averages=Text,
        seed=LargeBinary(32),
        seal=String(64),
    ),
    Column("created_at", UtcDateTime, nullable=False),
)

# The challenge of a day of a server; owed is its podium.
dailies = Table(
    "dailies",
    metadata,
    Column("challenge_id", make_game_key("challenges.id"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("day", Date, nullable=False),
    *make_owed_columns("dailies"),
    UniqueConstraint("guild_id", "day"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("challenge_id", make_game_key("challenges.id"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("name", NAME, nullable=False),
    # The channel in which the person played last, or shared: the line about the finish is posted there.
    Column("channel_id", BigInteger, nullable=False),
    # 0 until they take their first dice.
    Column("step", Integer, nullable=False),
    # The whole log, a line each as in ``events``. It is as short as the state that it leads to, which is not stored.
    Column("events", Text, nullable=False),
    # What the person had practised before this challenge (domain.practised).
    Column("practised", Text, nullable=False),
    # The score once all cards are played, and whether that was before the challenge was closed.
    Column("score", Integer),
    Column("ranked", Boolean, nullable=False),
    # The number of days in a row that were finished before, and with this one; 0 if it is finished late, or no day.
    Column("streak", Integer, nullable=False),
    Column("finished_at", UtcDateTime),
    # The moment its player shared it, at which its line is due.
    Column("shared_at", UtcDateTime),
    *make_owed_columns("attempts"),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# ---------------------------------------------------------------------------------------------------------------- cups

# A cup (bot.domain.cup.Cup).
cups = Table(
    "cups",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("host_id", BigInteger, nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("format", String(16), nullable=False),
    Column("length", SmallInteger, nullable=False),
    Column("days", SmallInteger, nullable=False),
    Column("most", SmallInteger, nullable=False),
    Column("begins_at", UtcDateTime, nullable=False),
    Column("waited", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("locale", String(8), nullable=False),
    Column("deck", Text, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("digest", String(64)),
    Column("opening", BigInteger),
    Column("leg", SmallInteger, nullable=False),
    Column("finished_at", UtcDateTime),
    # The clock's row: the next moment at which something is due (NULL: nothing), and the end of a process's lease.
    Column("wake_at", UtcDateTime),
    Column("due_until", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Index("ix_cups_guild_id", "guild_id", "created_at"),
)
make_partial_index("ix_cups_wake_at", cups.c.wake_at, cups.c.wake_at.is_not(None))

cup_entrants = Table(
    "cup_entrants",
    metadata,
    Column("cup_id", make_game_key("cups.id"), primary_key=True),
    # The order of entering, from 0.
    Column("number", SmallInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, index=True),
    Column("name", NAME, nullable=False),
    # The leg in which they left; NULL while they are there.
    Column("left", SmallInteger),
    Column("removed", Boolean, nullable=False),
    Column("won", Boolean, nullable=False),
    UniqueConstraint("cup_id", "user_id"),
    sqlite_with_rowid=False,
)

cup_legs = Table(
    "cup_legs",
    metadata,
    Column("cup_id", make_game_key("cups.id"), primary_key=True),
    Column("number", SmallInteger, primary_key=True, autoincrement=False),
    Column("began_at", UtcDateTime, nullable=False),
    Column("planned_at", UtcDateTime, nullable=False),
    Column("ends_at", UtcDateTime, nullable=False),
    Column("closed_at", UtcDateTime),
    # The outages of the bot while the leg was open, the entrants with a bye, and the averages of the cards: JSON.
    Column("outages", Text, nullable=False),
    Column("byes", Text, nullable=False),
    Column("averages", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The groups of a leg, with a challenge each.
cup_groups = Table(
    "cup_groups",
    metadata,
    Column("challenge_id", make_game_key("challenges.id"), primary_key=True),
    Column("cup_id", make_game_key("cups.id"), nullable=False),
    Column("leg", SmallInteger, nullable=False),
    # The order of the draw; 1000 and the entrant's number for one who plays alone.
    Column("number", SmallInteger, nullable=False),
    # The numbers of the entrants: JSON.
    Column("entrants", Text, nullable=False),
    Column("alone", Boolean, nullable=False),
    UniqueConstraint("cup_id", "leg", "number"),
)

# What was played in a leg when it was closed, by entrant's number, so that a deletion leaves the draws as they were.
cup_results = Table(
    "cup_results",
    metadata,
    Column("cup_id", make_game_key("cups.id"), primary_key=True),
    Column("leg", SmallInteger, primary_key=True, autoincrement=False),
    Column("number", SmallInteger, primary_key=True, autoincrement=False),
    # The results of the finished cards in order: JSON.
    Column("results", Text, nullable=False),
    # The thousandths of points given away; NULL until they are needed to decide.
    Column("given_away", Integer),
    sqlite_with_rowid=False,
)

# The messages about a cup: owed, or posted and drawn anew when owed again.
cup_posts = Table(
    "cup_posts",
    metadata,
    Column("cup_id", make_game_key("cups.id"), primary_key=True),
    Column("number", SmallInteger, primary_key=True, autoincrement=False),
    # A value of bot.domain.cup.CupPost, the leg it is about, and what else it says.
    Column("what", String(16), nullable=False),
    Column("leg", SmallInteger, nullable=False),
    Column("argument", SmallInteger, nullable=False),
    # The message once it is there; how many entrants it has called.
    Column("message_id", BigInteger),
    Column("called", SmallInteger, nullable=False),
    *make_owed_columns("cup_posts"),
    sqlite_with_rowid=False,
)
