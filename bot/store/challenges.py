"""The tables of challenges, daily ones and those of cups, and of cups; a part of ``bot.store.models``."""

from sqlalchemy import (
    BigInteger,
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

from bot.domain.challenge import Attempt, Challenge
from bot.domain.cup import Cup, CupLeg, Entrant
from bot.store.rows import (
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
    # The whole log, a line each as in ``events``. It is as short as the state that it leads to, which is not stored.
    *columns_of(Attempt, key=("user_id",), indexed=("user_id",), name=NAME, events=Text, practised=Text),
    Column("step", Integer, nullable=False),
    # The score once all cards are played.
    Column("score", Integer),
    # The line that is due once it is shared.
    *make_owed_columns("attempts"),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# ---------------------------------------------------------------------------------------------------------------- cups

cups = Table(
    "cups",
    metadata,
    *columns_of(
        Cup,
        key=("id",),
        indexed=("host_id",),
        name=String(40),
        locale=String(8),
        deck=Text,
        seed=LargeBinary(32),
        digest=String(64),
        opening=BigInteger,
        **dict.fromkeys(("length", "days", "most", "leg"), SmallInteger),
    ),
    # The end of a process's lease on the moment at which something is due.
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
    *columns_of(Entrant, indexed=("user_id",), name=NAME, left=SmallInteger),
    UniqueConstraint("cup_id", "user_id"),
    sqlite_with_rowid=False,
)

cup_legs = Table(
    "cup_legs",
    metadata,
    Column("cup_id", make_game_key("cups.id"), primary_key=True),
    # Lists are JSON.
    *columns_of(CupLeg, key=("number",), number=SmallInteger, averages=Text),
    Column("byes", Text, nullable=False),
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
