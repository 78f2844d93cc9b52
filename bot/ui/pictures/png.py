"""PNG files of pictures in the palette, their corners transparent: https://www.w3.org/TR/png-3/

We write them ourselves, because Pillow packs with zlib, which takes ten times as long as the fastest library, and
because packed bytes can be kept: each band of a picture is packed by itself, and the bands' bytes one after the other
are the stream of the whole.
"""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.ui.pictures.colours import ALPHA_BYTES, PALETTE_BYTES
from bot.ui.pictures.parts import Tones

try:
    from isal.isal_zlib import adler32, compressobj, crc32
except ImportError:
    # This machine has no wheel. Packing takes ten times as long then.
    from zlib import adler32, compressobj, crc32  # type: ignore[assignment]

_LEVEL = 1
"""The level of packing, which is nearly all of a PNG's time. A higher one takes longer and saves little."""
_RAW = -zlib.MAX_WBITS
"""The window of a stream without zlib's header and checksum."""
FILTER = 1
"""The bytes at the beginning of a row, before its first pixel."""
_ADLER = 65521
"""The modulus of Adler-32: https://www.rfc-editor.org/rfc/rfc1950#section-8"""


@dataclass(frozen=True, slots=True)
class Band:
    """Rows of a picture, packed."""

    chunk: bytes
    """A chunk of the file. Its data ends on a whole byte, inside the stream, and refers to nothing before it."""
    size: int
    """The number of bytes before packing."""
    checksum: int
    """The Adler-32 of the bytes before packing."""


def add_filters(picture: Tones) -> Tones:
    """Return the rows of a picture as they are packed: each begins with a byte that says it is not filtered."""
    height, width = picture.shape
    rows = np.zeros((height, FILTER + width), dtype=np.uint8)
    rows[:, FILTER:] = picture
    return rows


def pack(rows: Tones, *, well: bool = False) -> Band:
    """Pack rows: quickly or, what is often needed, ``well``, which takes 20 times as long and saves a third."""
    packing = zlib.compressobj(9, zlib.DEFLATED, _RAW) if well else compressobj(_LEVEL, zlib.DEFLATED, _RAW)
    packed = packing.compress(rows.tobytes()) + packing.flush(zlib.Z_SYNC_FLUSH)
    return Band(_chunk(b"IDAT", packed), rows.size, adler32(rows))


def make_png(width: int, height: int, bands: Sequence[Band]) -> bytes:
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">2I5B", width, height, _BITS, _PALETTED, 0, 0, 0)),
            _BEFORE,
            *(band.chunk for band in bands),
            _chunk(b"IDAT", _LAST_BLOCK + struct.pack(">I", checksum(bands))),
            _END,
        )
    )


def picture_png(picture: Tones) -> bytes:
    """Make the file of a picture of which nothing is kept."""
    height, width = picture.shape
    return make_png(width, height, [pack(add_filters(picture))])


def checksum(bands: Sequence[Band]) -> int:
    """Return the Adler-32 of all bands' bytes, from each band's: https://www.rfc-editor.org/rfc/rfc1950#section-9."""
    plain, weighted = 1, 0
    for band in bands:
        # A band begins with 1 as its plain sum. What came before it counts in the weighted sum once for each byte.
        weighted += (band.checksum >> 16) + (plain - 1) * band.size
        plain += (band.checksum & 0xFFFF) - 1
    return weighted % _ADLER << 16 | plain % _ADLER


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", crc32(data, crc32(kind)))))


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _PALETTED = 8, 3
_ZLIB_HEADER = b"\x78\x01"
_BEFORE = _chunk(b"PLTE", PALETTE_BYTES) + _chunk(b"tRNS", ALPHA_BYTES) + _chunk(b"IDAT", _ZLIB_HEADER)
"""The bytes between the size and the bands."""
_LAST_BLOCK = b"\x03\x00"
"""The empty last block of a stream."""
_END = _chunk(b"IEND", b"")
