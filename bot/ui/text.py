"""Text that came from people, made harmless, and small helpers for sentences."""

from __future__ import annotations

import unicodedata

from discord.utils import escape_markdown, escape_mentions

MAX_NAME = 32
"""Longest name shown, in characters: Discord's own limit for names."""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Control, formatting (right-to-left overrides, zero-width), private use, surrogates, line separators."""


def plain(text: str, longest: int = MAX_NAME) -> str:
    """A name or word on one line that formats nothing, mentions nobody and does not turn the text around it.

    Emoji sequences lose their zero-width joiners; a text with nothing visible left becomes "?".
    """
    visible = "".join(" " if character.isspace() else character for character in unicodedata.normalize("NFC", text))
    kept = "".join(character for character in visible if unicodedata.category(character) not in _INVISIBLE)
    short = " ".join(kept.split())
    if len(short) > longest:
        short = short[: longest - 1].rstrip() + "…"
    return escape_mentions(escape_markdown(short)) or "?"


def signed(number: int) -> str:
    """A number with a real minus sign."""
    return str(number).replace("-", "−")
