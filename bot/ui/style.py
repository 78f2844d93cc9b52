"""How embeds look and are put together."""

from __future__ import annotations

from collections.abc import Iterable

import discord

ACCENT = discord.Colour(0x2A9D8F)
"""Something to do."""
QUIET = discord.Colour(0x6B7280)
"""Something that is over."""
GOLD = discord.Colour(0xE9B44C)
"""Chips and victories."""


def make_embed(
    title: str | None,
    *lines: str | None,
    colour: discord.Colour = ACCENT,
    fields: Iterable[tuple[str, str]] = (),
    footer: str | None = None,
    inline: bool = False,
) -> discord.Embed:
    """An embed of these lines, without those that are None, and of fields of a name and a text."""
    description = "\n".join(line for line in lines if line is not None)
    embed = discord.Embed(title=title, description=description or None, colour=colour)
    for name, value in fields:
        embed.add_field(name=name, value=value, inline=inline)
    if footer is not None:
        embed.set_footer(text=footer)
    return embed
