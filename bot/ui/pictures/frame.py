"""The panel on which pictures are drawn."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from bot.ui.pictures.colours import BOARD, RIM, to_part
from bot.ui.pictures.parts import Placed, Tones, paste
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.png import picture_png

WIDTH = 1040
"""The width of most pictures, in pixels."""
SIDE = 26
"""The margin inside a panel, in pixels."""
ROW_WIDTH = WIDTH - 2 * SIDE
GAP = 10

_RADIUS = 44


def draw_panel(width: int, height: int) -> Tones:
    """Return an empty panel to draw on, in the palette; its round corners let the page show through."""
    lowest = _lowest_panel(width)
    return np.repeat(lowest, [height - len(lowest) + 1 if row == _RADIUS else 1 for row in range(len(lowest))], axis=0)


@lru_cache(maxsize=8)
def _lowest_panel(width: int) -> Tones:
    """Draw a panel of which only the row in the middle is between the corners: it is repeated in all others."""
    height = 2 * _RADIUS + 1
    pen = Pen(width, height, None)
    pen.box((0, 0, width, height), _RADIUS, RIM)
    pen.box((3, 3, width - 3, height - 3), _RADIUS - 3, BOARD)
    return to_part(pen.finish()).tones


def framed_png(width: int, height: int, parts: Iterable[Placed]) -> bytes:
    picture = draw_panel(width, height)
    for part, left, top in parts:
        paste(picture, part, (left, top))
    return picture_png(picture)
