"""The parts of pictures: drawn once, cached, copied to their places, and packed as a PNG.

All pictures have the same palette, and parts are mapped to it before they are cached. So a board is put together by
copying bytes, which makes it fast and small. We write the files (https://www.w3.org/TR/png-3/) ourselves for two
reasons. Pillow packs with zlib, which takes ten times as long as the fastest library. And we can cache packed bytes: a
picture is cut into bands, each band is packed on its own, and the packed bands one after another are the whole picture.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
from PIL import Image

from bot.ui.pictures.colours import EDGE_STEPS, PALETTE

try:
    from isal.isal_zlib import adler32, compressobj, crc32
except ImportError:
    # There is no isal for this platform. Packing takes ten times as long without it.
    from zlib import adler32, compressobj, crc32  # type: ignore[assignment]

Tones = npt.NDArray[np.uint8]
"""A picture: rows of indices into the palette."""

Corner = tuple[int, int]
"""An upper left corner, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of a picture. It may be cached, so its arrays must not be changed.

    A part equals only itself, so that bands can be cached by the parts in them.
    """

    tones: Tones
    mask: npt.NDArray[np.bool_] | None = None
    """True for the pixels that cover what is below the part; None if all of them do."""


Placed = tuple[Part, int, int]
"""A part with its left and its upper edge."""


def cut_out(part: Part) -> Part:
    """Return a part that covers only what is drawn on its ground, such as letters.

    The ground is the tone of the upper left pixel.
    """
    return Part(part.tones, part.tones != part.tones[0, 0])


def move_parts(parts: Iterable[Placed], corner: Corner) -> Iterator[Placed]:
    left, top = corner
    for part, x, y in parts:
        yield part, left + x, top + y


def paste(picture: Tones, part: Part, corner: Corner) -> None:
    """Copy a part into a picture. Rows of the part above or below the picture are left out."""
    left, top = corner
    first, last = max(-top, 0), len(picture) - top
    tones = part.tones[first:last]
    height, width = tones.shape
    into = picture[top + first : top + first + height, left : left + width]
    if part.mask is None:
        into[:] = tones
    else:
        np.copyto(into, tones, where=part.mask[first:last])


_SOLID = np.array(PALETTE[1 + EDGE_STEPS :], dtype=np.int32)
_WEIGHTS = np.array((3, 4, 2), dtype=np.int32)
"""How strongly the eye sees a difference in red, green and blue."""
_SQUARES = _SOLID**2 @ _WEIGHTS
_TWICE = 2 * (_SOLID * _WEIGHTS).T
PALETTE_BYTES = bytes(chain.from_iterable(PALETTE))
ALPHA_BYTES = bytes(round(255 * step / (1 + EDGE_STEPS)) for step in range(1 + EDGE_STEPS))
"""The opacity of the first tones of the palette. All other tones are opaque."""


def to_part(picture: Image.Image) -> Part:
    """Map an RGB or RGBA picture to the nearest tones of the palette.

    All transparent and half-transparent pixels get the colour of the panel's rim, whatever their own colour is.
    """
    pixels = np.asarray(picture.convert("RGBA"), dtype=np.int32)
    packed = ((pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]).ravel()
    # Neighbouring pixels mostly have the same colour, so each run of equal pixels is looked up once.
    starts = np.flatnonzero(np.diff(packed, prepend=-1))
    tones, where = np.unique(packed[starts], return_inverse=True)
    lengths = np.diff(starts, append=packed.size)
    indices: Tones = np.repeat(_find_nearest(tones)[where], lengths).reshape(pixels.shape[:2])
    if picture.mode == "RGBA":
        see_through = np.round(pixels[..., 3] * (1 + EDGE_STEPS) / 255).astype(np.uint8)
        indices = np.where(see_through > EDGE_STEPS, indices, see_through)
    return Part(indices)


def _find_nearest(tones: npt.NDArray[np.int32]) -> Tones:
    """Return, for each of these colours (0xRRGGBB), the index of the tone in the palette that looks most like it."""
    channels = np.stack((tones >> 16, (tones >> 8) & 255, tones & 255), axis=1)
    # The term of the weighted squared distance that is the same for all tones of the palette is left out.
    distance = _SQUARES - channels @ _TWICE
    nearest: Tones = distance.argmin(axis=1).astype(np.uint8) + np.uint8(1 + EDGE_STEPS)
    return nearest


_LEVEL = 1
"""The level of compression. Packing takes nearly all of a PNG's time, and a higher level saves few bytes."""
_RAW = -zlib.MAX_WBITS
"""The value of ``wbits`` for a stream without zlib's header and checksum."""
FILTER = 1
"""The number of bytes before the first pixel of a row."""
_ADLER = 65521
"""The modulus of Adler-32: https://www.rfc-editor.org/rfc/rfc1950#section-8"""


@dataclass(frozen=True, slots=True)
class Band:
    """Rows of a picture, packed."""

    chunk: bytes
    """A chunk of the file. Its data ends on a whole byte and refers to nothing before it, so it can be used again."""
    size: int
    """The number of bytes before packing."""
    checksum: int


def add_filters(picture: Tones) -> Tones:
    """Put a byte before each row, as PNG requires. It says that the row is not filtered."""
    height, width = picture.shape
    rows = np.zeros((height, FILTER + width), dtype=np.uint8)
    rows[:, FILTER:] = picture
    return rows


def pack(rows: Tones, *, well: bool = False) -> Band:
    """Compress rows. For bands that are needed often, ``well`` takes 20 times as long and saves a third."""
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
    """Return a picture as a PNG file. Nothing is cached."""
    height, width = picture.shape
    return make_png(width, height, [pack(add_filters(picture))])


def checksum(bands: Sequence[Band]) -> int:
    """Return the Adler-32 of all bands together, from that of each: https://www.rfc-editor.org/rfc/rfc1950#section-9"""
    plain, weighted = 1, 0
    for band in bands:
        # Each band's plain sum starts at 1. The plain sum of all earlier bytes is added to the weighted sum once per
        # byte of the band.
        weighted += (band.checksum >> 16) + (plain - 1) * band.size
        plain += (band.checksum & 0xFFFF) - 1
    return weighted % _ADLER << 16 | plain % _ADLER


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", crc32(data, crc32(kind)))))


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _PALETTED = 8, 3
_ZLIB_HEADER = b"\x78\x01"
_BEFORE = _chunk(b"PLTE", PALETTE_BYTES) + _chunk(b"tRNS", ALPHA_BYTES) + _chunk(b"IDAT", _ZLIB_HEADER)
"""The bytes between the chunk with the size and the bands."""
_LAST_BLOCK = b"\x03\x00"
"""The empty last block of a stream."""
_END = _chunk(b"IEND", b"")
