"""The dice as application emoji, without a ground: for dark and light pages and for buttons."""

from collections.abc import Callable
from functools import partial
from io import BytesIO

from bot.ui.pictures.colours import GREY
from bot.ui.pictures.dice import Look, draw_die, look_of
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.views import Pick
from highscore.dice import FACES, Face
from highscore.turn import DieState

SIZE = 128
"""The width and height of an emoji, in pixels: what Discord asks for."""

_LOOKS = {
    Look.FREE: "",
    Look.ROLL: "_roll",
    Look.KEEP: "_keep",
    Look.SET_ASIDE: "_locked",
    Look.FROZEN: "_ice",
}
"""The end of the name of each look. A picture that changes needs another name: what is there is not uploaded."""
_MARGIN = 5.0
_SIZES = {Look.ROLL: 0.76, Look.KEEP: 0.81, Look.SET_ASIDE: 0.81}
"""The shares of an emoji that a die with arrows or a shackle takes."""


def die_emoji(face: Face | None, state: DieState = DieState.FREE, pick: Pick | None = None) -> str:
    """Return the name of a die's emoji, such as ``hs_die_5`` or ``hs_die_vortex_ice``; None is one not rolled yet."""
    return "hs_die_blank" if face is None else _die_name(face, look_of(face, state, pick))


def _die_name(face: Face, look: Look) -> str:
    return f"hs_die_{'vortex' if face is Face.VORTEX else face}{_LOOKS[look]}"


def _draw_emoji(face: Face | None, look: Look) -> bytes:
    pen = Pen(SIZE, SIZE, None)
    size = (SIZE - 2 * _MARGIN) * _SIZES.get(look, 1.0)
    left, top = (SIZE - size) / 2, (SIZE - size) / 2
    if look in (Look.KEEP, Look.SET_ASIDE):
        top = SIZE - _MARGIN - size  # Above it is its shackle.
    if look is Look.FREE:
        # On a white page only this edge shows where a light die ends.
        pen.box((1, 1, SIZE - 1, SIZE - 1), size * 0.22 + 4, GREY)
    draw_die(pen, (left, top), size, face, look)
    out = BytesIO()
    pen.finish().save(out, "PNG", optimize=True)
    return out.getvalue()


EMOJI: dict[str, Callable[[], bytes]] = {
    **{
        _die_name(face, look): partial(_draw_emoji, face, look)
        for look in (Look.FREE, Look.ROLL, Look.KEEP, Look.SET_ASIDE)
        for face in FACES
    },
    _die_name(Face.VORTEX, Look.FROZEN): partial(_draw_emoji, Face.VORTEX, Look.FROZEN),
    die_emoji(None): partial(_draw_emoji, None, Look.BLANK),
}
"""All emoji: the name on Discord, and the function that draws the PNG."""
