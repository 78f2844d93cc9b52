"""Games, who sits at them, what happened in them, and who is to be reminded of them."""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

from bot.domain.table import Seat
from bot.store.models.columns import NAME, UtcDateTime, columns_of, game_key, metadata, partial_index

games = Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("host_id", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("locale", String(8), nullable=False),
    Column("max_seats", SmallInteger, nullable=False),
    Column("turn_order", String(16), nullable=False),
    # The deck as the game started with it (JSON): a later change of the deck file must not change a running game.
    Column("deck", Text, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("seal", String(64), nullable=False),
    # The digest of the lucky words, kept where a player had theirs deleted: the dice follow from it.
    Column("words_digest", String(64)),
    Column("state", Text),
    # How it is played, fixed at the opening; what is due when; what to tell on the next picture: JSON, small.
    Column("options", Text, nullable=False),
    Column("timing", Text, nullable=False),
    Column("news", Text, nullable=False),
    # The earliest moment in ``timing``: the clock's row. NULL when nothing is due.
    Column("wake_at", UtcDateTime),
    Column("message_id", BigInteger),
    Column("shown_version", Integer, nullable=False, default=-1),
    Column("shown_page", Integer, nullable=False, default=-1),
    # Where several processes share a database: until when one of them is working off what is due (the clock's lease),
    # and which process shows the newest version until when (the delivery's). NULL elsewhere.
    Column("due_until", UtcDateTime),
    Column("show_by", String(16)),
    Column("show_until", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)
# Only open tables are looked up by channel, and only owed ones by the delivery: partial indexes stay small for ever.
# Written out, not bound: only then does SQLite see that a query may use the index.
IS_OPEN = games.c.status.in_((literal_column("'lobby'"), literal_column("'playing'")))
partial_index("ix_games_open_channel", games.c.channel_id, IS_OPEN)
partial_index("ix_games_owed", games.c.updated_at, games.c.shown_version < games.c.version)
partial_index("ix_games_wake_at", games.c.wake_at, games.c.wake_at.is_not(None))
Index("ix_games_guild_id", games.c.guild_id)
# The newest table of a channel, when none is open.
Index("ix_games_channel", games.c.channel_id, games.c.created_at)

seats = Table(
    "seats",
    metadata,
    Column("game_id", game_key(), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    *columns_of(Seat, indexed=("user_id",), name=NAME, lucky_word=String(64), misses=SmallInteger, hints=SmallInteger),
    UniqueConstraint("game_id", "user_id"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("game_id", game_key(), primary_key=True),
    Column("seq", Integer, primary_key=True),
    # One row a committed move: the decision and the chance that followed, a line each (highscore.notation).
    Column("lines", Text, nullable=False),
    Column("user_id", BigInteger),
    # Discord's id of the interaction that asked for it: an interaction delivered twice is played once.
    Column("interaction_id", BigInteger, unique=True),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# Remarks name people by id, also some who had no seat: the few rows in which a deletion has to look for one.
NAMES_PEOPLE = events.c.lines.like(literal_column("'% user %'"))
partial_index("ix_events_naming_people", events.c.game_id, NAMES_PEOPLE)

# Reminders that are to be sent, or were sent and not answered yet: at most one a person (primary key).
reminders = Table(
    "reminders",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", game_key(), nullable=False, index=True),
    # What the reminder is for: it is over when the table is on another page (rulebook order) or round (open order).
    Column("span", Integer, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("sent_at", UtcDateTime),
    # Until when a process is sending it; NULL where there is only one.
    Column("send_until", UtcDateTime),
)
partial_index("ix_reminders_unsent", reminders.c.due_at, reminders.c.sent_at.is_(None))
