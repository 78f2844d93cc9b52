"""The numbers on parts that are kept: the same part with another number costs a copy, not a drawing."""

from functools import lru_cache

from bot.ui.pictures.colours import to_part
from bot.ui.pictures.parts import Part, Placed
from bot.ui.pictures.pen import Pen, Point, text_width


def label_part(centre: Point, text: str, size: float, colour: str, ground: str, widest: float | None = None) -> Placed:
    """Place a text, centred to a whole pixel, on what has the one colour ``ground``; otherwise like ``Pen.text``."""
    part = _text_part(text, size, colour, ground, widest)
    height, width = part.tones.shape
    return part, round(centre[0] - width / 2), round(centre[1] - height / 2)


@lru_cache(maxsize=512)
def _text_part(text: str, size: float, colour: str, ground: str, widest: float | None) -> Part:
    """Draw a text on its ground; the part covers nothing where it is ground."""
    width = text_width(text, size)
    pen = Pen(round(width if widest is None else min(width, widest)) + 4, round(size) + 4, ground)
    middle = (pen.width / 2, pen.height / 2)
    pen.text(middle, text, size, colour, widest=widest)
    tones = to_part(pen.finish()).tones
    return Part(tones, tones != tones[0, 0])
