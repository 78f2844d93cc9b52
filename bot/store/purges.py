"""Servers that have removed the bot, and the deletion of what is stored about them. In the caller's transaction."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Column, Connection, delete, func, select

from bot.store.locks import lock_games
from bot.store.models import challenges, cups, games, guild_settings, guilds_left, metadata
from bot.store.rows import insert_or_ignore

AT_ONCE = 20
"""The number of games or challenges deleted in one transaction, so that the others' moves need not wait for long."""


def find_known_guilds(connection: Connection) -> set[int]:
    """Return every server with stored games, challenges, cups or settings: all other rows of one belong to these."""
    known: set[int] = set()
    for table in (games, challenges, cups, guild_settings):
        known |= _find_distinct(connection, table.c.guild_id)
    return known


def load_left_guilds(connection: Connection) -> set[int]:
    """Return the servers that are known to have removed the bot."""
    return set(connection.scalars(select(guilds_left.c.guild_id)))


def add_left_guilds(connection: Connection, guild_ids: Collection[int], now: datetime) -> None:
    """Store that servers have removed the bot. An earlier moment stays."""
    rows = [{"guild_id": guild_id, "left_at": now} for guild_id in sorted(set(guild_ids))]
    if rows:
        connection.execute(insert_or_ignore(connection, guilds_left), rows)


def remove_left_guild(connection: Connection, guild_id: int) -> bool:
    """Forget that a server had removed the bot. Return whether that was stored."""
    result = connection.execute(delete(guilds_left).where(guilds_left.c.guild_id == guild_id))
    return result.rowcount > 0


def delete_some_of_guild(connection: Connection, guild_id: int) -> bool:
    """Delete some games, challenges or cups of a server, or the rest when there are none. Return whether that was all.

    A server that is not stored as one that left keeps everything: it may have come back a moment ago.
    """
    # The lock keeps the server from coming back until this is done: what is played there later is not deleted.
    noted = select(guilds_left.c.guild_id).where(guilds_left.c.guild_id == guild_id).with_for_update()
    if connection.scalar(noted) is None:
        return True
    for table in (games, challenges, cups):
        some = select(table.c.id).where(table.c.guild_id == guild_id).limit(AT_ONCE)
        if ids := list(connection.scalars(some)):
            # Games are locked in the order of their ids, as everywhere, not in the order of the table.
            lock_games(connection, ids)
            connection.execute(delete(table).where(table.c.id.in_(ids)))
            return False
    for table in reversed(metadata.sorted_tables):
        if "guild_id" in table.c:
            connection.execute(delete(table).where(table.c.guild_id == guild_id))
    return True


def _find_distinct(connection: Connection, column: Column[int]) -> set[int]:
    """Return the values of an indexed column. Each is looked up from the one before, so that not every row is read."""
    values = select(func.min(column).label("value")).cte("found", recursive=True)
    following = select(func.min(column)).where(column > values.c.value).scalar_subquery()
    values = values.union_all(select(following).where(values.c.value.is_not(None)))
    return {value for value in connection.scalars(select(values.c.value)) if value is not None}
