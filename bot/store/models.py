"""The database tables, as SQLAlchemy Core sees them. ``migrations/`` creates them.

Core and not the ORM, because a roll is one read and two writes, and the ORM's unit of work takes several times as long
(see benchmarks/).
"""

from typing import Any

import sqlalchemy as sa

import bot.domain.table
from bot.domain.challenge import Attempt, Challenge
from bot.domain.cup import Cup, CupLeg, Entrant
from bot.domain.ledger import CHIP_COLUMNS, CardStanding, EarnedBadge, PlayerStanding, Record, Result
from bot.domain.notify import Call
from bot.domain.outcome import Finish
from bot.domain.screens import OldMessage
from bot.store.rows import CARD, NAME, UtcDateTime, columns_of, make_game_key, make_partial_index, make_post_columns
from bot.store.rows import metadata as metadata

# ------------------------------------------------------------------------------- games, who sits at them, what happened

games = sa.Table(
    "games",
    metadata,
    *columns_of(
        bot.domain.table.Table,
        key=("id",),
        locale=sa.String(8),
        max_seats=sa.SmallInteger,
        # As it was when the table was opened, because a change of the deck file must not change an open game.
        deck=sa.Text,
        seed=sa.LargeBinary(32),
        seal=sa.String(64),
        lock=sa.String(64),
        log=sa.String(200),
        options=sa.Text,
        timing=sa.Text,
        news=sa.Text,
    ),
    sa.Column("state", sa.Text),
    # The earliest time in ``timing``, for which the clock looks. NULL if nothing is due.
    sa.Column("wake_at", UtcDateTime),
    # Leases of processes that share a database. ``due_until``: until when a process acts on what is due. ``show_by``
    # and ``show_until``: which process shows the newest content, and until when.
    sa.Column("due_until", UtcDateTime),
    sa.Column("show_by", sa.String(16)),
    sa.Column("show_until", UtcDateTime),
    sa.Column("created_at", UtcDateTime, nullable=False),
    sa.Column("updated_at", UtcDateTime, nullable=False),
)
# Open tables are looked up by channel and by host, unshown tables by the worker that shows them. SQLite uses a partial
# index only if the query repeats the condition of the index with literals.
IS_OPEN = games.c.status.in_((sa.literal_column("'lobby'"), sa.literal_column("'playing'")))
make_partial_index("ix_games_open_channel", games.c.channel_id, IS_OPEN)
make_partial_index("ix_games_open_host", games.c.host_id, IS_OPEN)
IS_UNSHOWN = games.c.shown_content_version < games.c.content_version
make_partial_index("ix_games_owed", games.c.updated_at, IS_UNSHOWN)
make_partial_index("ix_games_wake_at", games.c.wake_at, games.c.wake_at.is_not(None))
sa.Index("ix_games_guild_day", games.c.guild_id, games.c.day_ends_at)
# Finds the newest table of a channel in which no table is open.
sa.Index("ix_games_channel", games.c.channel_id, games.c.created_at)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("game_id", make_game_key(), primary_key=True),
    sa.Column("seat", sa.SmallInteger, primary_key=True),
    *columns_of(
        bot.domain.table.Seat,
        indexed=("user_id",),
        name=NAME,
        lucky_word=sa.String(64),
        practised=sa.Text,
        misses=sa.SmallInteger,
        hints=sa.SmallInteger,
    ),
    sa.UniqueConstraint("game_id", "user_id"),
    sqlite_with_rowid=False,
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("game_id", make_game_key(), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    # One row for each committed move: the decision and the chance events that followed, one event per line
    # (highscore.notation).
    sa.Column("lines", sa.Text, nullable=False),
    sa.Column("user_id", sa.BigInteger),
    # Discord's id of the interaction that made the move, so that an interaction delivered twice is played once.
    sa.Column("interaction_id", sa.BigInteger, unique=True),
    sa.Column("created_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# Some remarks contain the id of a person, even of one who never had a seat. The deletion and the export of a person's
# data find these rows by the index below.
NAMES_PEOPLE = events.c.lines.like(sa.literal_column("'% user %'"))
make_partial_index("ix_events_naming_people", events.c.created_at, NAMES_PEOPLE)

# Calls: pings and reminders of people. A row stays from before the call is sent until the person has acted.
reminders = sa.Table(
    "reminders", metadata, *columns_of(Call, key=("user_id", "game_id", "kind"), game_id=make_game_key())
)
sa.Index("ix_reminders_game_id", reminders.c.game_id)
make_partial_index("ix_reminders_unsent", reminders.c.due_at, reminders.c.sent_at.is_(None))
# A person has at most one row of the kind ``reminder``, over all tables. It may be sent already.
IS_REMINDER = reminders.c.kind == sa.literal_column("'reminder'")
make_partial_index("uq_reminders_one", reminders.c.user_id, IS_REMINDER, unique=True)

old_messages = sa.Table(
    "old_messages",
    metadata,
    *columns_of(OldMessage, key=("message_id",), indexed=("game_id",), game_id=make_game_key()),
)
make_partial_index("ix_old_messages_due", old_messages.c.due_at, old_messages.c.due_at.is_not(None))

# Messages with players' names that are outside of the table's own sequence (Shared). They are redrawn when a player's
# data is deleted. The copy of a lobby in the parent channel of a thread is also redrawn when the lobby changes. Final
# standings get a row only when a player's data is deleted.
shared_messages = sa.Table(
    "shared_messages",
    metadata,
    sa.Column("message_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("game_id", make_game_key(), nullable=False, index=True),
    # A value of bot.domain.screens.Shared.
    sa.Column("what", sa.String(8), nullable=False),
    *make_post_columns("shared_messages"),
)

# ----------------------------------------------------------------- what finished games leave behind (bot.domain.ledger)

# A finished game: when it ended, the periods in which it counts (the log does not contain these), and whether its
# review is pending.
finished_games = sa.Table(
    "finished_games",
    metadata,
    *columns_of(Finish, key=("game_id",), game_id=make_game_key(), season=sa.String(8), month=sa.String(8)),
    sa.Column("players", sa.SmallInteger, nullable=False),
    sa.Column("people", sa.SmallInteger, nullable=False),
    # The version of the rating's formula. NULL if the game had too few people to be rated.
    sa.Column("formula", sa.SmallInteger, index=True),
    # True until luck and loss are computed. That takes too long for the transaction that ends the game.
    sa.Column("review_owed", sa.Boolean, nullable=False),
    # The end of the lease of the process that computes luck and loss.
    sa.Column("review_until", UtcDateTime),
    sa.UniqueConstraint("guild_id", "finished_at"),
    sqlite_with_rowid=False,
)
# A literal, because SQLAlchemy would write ``= 1``, and SQLite would not recognize the condition of the index.
REVIEW_PENDING: sa.ColumnElement[bool] = sa.literal_column("finished_games.review_owed")
make_partial_index("ix_finished_games_review_owed", finished_games.c.finished_at, finished_games.c.review_owed)

# One seat of a finished game.
_SMALL: dict[str, Any] = dict.fromkeys(("seat", "place", *CHIP_COLUMNS, "house_turns"), sa.SmallInteger)
results = sa.Table(
    "results",
    metadata,
    *columns_of(
        Result,
        key=("game_id", "seat"),
        game_id=make_game_key("finished_games.game_id"),
        luck=sa.BigInteger,
        loss=sa.BigInteger,
        **_SMALL,
    ),
    # Finds a person's games on a server, newest first, and all games of a person. It contains every column that these
    # queries read: a person's games are next to each other in the index, but scattered over the table.
    sa.Index(
        "ix_results_person",
        *("user_id", "guild_id", "finished_at"),
        *("place", "points", *CHIP_COLUMNS, "best", "hints", "house", "house_turns"),
        *("mu_after", "sigma_after", "luck", "loss", "decisions"),
    ),
    sqlite_with_rowid=False,
)

# One row of statistics for each person on each server in each period (bot.domain.calendar). Each index sorts the
# leaderboard by one column, which is NULL for people who are not ranked by it.
standings = sa.Table(
    "standings",
    metadata,
    *columns_of(
        PlayerStanding,
        key=("guild_id", "period", "user_id"),
        indexed=("user_id",),
        period=sa.String(8),
        name=NAME,
        luck=sa.BigInteger,
        loss=sa.BigInteger,
    ),
    *(
        sa.Index(f"ix_standings_{order}", "guild_id", "period", order, "user_id")
        for order in ("wins", "win_rate", "points", "best", "loss_rate")
    ),
    # ``opponents`` is in the index, so that people with too few opponents are skipped without reading their rows.
    sa.Index("ix_standings_rating", "guild_id", "period", "rating", "user_id", "opponents"),
    sqlite_with_rowid=False,
)

# A person's statistics with one card on one server. ``card`` is in the notation of ``Card``.
card_standings = sa.Table(
    "card_standings",
    metadata,
    *columns_of(CardStanding, key=("guild_id", "user_id", "card"), indexed=("user_id",), card=CARD),
    sqlite_with_rowid=False,
)

# The seasons of a server in which a game ended.
seasons = sa.Table(
    "seasons",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("season", sa.String(8), primary_key=True),
    sa.Column("locale", sa.String(8), nullable=False),
    sa.Column("ends_at", UtcDateTime, nullable=False),
    *make_post_columns("seasons"),
    sqlite_with_rowid=False,
)

# The hall of fame: the best result ever with each card on a server.
records = sa.Table(
    "records",
    metadata,
    *columns_of(
        Record,
        key=("guild_id", "card"),
        indexed=("user_id", "game_id"),
        card=CARD,
        game_id=make_game_key(),
        seat=sa.SmallInteger,
        round=sa.SmallInteger,
    ),
    sqlite_with_rowid=False,
)

# The badges that people have earned (bot.domain.badges). Each is earned once per server.
badges = sa.Table(
    "badges",
    metadata,
    *columns_of(
        EarnedBadge, key=("guild_id", "user_id", "badge"), indexed=("user_id", "game_id"), game_id=make_game_key()
    ),
    sqlite_with_rowid=False,
)

# ------------------------------------------------------------------------------------- what servers and people have set

guild_settings = sa.Table(
    "guild_settings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    # JSON of a bot.domain.server_settings.ServerSettings.
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("updated_at", UtcDateTime, nullable=False),
)

player_settings = sa.Table(
    "player_settings",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    # ``notify`` says how to ping the person: channel, dm or none. ``invitations`` is true if the person wants pings for
    # reserved seats.
    sa.Column("notify", sa.String(8), nullable=False),
    sa.Column("invitations", sa.Boolean, nullable=False),
    sa.Column("updated_at", UtcDateTime, nullable=False),
)

# Absences that people have entered for a server. A worker marks the person's seats at once, and unmarks them when the
# absence is over.
absences = sa.Table(
    "absences",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("until", UtcDateTime, nullable=False),
    *make_post_columns("absences"),
)

# Servers that have removed the bot. Their data is deleted after some days, unless they invite the bot again.
guilds_left = sa.Table(
    "guilds_left",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("left_at", UtcDateTime, nullable=False, index=True),
    # The end of the lease of the process that deletes the data.
    sa.Column("purge_until", UtcDateTime),
)

# ------------------------------------------------------------------------------------- challenges, and attempts at them

# Cards and dice that are the same for all who play them. The cards are drawn from a name and the deck, the dice from
# the seed.
challenges = sa.Table(
    "challenges",
    metadata,
    *columns_of(
        Challenge,
        key=("id",),
        indexed=("guild_id",),
        cards_name=sa.String(40),
        locale=sa.String(8),
        deck=sa.Text,
        averages=sa.Text,
        seed=sa.LargeBinary(32),
        seal=sa.String(64),
    ),
    sa.Column("created_at", UtcDateTime, nullable=False),
)

# A server's challenge of a day. The post is its podium.
dailies = sa.Table(
    "dailies",
    metadata,
    sa.Column("challenge_id", make_game_key("challenges.id"), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("day", sa.Date, nullable=False),
    *make_post_columns("dailies"),
    sa.UniqueConstraint("guild_id", "day"),
)

# The dice of one seat of a finished game, which its player offers to others. Deleting the challenge deletes the row.
dares = sa.Table(
    "dares",
    metadata,
    sa.Column("challenge_id", make_game_key("challenges.id"), primary_key=True),
    sa.Column("game_id", make_game_key(), nullable=False),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False, index=True),
    sa.UniqueConstraint("game_id", "seat"),
)

attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("challenge_id", make_game_key("challenges.id"), primary_key=True),
    # The whole log, one event per line as in ``events``. The state is not stored, because it would be as long as the
    # log.
    *columns_of(
        Attempt,
        key=("user_id",),
        indexed=("user_id",),
        name=NAME,
        events=sa.Text,
        practised=sa.Text,
        # Stored, because the deletion of other people's attempts must not change the medians that a player has seen.
        medians=sa.Text,
    ),
    sa.Column("step", sa.Integer, nullable=False),
    # The score and the results of the cards, or NULL until all cards are played.
    sa.Column("score", sa.Integer),
    sa.Column("results", sa.Text),
    # The post is the line with the score, due when the player shares it.
    *make_post_columns("attempts"),
    sa.Column("updated_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# ---------------------------------------------------------------------------------------------------------------- cups

cups = sa.Table(
    "cups",
    metadata,
    *columns_of(
        Cup,
        key=("id",),
        indexed=("host_id",),
        name=sa.String(40),
        locale=sa.String(8),
        deck=sa.Text,
        seed=sa.LargeBinary(32),
        published_lock=sa.String(64),
        opening=sa.BigInteger,
        **dict.fromkeys(("length", "days", "most", "leg"), sa.SmallInteger),
    ),
    # Until when a process acts on what is due at the cup.
    sa.Column("due_until", UtcDateTime),
    sa.Column("created_at", UtcDateTime, nullable=False),
    sa.Index("ix_cups_guild_id", "guild_id", "created_at"),
)
make_partial_index("ix_cups_wake_at", cups.c.wake_at, cups.c.wake_at.is_not(None))

cup_entrants = sa.Table(
    "cup_entrants",
    metadata,
    sa.Column("cup_id", make_game_key("cups.id"), primary_key=True),
    # The order in which people entered, from 0.
    sa.Column("number", sa.SmallInteger, primary_key=True, autoincrement=False),
    *columns_of(Entrant, indexed=("user_id",), name=NAME, left=sa.SmallInteger),
    sa.UniqueConstraint("cup_id", "user_id"),
    sqlite_with_rowid=False,
)

cup_legs = sa.Table(
    "cup_legs",
    metadata,
    sa.Column("cup_id", make_game_key("cups.id"), primary_key=True),
    # Lists are JSON.
    *columns_of(CupLeg, key=("number",), number=sa.SmallInteger, averages=sa.Text),
    sa.Column("byes", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

# The groups of a leg. Each has its own challenge.
cup_groups = sa.Table(
    "cup_groups",
    metadata,
    sa.Column("challenge_id", make_game_key("challenges.id"), primary_key=True),
    sa.Column("cup_id", make_game_key("cups.id"), nullable=False),
    sa.Column("leg", sa.SmallInteger, nullable=False),
    # The position of the group in the draw, or 1000 plus the entrant's number if the entrant plays alone.
    sa.Column("number", sa.SmallInteger, nullable=False),
    # The numbers of the entrants, as JSON.
    sa.Column("entrants", sa.Text, nullable=False),
    sa.UniqueConstraint("cup_id", "leg", "number"),
)

# What each entrant had played when a leg was closed. An entrant is named by number, so a deletion of data changes
# neither the results nor the later draws.
cup_results = sa.Table(
    "cup_results",
    metadata,
    sa.Column("cup_id", make_game_key("cups.id"), primary_key=True),
    sa.Column("leg", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.SmallInteger, primary_key=True, autoincrement=False),
    # The results of the finished cards in order, as JSON.
    sa.Column("results", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

# The messages about a cup. Each is still to be sent, or was sent and is redrawn when ``post_at`` is set again.
cup_posts = sa.Table(
    "cup_posts",
    metadata,
    sa.Column("cup_id", make_game_key("cups.id"), primary_key=True),
    sa.Column("number", sa.SmallInteger, primary_key=True, autoincrement=False),
    # A value of bot.domain.cup.CupPost, the leg it is about, and a number whose meaning depends on the kind.
    sa.Column("what", sa.String(16), nullable=False),
    sa.Column("leg", sa.SmallInteger, nullable=False),
    sa.Column("argument", sa.SmallInteger, nullable=False),
    # NULL until the message is sent.
    sa.Column("message_id", sa.BigInteger),
    # Entrants with lower numbers than this have been pinged already, if the message pings them.
    sa.Column("called", sa.SmallInteger, nullable=False),
    *make_post_columns("cup_posts"),
    sqlite_with_rowid=False,
)

# -------------------------------------------------------------- what a deletion of data does not undo (bot.store.marks)

MARK_BYTES, MARK_KEY_BYTES = 16, 32

# Random keys for marks. Each belongs to a server (0: to all servers) and has an end.
mark_keys = sa.Table(
    "mark_keys",
    metadata,
    sa.Column("key", sa.LargeBinary(MARK_KEY_BYTES), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("ends_at", UtcDateTime, nullable=False, index=True),
    sa.UniqueConstraint("guild_id", "ends_at"),
)

# Marks under a key. Equal marks are numbered from 0.
marks = sa.Table(
    "marks",
    metadata,
    sa.Column("mark", sa.LargeBinary(MARK_BYTES), primary_key=True),
    sa.Column("number", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("key", sa.ForeignKey("mark_keys.key", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

# ------------------------------------------------------------------------ what processes have to know about each other

# Interactions of the last hour that made no event. (An event stores the id itself.) While one process takes over from
# another, Discord sends each interaction to both. These rows name no person.
interactions = sa.Table(
    "interactions",
    metadata,
    sa.Column("interaction_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", UtcDateTime, nullable=False, index=True),
)
