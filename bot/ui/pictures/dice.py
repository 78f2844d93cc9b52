"""Draws the dice in every state and size, and as application emoji for buttons."""

from collections.abc import Callable
from enum import Enum
from functools import partial
from io import BytesIO

from bot.ui.pictures import colours
from bot.ui.pictures.pen import Pen, Point
from highscore.dice import FACES, Face
from highscore.turn import DieState


class Look(Enum):
    """The look of a die, by its state or by its part in the score."""

    FREE = "free"
    FADED = "faded"
    """A free die that adds nothing."""
    ROLL = "roll"
    """A die in the guide that is rolled again."""
    KEPT = "kept"
    """A die on a button that will be kept."""
    SET_ASIDE = "set"
    FROZEN = "ice"
    BLANK = "blank"
    """A die that was not rolled yet."""
    GHOST = "ghost"
    """A die that does not count, in the symbol of a scoring."""
    PRINTED = "printed"
    """Any other die in the symbol of a scoring, drawn flat."""


def look_of(face: Face | None, state: DieState, *, faded: bool = False) -> Look:
    if face is None:
        return Look.BLANK
    if state is DieState.FROZEN:
        return Look.FROZEN
    if state is DieState.SET_ASIDE:
        return Look.SET_ASIDE
    return Look.FADED if faded else Look.FREE


_PIPS: dict[Face, tuple[Point, ...]] = {
    Face.ONE: ((0.5, 0.5),),
    Face.TWO: ((0.27, 0.27), (0.73, 0.73)),
    Face.THREE: ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    Face.FOUR: ((0.28, 0.28), (0.72, 0.28), (0.28, 0.72), (0.72, 0.72)),
    Face.FIVE: ((0.26, 0.26), (0.74, 0.26), (0.5, 0.5), (0.26, 0.74), (0.74, 0.74)),
}

_THICK = 0.075
"""The height of the visible edge of a die, as a share of its size."""


def draw_die(pen: Pen, corner: Point, size: float, face: Face | None, look: Look) -> None:
    """Draw a die with its upper left corner at ``corner``, ``size`` pixels wide and high including its edge.

    Arrows (``ROLL``), check marks (``KEPT``) and shackles (``SET_ASIDE``) reach out of this square, shackles by 0.3 of
    the size.
    """
    x, y = corner
    radius = size * 0.22
    match look:
        case Look.FREE:
            pen.box((x, y, x + size, y + size), radius, colours.IVORY_EDGE)
            pen.box((x, y, x + size, y + size * (1 - _THICK)), radius, colours.IVORY)
            _draw_face(pen, corner, size, size * (1 - _THICK), face, colours.INK, colours.SWIRL)
        case Look.FADED:
            pen.box((x, y, x + size, y + size), radius, colours.FADED_EDGE)
            pen.box((x, y, x + size, y + size * (1 - _THICK)), radius, colours.FADED)
            _draw_face(pen, corner, size, size * (1 - _THICK), face, colours.INK, colours.INK, 0.9)
        case Look.ROLL:
            _draw_rolling(pen, (x + size / 2, y + size / 2), size, face)
        case Look.KEPT:
            draw_die(pen, corner, size, face, Look.FREE)
            _draw_check(pen, (x + size * 0.84, y + size * 0.16), size * 0.25)
        case Look.SET_ASIDE:
            _draw_locked(pen, corner, size, face)
        case Look.FROZEN:
            _draw_ice(pen, corner, size, face)
        case Look.BLANK:
            pen.box((x, y, x + size, y + size), radius, colours.WELL, colours.SET_EDGE, max(1.0, size * 0.03))
        case Look.GHOST:
            pen.box((x, y, x + size, y + size), radius, None, colours.GREY, max(1.0, size * 0.05))
            _draw_face(pen, corner, size, size, face, colours.GREY, colours.GREY, 0.86)
        case Look.PRINTED:
            pen.box((x, y, x + size, y + size), radius, colours.IVORY)
            _draw_face(pen, corner, size, size, face, colours.INK, colours.SWIRL)


def _draw_face(
    pen: Pen, corner: Point, width: float, height: float, face: Face | None, pips: str, swirl: str, share: float = 1.0
) -> None:
    x, y = corner
    if face is Face.VORTEX:
        pen.vortex((x + width / 2, y + height / 2), height * 0.43 * share, swirl)
    elif face is not None:
        for across, down in _PIPS[face]:
            pen.disc((x + across * width, y + down * height), height * 0.112 * share, pips)


def _draw_rolling(pen: Pen, centre: Point, size: float, face: Face | None) -> None:
    """Draw a die between two arrows, the cards' symbol for rolling."""
    x, y = centre
    for colour, grow in ((colours.INK, size * 0.05), (colours.AMBER, 0.0)):
        pen.turning_arrow(centre, size * 0.56, colour, size * 0.085, grow)
    half = size * 0.42
    for colour, inset in ((colours.INK, -size * 0.03), (colours.AMBER, 0.0), (colours.HONEY, size * 0.055)):
        edge = half - inset
        pen.box((x - edge, y - edge, x + edge, y + edge), edge * 0.4, colour)
    _draw_face(pen, (x - half, y - half), 2 * half, 2 * half, face, colours.INK, colours.SWIRL)


