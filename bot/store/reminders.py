"""Reminders that are owed to people: at most one a person, over all tables."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import reminders
from bot.store.rows import insert_or_ignore


async def add(connection: AsyncConnection, table_id: str, span: int, user_ids: Sequence[int], now: datetime) -> None:
    """Owe these people a reminder, except those who have one pending already, here or at another table."""
    # In the order of their ids: two tables that owe the same people do not wait for each other.
    await connection.execute(
        insert_or_ignore(connection, reminders),
        [
            {"user_id": user_id, "game_id": table_id, "span": span, "due_at": now, "sent_at": None}
            for user_id in sorted(user_ids)
        ],
    )


async def mark_sent(connection: AsyncConnection, table_id: str, user_ids: Sequence[int], now: datetime) -> None:
    """Note that these people were reminded."""
    await connection.execute(
        update(reminders).where(reminders.c.game_id == table_id, reminders.c.user_id.in_(user_ids)).values(sent_at=now)
    )


async def forget(connection: AsyncConnection, table_id: str, user_id: int) -> None:
    """A person has acted at a table: nothing is pending for them there."""
    await connection.execute(_FORGET, {"user": user_id, "table": table_id})


async def forget_table(connection: AsyncConnection, table_id: str) -> None:
    """What a table's reminders were for is over."""
    await connection.execute(_FORGET_TABLE, {"table": table_id})


_FORGET = delete(reminders).where(reminders.c.user_id == bindparam("user"), reminders.c.game_id == bindparam("table"))
_FORGET_TABLE = delete(reminders).where(reminders.c.game_id == bindparam("table"))
