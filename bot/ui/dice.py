"""The dice in text and on buttons: our own application emoji where the bot has them, otherwise Discord's keycaps."""

from collections.abc import Iterable, Mapping

from bot.locales import _
from bot.ui.pictures.emoji import die_emoji
from bot.ui.pictures.views import Pick
from bot.ui.words import KEYCAPS, VORTEX
from highscore.dice import Face
from highscore.turn import DieState, Turn

UNROLLED = "⬜"
FROZEN = "❄️"

# A process has one bot, whose emoji are the same for everybody: they are known once they are uploaded.
_uploaded: dict[str, str] = {}


def use_emoji(emoji: Mapping[str, str]) -> None:
    """Show these application emoji, name to ``<:name:id>``, from now on; an empty mapping goes back to keycaps."""
    _uploaded.clear()
    _uploaded.update(emoji)


def die_text(face: Face | None, state: DieState = DieState.FREE, pick: Pick | None = None) -> str:
    """Return a die as an emoji. Only our own emoji show how a die lies."""
    plain = UNROLLED if face is None else KEYCAPS[face]
    return _uploaded.get(die_emoji(face, state, pick), plain)


def dice_line(faces: Iterable[Face | None]) -> str:
    """Return dice in their places, large."""
    return "# " + " ".join(map(die_text, faces))


def dice_code(faces: Iterable[Face]) -> str:
    """Return the dice of a turn that is over, small and kept together in one line."""
    return "`" + "\u00a0".join(VORTEX if face is Face.VORTEX else str(face) for face in faces) + "`"


def turn_lines(turn: Turn) -> str:
    """Return the dice of a turn: all in their places, and below those that are set aside or frozen."""
    lines = [dice_line(turn.faces)]
    for label, state in ((_("Set aside"), DieState.SET_ASIDE), (f"{FROZEN} {_('Frozen')}", DieState.FROZEN)):
        dice = [die_text(face, state) for face, now in zip(turn.faces, turn.states, strict=True) if now is state]
        if dice:
            lines.append(f"{label}: {' '.join(dice)}")
    return "\n".join(lines)
