"""Colours of the embeds' edge."""

from __future__ import annotations

import discord

ACCENT = discord.Colour(0x2A9D8F)
"""Something to do."""
QUIET = discord.Colour(0x6B7280)
"""Something that is over."""
GOLD = discord.Colour(0xE9B44C)
"""Chips and victories."""
