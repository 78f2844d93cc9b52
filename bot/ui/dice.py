"""The dice: digits in texts; on buttons our own application emoji where the bot has them, or else Discord's."""

from collections.abc import Iterable, Mapping

from bot.ui.pictures.dice import die_emoji
from bot.ui.pictures.views import Pick
from bot.ui.words import KEYCAPS, VORTEX
from highscore.dice import Face
from highscore.turn import DieState

UNROLLED = "⬜"
FROZEN = "❄️"
LYING = {DieState.SET_ASIDE: "🔒", DieState.FROZEN: FROZEN}

# A process has one bot, whose emoji are the same for everybody: they are known once they are uploaded.
_uploaded: dict[str, str] = {}


def use_emoji(emoji: Mapping[str, str]) -> None:
    """Show these application emoji, name to ``<:name:id>``, from now on; an empty mapping goes back to keycaps."""
    _uploaded.clear()
    _uploaded.update(emoji)


def die_text(face: Face | None, state: DieState = DieState.FREE, pick: Pick | None = None) -> str:
    """Return the emoji of a die's button. Only our own emoji show both the face and how the die lies."""
    plain = UNROLLED if face is None else LYING.get(state, KEYCAPS[face])
    return _uploaded.get(die_emoji(face, state, pick), plain)


def dice_code(faces: Iterable[Face | None]) -> str:
    """Return dice as a text has them: small, and kept together in one line."""
    marks = {None: UNROLLED, Face.VORTEX: VORTEX}
    return "`" + "\u00a0".join(marks.get(face, str(face)) for face in faces) + "`"
