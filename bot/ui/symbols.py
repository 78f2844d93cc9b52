"""The dice in text and on buttons: our own application emoji where the bot has them, Discord's keycaps where not."""

from __future__ import annotations

from collections.abc import Mapping

from bot.ui.pictures import die_emoji
from bot.ui.words import KEYCAPS
from highscore.dice import Face
from highscore.turn import DieState

UNROLLED = "⬜"

# One bot a process, and its emoji are the same for everybody who looks: known once they are uploaded.
_uploaded: dict[str, str] = {}


def use(emoji: Mapping[str, str]) -> None:
    """Show these application emoji, name to ``<:name:id>``, from now on; an empty mapping goes back to keycaps."""
    _uploaded.clear()
    _uploaded.update(emoji)


def die(face: Face | None, state: DieState = DieState.FREE, *, picked: bool = False) -> str:
    """A die as an emoji. Only our own ones show how a die lies."""
    plain = UNROLLED if face is None else KEYCAPS[face]
    return _uploaded.get(die_emoji(face, state, picked=picked), plain)
