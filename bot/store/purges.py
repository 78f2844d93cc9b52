"""Servers that have removed the bot, and the deletion of what is stored about them. In the caller's transaction."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Column, Connection, delete, func, select

from bot.store.locks import lock_games
from bot.store.models import dailies, games, guild_settings, guilds_left, metadata
from bot.store.rows import insert_or_ignore

AT_ONCE = 20
"""Games or days deleted in one transaction, with all their events: the others' moves must not wait for long."""


def known_guilds(connection: Connection) -> set[int]:
    """Every server about which anything is stored. All else that is stored of one belongs to a game or a daily."""
    known: set[int] = set()
    for table in (games, dailies, guild_settings):
        known |= _distinct(connection, table.c.guild_id)
    return known


def left_guilds(connection: Connection) -> set[int]:
    """The servers that are known to have removed the bot."""
    return set(connection.scalars(select(guilds_left.c.guild_id)))


def add_left_guilds(connection: Connection, guild_ids: Collection[int], now: datetime) -> None:
    """Note that servers have removed the bot. The first time counts where that was noted before."""
    rows = [{"guild_id": guild_id, "left_at": now} for guild_id in sorted(set(guild_ids))]
    if rows:
        connection.execute(insert_or_ignore(connection, guilds_left), rows)


def remove_left_guild(connection: Connection, guild_id: int) -> bool:
    """Forget that a server had removed the bot. Returns whether that was noted."""
    result = connection.execute(delete(guilds_left).where(guilds_left.c.guild_id == guild_id))
    return result.rowcount > 0


def delete_some_of_guild(connection: Connection, guild_id: int) -> bool:
    """Delete some of a server's games or days, or when there are none left all the rest. Returns whether that was all.

    Nothing is deleted of a server that is not noted as one that left: it may have come back a moment ago.
    """
    # Until this is done it does not come back: what is played there after that is not deleted.
    noted = select(guilds_left.c.guild_id).where(guilds_left.c.guild_id == guild_id).with_for_update()
    if connection.scalar(noted) is None:
        return True
    for table in (games, dailies):
        some = select(table.c.id).where(table.c.guild_id == guild_id).limit(AT_ONCE)
        if ids := list(connection.scalars(some)):
            # In the order in which everybody holds several, and not in the one in which they happen to lie.
            lock_games(connection, ids)
            connection.execute(delete(table).where(table.c.id.in_(ids)))
            return False
    for table in reversed(metadata.sorted_tables):
        if "guild_id" in table.c:
            connection.execute(delete(table).where(table.c.guild_id == guild_id))
    return True


def _distinct(connection: Connection, column: Column[int]) -> set[int]:
    """The values of an indexed column, each looked up from the one before: not every row of it is read."""
    values = select(func.min(column).label("value")).cte("found", recursive=True)
    following = select(func.min(column)).where(column > values.c.value).scalar_subquery()
    values = values.union_all(select(following).where(values.c.value.is_not(None)))
    return {value for value in connection.scalars(select(values.c.value)) if value is not None}
