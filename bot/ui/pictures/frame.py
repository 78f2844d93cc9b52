"""What all pictures share: the panel they are drawn on, the rows of the tables, and the PNG."""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image

from bot.ui.pictures.colours import ALPHA_BYTES, BOARD, MUTED, PALETTE_BYTES, RIM, indexed
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
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _PALETTED = 8, 3

try:
    from isal.isal_zlib import compress
except ImportError:
    # No wheel for this machine. Packing takes ten times as long then.
    from zlib import compress
_LEVEL = 1
"""How hard the PNG is packed, which is nearly all of its time. More takes longer, and makes nothing much smaller."""


def panel(width: int, height: int) -> Image.Image:
    """An empty panel with round corners that let the page show through, in the palette."""
    pen = Pen(width, height, None)
    pen.box((0, 0, width, height), _RADIUS, RIM)
    pen.box((3, 3, width - 3, height - 3), _RADIUS - 3, BOARD)
    return indexed(pen.finish())


def png(picture: Image.Image) -> bytes:
    """A picture of the palette as a PNG, its corners transparent: https://www.w3.org/TR/png-3/#5DataRep.

    Written by ourselves, because Pillow packs with zlib, ten times as long as the fastest way there is.
    """
    width, height = picture.size
    # Each row begins with a byte that says how it is filtered: not at all.
    rows = np.zeros((height, width + 1), dtype=np.uint8)
    rows[:, 1:] = np.asarray(picture)
    chunks = (
        (b"IHDR", struct.pack(">2I5B", width, height, _BITS, _PALETTED, 0, 0, 0)),
        (b"PLTE", PALETTE_BYTES),
        (b"tRNS", ALPHA_BYTES),
        (b"IDAT", compress(rows.tobytes(), _LEVEL)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))))
        for kind, data in chunks
    )


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
