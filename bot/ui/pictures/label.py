"""The numbers on parts that are kept: the same part with another number costs a copy, not a drawing."""

from functools import lru_cache

import numpy as np

from bot.ui.pictures.colours import to_part
from bot.ui.pictures.parts import Part, Placed
from bot.ui.pictures.pen import Pen, Point, text_width

LETTERING = 45
"""The smallest size of lettering on what is 1040 pixels wide: 11 pixels where it is shown 256 pixels wide."""


def label_part(
    centre: Point, text: str, size: float, colour: str, ground: str, widest: float | None = None, *, halo: int = 0
) -> Placed:
    """Place a text, centred to a whole pixel, on what has the one colour ``ground``; otherwise like ``Pen.text``.

    A ``halo`` of so many pixels of the ground keeps it clear of what else is there.
    """
    part = _text_part(text, size, colour, ground, widest, halo)
    height, width = part.tones.shape
    return part, round(centre[0] - width / 2), round(centre[1] - height / 2)


@lru_cache(maxsize=512)
def _text_part(text: str, size: float, colour: str, ground: str, widest: float | None, halo: int) -> Part:
    """Draw a text on its ground; the part covers nothing where it is ground, but for the halo."""
    width = text_width(text, size)
    side = 4 + 2 * halo
    pen = Pen(round(width if widest is None else min(width, widest)) + side, round(size) + side, ground)
    middle = (pen.width / 2, pen.height / 2)
    pen.text(middle, text, size, colour, widest=widest)
    tones = to_part(pen.finish()).tones
    mask = tones != tones[0, 0]
    for _pixel in range(halo):
        mask = mask | np.roll(mask, 1, 0) | np.roll(mask, -1, 0) | np.roll(mask, 1, 1) | np.roll(mask, -1, 1)
    return Part(tones, mask)
