"""The PNG: what another program reads from it."""

import zlib
from io import BytesIO

import pytest
from PIL import Image

from bot.ui.pictures import frame
from bot.ui.pictures.frame import panel, png


@pytest.mark.parametrize("fallback", [False, True])
def test_a_picture_is_read_as_it_was_drawn(monkeypatch: pytest.MonkeyPatch, *, fallback: bool) -> None:
    if fallback:
        monkeypatch.setattr(frame, "compress", zlib.compress)
    drawn = panel(301, 120)
    read = Image.open(BytesIO(png(drawn)))
    read.load()
    assert (read.format, read.mode, read.size) == ("PNG", "P", (301, 120))
    assert read.tobytes() == drawn.tobytes()
    seen = read.convert("RGBA")
    assert seen.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()
    opacity = seen.getchannel("A")
    assert (opacity.getpixel((0, 0)), opacity.getpixel((150, 60))) == (0, 255)
