"""What all pictures share: the panel they are drawn on, the rows of the tables, and the PNG."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image

from bot.ui.pictures.colours import ALPHA_BYTES, BOARD, MUTED, RIM, indexed
from bot.ui.pictures.pen import Pen
from highscore.deck import ROUNDS

WIDTH = 1040
"""Of a board and of a table of rows, in pixels."""
SIDE = 26
"""Around the inside of a table of rows, in pixels."""
ROW_WIDTH = WIDTH - 2 * SIDE
HEADER = 78
GAP = 10

_RADIUS = 44
_LEVEL = 5
"""How hard the PNG is packed, which is nearly all of the time: 6 takes half as long again for a tenth less."""


def panel(width: int, height: int) -> Image.Image:
    """An empty panel with round corners that let the page show through, in the palette."""
    pen = Pen(width, height, None)
    pen.box((0, 0, width, height), _RADIUS, RIM)
    pen.box((3, 3, width - 3, height - 3), _RADIUS - 3, BOARD)
    return indexed(pen.finish())


def png(picture: Image.Image) -> bytes:
    """A picture of the palette as a PNG, its corners transparent."""
    out = BytesIO()
    picture.save(out, "PNG", compress_level=_LEVEL, transparency=ALPHA_BYTES)
    return out.getvalue()


def framed(width: int, height: int, inside: Image.Image, corner: tuple[int, int]) -> bytes:
    """A part on a panel, as a PNG."""
    picture = panel(width, height)
    picture.paste(inside, corner)
    return png(picture)


def rows_png(rows: Sequence[Image.Image], left: int, pitch: int) -> bytes:
    """A row a player below the numbers of the rounds, whose columns begin at ``left``; 1040 pixels wide."""
    pitch_down = rows[0].height + GAP
    picture = _rounds_panel(HEADER + len(rows) * pitch_down - GAP + SIDE, left, pitch).copy()
    for index, row in enumerate(rows):
        picture.paste(row, (SIDE, HEADER + index * pitch_down))
    return png(picture)


@lru_cache(maxsize=8)
def _rounds_panel(height: int, left: int, pitch: int) -> Image.Image:
    picture = panel(WIDTH, height)
    head = Pen(ROW_WIDTH, HEADER - 16, BOARD)
    for number in range(ROUNDS):
        head.text((left + number * pitch, 38), str(number + 1), 34, MUTED)
    picture.paste(indexed(head.finish()), (SIDE, 8))
    return picture
