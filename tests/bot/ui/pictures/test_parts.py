import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.pictures import parts, pen
from tests.bot.ui.pictures.samples import in_palette, opened


@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.parametrize("cuts", [(), (1, 44, 119), range(1, 120)])
def test_a_picture_is_read_as_it_was_drawn_however_it_is_cut(
    monkeypatch: pytest.MonkeyPatch, cuts: tuple[int, ...], *, fallback: bool
) -> None:
    if fallback:
        for name in ("adler32", "compressobj", "crc32"):
            monkeypatch.setattr(parts, name, getattr(zlib, name))
    drawn = pen.draw_panel(301, 120)
    bands = [parts.pack(rows) for rows in np.split(parts.add_filters(drawn), cuts)]
    read = opened(parts.make_png(301, 120, bands))
    assert (read.format, read.mode, read.size) == ("PNG", "P", (301, 120))
    assert read.tobytes() == drawn.tobytes()
    seen = read.convert("RGBA")
    assert seen.convert("RGB").tobytes() == in_palette(drawn).convert("RGB").tobytes()
    opacity = seen.getchannel("A")
    assert (opacity.getpixel((0, 0)), opacity.getpixel((150, 60))) == (0, 255)


@given(st.lists(st.binary(max_size=300)), st.integers(0, 2))
def test_the_checksum_of_the_whole_follows_from_those_of_the_bands(pieces: list[bytes], large: int) -> None:
    pieces += [b"\xff" * 70_000] * large
    bands = [parts.Band(b"", len(part), zlib.adler32(part)) for part in pieces]
    assert parts.checksum(bands) == zlib.adler32(b"".join(pieces))


def test_the_bands_are_one_stream_that_ends_with_its_checksum() -> None:
    """Pillow reads no further than the last pixel; a stricter reader does."""
    rows = parts.add_filters(pen.draw_panel(301, 120))
    file = parts.make_png(301, 120, [parts.pack(band) for band in np.split(rows, (40, 80))])
    at, stream, kinds = 8, b"", []
    while at < len(file):
        size, kind = int.from_bytes(file[at : at + 4]), file[at + 4 : at + 8]
        data, check = file[at + 8 : at + 8 + size], file[at + 8 + size : at + 12 + size]
        assert zlib.crc32(kind + data) == int.from_bytes(check)
        kinds.append(kind)
        stream += data if kind == b"IDAT" else b""
        at += 12 + size
    assert kinds == [b"IHDR", b"PLTE", b"tRNS", *[b"IDAT"] * 5, b"IEND"]
    unpacking = zlib.decompressobj()
    assert unpacking.decompress(stream) == rows.tobytes()
    assert unpacking.eof
    assert not unpacking.unused_data
