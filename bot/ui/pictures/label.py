"""Numbers on parts that are kept: the same part with another number costs a copy, not a drawing."""

from functools import lru_cache

import numpy as np
from PIL import Image

from bot.ui.pictures.colours import indexed
from bot.ui.pictures.pen import Pen, Point, text_width


def write(
    picture: Image.Image, centre: Point, text: str, size: float, colour: str, ground: str, widest: float | None = None
) -> None:
    """Write on a picture in the palette, where it is of the one colour ``ground``, centred to a whole pixel.

    Otherwise as ``Pen.text``.
    """
    label, written = _label(text, size, colour, ground, widest)
    picture.paste(label, (round(centre[0] - label.width / 2), round(centre[1] - label.height / 2)), written)


@lru_cache(maxsize=512)
def _label(text: str, size: float, colour: str, ground: str, widest: float | None) -> tuple[Image.Image, Image.Image]:
    """A text on its ground in the palette, and a mask of what is not ground."""
    width = text_width(text, size)
    pen = Pen(round(width if widest is None else min(width, widest)) + 4, round(size) + 4, ground)
    middle = (pen.width / 2, pen.height / 2)
    pen.text(middle, text, size, colour, widest=widest)
    label = indexed(pen.finish())
    tones = np.asarray(label)
    return label, Image.fromarray(np.where(tones == tones[0, 0], 0, 255).astype(np.uint8))
