"""The tables of what several processes have to know of each other; a part of ``bot.store.models``."""

from sqlalchemy import BigInteger, Column, String, Table

from bot.store.columns import UtcDateTime, metadata

# What is done once for all processes, such as registering the commands: what was done last, and until when somebody is
# doing it now.
chores = Table(
    "chores",
    metadata,
    Column("chore", String(64), primary_key=True),
    Column("done", String(64)),
    Column("done_at", UtcDateTime),
    Column("doing_until", UtcDateTime),
)

# Interactions that changed something of which there is no event (an event has the id itself), for an hour or so: while
# one process takes over from another, Discord sends each to both (bot.store.interactions). Nobody's name is with it.
interactions = Table(
    "interactions",
    metadata,
    Column("interaction_id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False, index=True),
)
