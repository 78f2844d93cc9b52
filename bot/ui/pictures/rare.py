"""A rare turn as a picture: its dice large, the result, how rare it is, and who played it."""

from functools import lru_cache

from bot.ui.pictures.colours import AMBER, BOARD, PALE, ROSE, WELL
from bot.ui.pictures.dice import Look, draw_die
from bot.ui.pictures.parts import Part, to_part
from bot.ui.pictures.pen import ROW_WIDTH, SIDE, WIDTH, Pen, drawable_text, framed_png, lettering_part
from bot.ui.pictures.shapes import draw_piece
from bot.ui.text import format_signed
from highscore.dice import DICE, Dice, Face

HEIGHT = 452
BOX = 244
"""The height of the box below the dice."""
_PITCH, _DIE = ROW_WIDTH / DICE, 128


def rare_png(seat: int, dice: Dice, result: int, one_in: int, name: str) -> bytes:
    """Draw the picture, 1040 x 452 pixels, of a turn as there is one in so many. What is kept of it has no name."""
    top = HEIGHT - SIDE - BOX
    line = lettering_part(drawable_text(name), 430, 76, 62, PALE, WELL, middle=False)
    dice_parts = ((_die_part(face), round(SIDE + at * _PITCH), SIDE) for at, face in enumerate(dice))
    parts = (*dice_parts, (_nameless_part(seat, result, one_in), SIDE, top), (line, SIDE + 152, top + 36))
    return framed_png(WIDTH, HEIGHT, parts)


@lru_cache(maxsize=16)
def _nameless_part(seat: int, result: int, one_in: int) -> Part:
    pen = Pen(ROW_WIDTH, BOX, BOARD)
    pen.box((0, 0, ROW_WIDTH, BOX), 28, WELL)
    draw_piece(pen, seat, (84, 74), 50)
    pen.text((34, 180), f"1 : {one_in:,}".replace(",", " "), 92, AMBER, "left", widest=548)
    colour = AMBER if result > 0 else ROSE
    pen.text((ROW_WIDTH - 36, BOX / 2), format_signed(result), 250, colour, "right", widest=340)
    return to_part(pen.finish())


@lru_cache(maxsize=len(Face))
def _die_part(face: Face) -> Part:
    pen = Pen(round(_PITCH), _DIE + 8, BOARD)
    draw_die(pen, ((_PITCH - _DIE) / 2, 4), _DIE, face, Look.FREE)
    return to_part(pen.finish())
