"""The tables of records, badges, shared messages and absences; a part of ``bot.store.models``."""

from sqlalchemy import BigInteger, Column, SmallInteger, String, Table

from bot.domain.ledger import EarnedBadge, Record
from bot.store.rows import CARD, UtcDateTime, columns_of, make_game_key, make_owed_columns, metadata

# The hall of fame: the best result ever on each card of a server.
records = Table(
    "records",
    metadata,
    *columns_of(
        Record,
        key=("guild_id", "card"),
        indexed=("user_id", "game_id"),
        card=CARD,
        game_id=make_game_key(),
        seat=SmallInteger,
        round=SmallInteger,
    ),
    sqlite_with_rowid=False,
)

# The badges that people have earned (domain.badges), each once a server.
badges = Table(
    "badges",
    metadata,
    *columns_of(
        EarnedBadge, key=("guild_id", "user_id", "badge"), indexed=("user_id", "game_id"), game_id=make_game_key()
    ),
    sqlite_with_rowid=False,
)

# Messages with names in them, apart from the one that shows a table. One is drawn anew if somebody's data was deleted,
# or if it is the lobby of a thread's table. A deletion adds the standings of the games.
shared_messages = Table(
    "shared_messages",
    metadata,
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("game_id", make_game_key(), nullable=False, index=True),
    # A value of bot.domain.screens.Shared.
    Column("what", String(8), nullable=False),
    *make_owed_columns("shared_messages"),
)

# Absences that people have announced for a server. Their tables are told at once, and when the absence is over.
absences = Table(
    "absences",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("until", UtcDateTime, nullable=False),
    *make_owed_columns("absences"),
)