def _draw_check(pen: Pen, centre: Point, radius: float) -> None:
    x, y = centre
    pen.disc(centre, radius * 1.12, colours.IVORY)
    pen.disc(centre, radius, colours.INK)
    corners = ((-0.5, 0.02), (-0.12, 0.4), (0.52, -0.38))
    pen.stroke([(x + across * radius, y + down * radius) for across, down in corners], colours.MINT, radius * 0.26)


def _draw_locked(pen: Pen, corner: Point, size: float, face: Face | None) -> None:
    """Draw a die that looks like a padlock."""
    x, y = corner
    middle, radius, shoulder, thick = x + size / 2, size * 0.23, y + size * 0.02, size * 0.1
    rim, line = size * 0.03, max(1.0, size * 0.06)
    for colour, grow in ((colours.INK, rim), (colours.SET_EDGE, 0.0)):
        pen.arc((middle, shoulder), radius, 180, 360, colour, thick + 2 * grow)
        for side in (-radius, radius):
            pen.stroke([(middle + side, shoulder), (middle + side, y + line)], colour, thick + 2 * grow)
    pen.box((x - rim, y - rim, x + size + rim, y + size + rim), size * 0.22 + rim, colours.INK)
    pen.box((x, y, x + size, y + size), size * 0.22, colours.SET_BODY, colours.SET_EDGE, line)
    _draw_face(pen, corner, size, size, face, colours.IVORY, colours.IVORY, 0.92)


def _draw_ice(pen: Pen, corner: Point, size: float, face: Face | None) -> None:
    (x, y), cut, inset = corner, size * 0.2, size * 0.06
    pen.shape(_chamfered_outline(x, y, size, cut), colours.ICE_EDGE)
    pen.shape(_chamfered_outline(x + inset, y + inset, size - 2 * inset, cut - inset * 0.6), colours.ICE)
    _draw_face(pen, corner, size, size, face, colours.ICE_INK, colours.ICE_INK, 0.86)
    where = (x + size * 0.83, y + size * 0.83)
    pen.disc(where, size * 0.225, colours.ICE)
    pen.disc(where, size * 0.185, colours.ICE_INK)
    pen.snowflake(where, size * 0.15, colours.IVORY, size * 0.038)


def _chamfered_outline(x: float, y: float, size: float, cut: float) -> list[Point]:
    far_x, far_y = x + size, y + size
    return [
        (x + cut, y), (far_x - cut, y), (far_x, y + cut), (far_x, far_y - cut),
        (far_x - cut, far_y), (x + cut, far_y), (x, far_y - cut), (x, y + cut),
    ]  # fmt: skip


_SIZE = 128
"""The width and height that Discord recommends for an emoji, in pixels."""

_LOOKS = {
    Look.FREE: "",
    Look.KEPT: "_kept",
    Look.SET_ASIDE: "_locked",
    Look.FROZEN: "_ice",
}
"""The end of an emoji's name for each look. A changed picture needs a new name: existing emoji are not uploaded again.
"""
_MARGIN = 5.0
_SIZES = {Look.KEPT: 0.86, Look.SET_ASIDE: 0.81}
"""The size of a die as a share of its emoji, if a check mark or a shackle needs room."""


def die_emoji(face: Face | None, state: DieState = DieState.FREE, *, kept: bool = False) -> str:
    """Return the name of a die's emoji, which screen readers say: ``hs_die_5``, ``hs_die_5_kept``.

    ``kept`` is True for a free die that will be kept. ``face`` is None for a die that was not rolled yet.
    """
    return "hs_die_blank" if face is None else _die_name(face, Look.KEPT if kept else look_of(face, state))


def _die_name(face: Face, look: Look) -> str:
    return f"hs_die_{'vortex' if face is Face.VORTEX else face}{_LOOKS[look]}"


def _draw_emoji(face: Face | None, look: Look) -> bytes:
    pen = Pen(_SIZE, _SIZE, None)
    size = (_SIZE - 2 * _MARGIN) * _SIZES.get(look, 1.0)
    left, top = (_SIZE - size) / 2, (_SIZE - size) / 2
    if look in (Look.KEPT, Look.SET_ASIDE):
        top = _SIZE - _MARGIN - size  # The check mark or the shackle is above the die.
    if look is Look.KEPT:
        left = _MARGIN
    if look is Look.FREE:
        # On a white page only this edge shows where a light die ends.
        pen.box((1, 1, _SIZE - 1, _SIZE - 1), size * 0.22 + 4, colours.GREY)
    draw_die(pen, (left, top), size, face, look)
    out = BytesIO()
    pen.finish().save(out, "PNG", optimize=True)
    return out.getvalue()


EMOJI: dict[str, Callable[[], bytes]] = {
    **{
        _die_name(face, look): partial(_draw_emoji, face, look)
        for look in (Look.FREE, Look.KEPT, Look.SET_ASIDE)
        for face in FACES
    },
    _die_name(Face.VORTEX, Look.FROZEN): partial(_draw_emoji, Face.VORTEX, Look.FROZEN),
    die_emoji(None): partial(_draw_emoji, None, Look.BLANK),
}
"""All emoji: the name on Discord, and the function that draws the PNG."""
