"""Links into Discord."""

from __future__ import annotations

from bot.domain.table import Table


def link_to(table: Table) -> str:
    """Where a table is, as a link that opens it."""
    place = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return place if table.message_id is None else f"{place}/{table.message_id}"
