"""The dice, pieces and chips as application emoji, on nothing: for dark and light pages and for buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from io import BytesIO
from types import MappingProxyType

from bot.ui.pictures.colours import BAD, GOOD, GREY, ICE_INK, IVORY
from bot.ui.pictures.dice import Look, die, look_of
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.shapes import chip, piece, snowflake, vortex
from highscore.dice import FACES, Face
from highscore.track import Chip
from highscore.turn import DieState

SIZE = 128
"""Width and height of an emoji, in pixels: what Discord asks for."""

PIECE_NAMES = ("circle", "diamond", "square", "star", "heart")
"""The shapes of the pieces, by seat."""

_LOOKS = {Look.FREE: "", Look.PICKED: "_pick", Look.SET_ASIDE: "_set", Look.FROZEN: "_ice"}
_MARGIN = 5.0


def die_emoji(face: Face | None, state: DieState = DieState.FREE, *, picked: bool = False) -> str:
    """The name of a die's emoji, such as ``hs_die_5`` or ``hs_die_v_set``; None is a die that was not rolled yet.

    Raises ValueError for a frozen die that shows no vortex.
    """
    if face is None:
        return "hs_die_blank"
    if state is DieState.FROZEN and face is not Face.VORTEX:
        raise ValueError(f"a die that shows {face} cannot be frozen")
    return _die_name(face, look_of(face, state, picked=picked))


def _die_name(face: Face, look: Look) -> str:
    return f"hs_die_{str(face).lower()}{_LOOKS[look]}"


def piece_emoji(seat: int) -> str:
    """The name of the emoji of a seat's piece, 0 to 4."""
    return f"hs_piece_{PIECE_NAMES[seat]}"


def chip_emoji(kind: Chip) -> str:
    """The name of a chip's emoji."""
    return f"hs_chip_{kind.name.lower()}"


def _png(pen: Pen) -> bytes:
    out = BytesIO()
    pen.finish().save(out, "PNG", optimize=True)
    return out.getvalue()


def _die(face: Face | None, look: Look) -> bytes:
    pen = Pen(SIZE, SIZE, None)
    size = SIZE - 2 * _MARGIN
    if look in (Look.FREE, Look.PICKED):
        # On a white page only this edge shows where a light die ends.
        pen.box((1, 1, SIZE - 1, SIZE - 1), size * 0.22 + 4, GREY)
    die(pen, (_MARGIN, _MARGIN), size, face, look)
    return _png(pen)


def _piece(seat: int) -> bytes:
    pen = Pen(SIZE, SIZE, None)
    piece(pen, seat, (SIZE / 2, SIZE / 2), 56)
    return _png(pen)


def _chip(kind: Chip) -> bytes:
    pen = Pen(SIZE, SIZE, None)
    chip(pen, kind, (SIZE / 2, SIZE / 2), 62)
    return _png(pen)


def _symbol(draw: Callable[[Pen], None], ground: str) -> bytes:
    """A white symbol on a round badge: it shows on every page."""
    pen = Pen(SIZE, SIZE, None)
    pen.disc((SIZE / 2, SIZE / 2), 63, ground)
    draw(pen)
    return _png(pen)


def _vortex(pen: Pen) -> None:
    vortex(pen, (SIZE / 2, SIZE / 2), 56, IVORY)


def _frost(pen: Pen) -> None:
    snowflake(pen, (SIZE / 2, SIZE / 2), 50, IVORY, 11)


def _all() -> dict[str, Callable[[], bytes]]:
    found: dict[str, Callable[[], bytes]] = {}
    for look in (Look.FREE, Look.PICKED, Look.SET_ASIDE):
        found |= {_die_name(face, look): partial(_die, face, look) for face in FACES}
    found[_die_name(Face.VORTEX, Look.FROZEN)] = partial(_die, Face.VORTEX, Look.FROZEN)
    found[die_emoji(None)] = partial(_die, None, Look.BLANK)
    found |= {piece_emoji(seat): partial(_piece, seat) for seat in range(len(PIECE_NAMES))}
    found |= {chip_emoji(kind): partial(_chip, kind) for kind in Chip}
    # The vortex where it helps, where it hurts, and frost: the colours of the cards.
    found["hs_vortex_good"] = partial(_symbol, _vortex, GOOD)
    found["hs_vortex_bad"] = partial(_symbol, _vortex, BAD)
    found["hs_frozen"] = partial(_symbol, _frost, ICE_INK)
    return found


EMOJI: Mapping[str, Callable[[], bytes]] = MappingProxyType(_all())
"""Every emoji there is: its name on Discord, and what draws it."""


@cache
def emoji_png(name: str) -> bytes:
    """An emoji as a PNG. Raises KeyError for a name that is not in ``EMOJI``."""
    return EMOJI[name]()
