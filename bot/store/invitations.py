"""When a server's role was called to the free seats of a table."""

from datetime import datetime

from sqlalchemy import Connection, func, select, update

from bot.store.locks import LockScope, lock
from bot.store.models import games


def last_call(connection: Connection, guild_id: int, since: datetime) -> datetime | None:
    """When a server's role was called last, where that was after a moment; nobody else calls it meanwhile."""
    lock(connection, LockScope.GUILD, guild_id)
    calls = games.c.guild_id == guild_id, games.c.called_at > since
    called_at: datetime | None = connection.scalar(select(func.max(games.c.called_at)).where(*calls))
    return called_at


def note_call(connection: Connection, table_id: str, now: datetime) -> None:
    """Note that the role is called to a table."""
    connection.execute(update(games).where(games.c.id == table_id).values(called_at=now))
