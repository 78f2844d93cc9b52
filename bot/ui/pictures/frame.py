"""The panel on which pictures are drawn, and the rows of the tables in pictures."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from bot.ui.pictures.colours import BOARD, MUTED, RIM, to_part
from bot.ui.pictures.label import LETTERING
from bot.ui.pictures.parts import Part, Placed, Tones, paste
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.png import picture_png
from highscore.deck import ROUNDS

WIDTH = 1040
"""The width of a board and of a table of rows, in pixels."""
SIDE = 26
"""The margin inside a table of rows, in pixels."""
ROW_WIDTH = WIDTH - 2 * SIDE
HEADER = 78
GAP = 10

_RADIUS = 44


def draw_panel(width: int, height: int) -> Tones:
    """Return an empty panel to draw on, in the palette; its round corners let the page show through."""
    return _kept_panel(width, height).copy()


@lru_cache(maxsize=8)
def _kept_panel(width: int, height: int) -> Tones:
    pen = Pen(width, height, None)
    pen.box((0, 0, width, height), _RADIUS, RIM)
    pen.box((3, 3, width - 3, height - 3), _RADIUS - 3, BOARD)
    return to_part(pen.finish()).tones


def framed_png(width: int, height: int, parts: Iterable[Placed]) -> bytes:
    picture = draw_panel(width, height)
    for part, left, top in parts:
        paste(picture, part, (left, top))
    return picture_png(picture)


def rows_png(rows: Sequence[Part], left: int, pitch: int) -> bytes:
    """Draw a row per player below the numbers of the rounds, 1040 pixels wide; the columns begin at ``left``."""
    pitch_down = len(rows[0].tones) + GAP
    picture = _rounds_panel(HEADER + len(rows) * pitch_down - GAP + SIDE, left, pitch).copy()
    for index, row in enumerate(rows):
        paste(picture, row, (SIDE, HEADER + index * pitch_down))
    return picture_png(picture)


@lru_cache(maxsize=8)
def _rounds_panel(height: int, left: int, pitch: int) -> Tones:
    picture = draw_panel(WIDTH, height)
    head = Pen(ROW_WIDTH, HEADER - 16, BOARD)
    for number in range(ROUNDS):
        head.text((left + number * pitch, 38), str(number + 1), LETTERING, MUTED)
    paste(picture, to_part(head.finish()), (SIDE, 8))
    return picture
