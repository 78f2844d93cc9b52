"""Text that came from people, made harmless, and small helpers for sentences."""

from __future__ import annotations

import re
import unicodedata

from discord.utils import escape_mentions

MAX_NAME = 32
"""Longest name shown, in characters: Discord's own limit for names."""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Control, formatting (right-to-left overrides, zero-width), private use, surrogates, line separators."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as letters, marks or symbols and show nothing."""

_FORMATTING = re.compile(r"[\\*_~|`<>\[\]()#:]")
"""What Discord's Markdown is made of. The colon is among them because it makes a link of ``https://``."""


def plain(text: str, longest: int = MAX_NAME) -> str:
    """A name or word on one line that formats nothing, mentions nobody and does not turn the text around it.

    Emoji sequences lose their zero-width joiners; a text with nothing visible left becomes "?". Not for places where
    Discord shows text as it is, see ``bare``.
    """
    return escape_mentions(_FORMATTING.sub(r"\\\g<0>", bare(text, longest)))


def bare(text: str, longest: int = MAX_NAME) -> str:
    """The same for footers, button labels and files, where Discord formats nothing and a backslash would be seen."""
    visible = "".join(" " if character.isspace() else character for character in unicodedata.normalize("NFC", text))
    kept = "".join(
        character
        for character in visible
        if unicodedata.category(character) not in _INVISIBLE and character not in _BLANK
    )
    short = " ".join(kept.split())
    if len(short) > longest:
        short = short[: longest - 1].rstrip() + "…"
    return short or "?"


def signed(number: int) -> str:
    """A number with a real minus sign."""
    return str(number).replace("-", "−")
