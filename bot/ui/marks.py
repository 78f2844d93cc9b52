"""The bot's own marks beside people's names. No name can have them, so nobody can pass for somebody else by them."""

from __future__ import annotations

from highscore.track import Chip

HOUSE = "🤖"
"""A house player; after a person's name, that the house plays for them."""
PIECES = ("🔴", "🔷", "🟩", "⭐", "💜")
"""One playing piece a seat, distinct in shape as well as in colour."""
CHIPS = {Chip.GOLD: "🥇", Chip.SILVER: "🥈", Chip.BRONZE: "🥉"}
"""The chips of a round."""
MEDALS = tuple(CHIPS.values())
"""The first three places of a ranking."""
DOTS = "\u00b7\u2022\u2027\u2219\u22c5\u30fb\uff65\ua78f\u2e31\u2e33\u1427\u16eb\U00010101"
"""The first stands between a name and what is said of somebody ("· host"); the others look like it."""


def chip_counts(gold: int, silver: int, bronze: int) -> str:
    """What to write behind a sum of points: the chips it consists of."""
    text = " ".join(f"{chip}×{count}" for chip, count in zip(MEDALS, (gold, silver, bronze), strict=True) if count)
    return f" · {text}" if text else ""
