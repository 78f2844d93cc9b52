"""What several processes have to know of each other."""

from __future__ import annotations

from sqlalchemy import Column, String, Table

from bot.store.models.columns import UtcDateTime, metadata

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
