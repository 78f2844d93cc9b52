"""Messages that are to be deleted. Every function works inside the caller's transaction."""

from datetime import datetime

from sqlalchemy import Connection, delete, update

from bot.domain.old_messages import OldMessage
from bot.store.models import old_messages
from bot.store.rows import insert_or_ignore, to_row


def add_old_message(connection: Connection, table_id: str, channel_id: int, message_id: int, now: datetime) -> None:
    """Have a message deleted now, also one that was to wait for those it has called."""
    row = to_row(OldMessage(message_id, channel_id, table_id, now))
    connection.execute(insert_or_ignore(connection, old_messages), row)
    waiting = old_messages.c.message_id == message_id, old_messages.c.due_at.is_(None)
    connection.execute(update(old_messages).where(*waiting).values(due_at=now))


def forget_old_message(connection: Connection, message_id: int) -> None:
    """Forget a message that is deleted, or cannot be."""
    connection.execute(delete(old_messages).where(old_messages.c.message_id == message_id))
