"""Names in pictures: the characters of them that the font has, shortened to the room there is.

The pen's font has digits and little else. Names are in DejaVu Sans Bold: Latin, Greek, Cyrillic, Armenian, Georgian,
Hebrew, Arabic. Characters that it lacks (emoji, Chinese, Japanese, Korean) are not drawn: the text has the whole name.
"""

from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from math import ceil
from threading import Lock

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bot.ui.pictures.colours import mix, rgb, to_part
from bot.ui.pictures.parts import Part, Tones

_CAP = 0.729
"""The height of the capitals as a share of the font's size."""
_SIDE = 6
"""The margin left and right of a line, in pixels: some letters reach beyond their place."""
_TOO_MANY = 40
"""The number of characters of a name that are looked at."""
_NO_CHARACTER = "\uffff"

_lock = Lock()
"""The lock around FreeType: two threads may not use one face at once."""


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = (files("bot.ui.pictures") / "fonts" / "DejaVuSans-Bold.ttf").read_bytes()
    return ImageFont.truetype(BytesIO(font), size)


@cache
def _missing() -> bytes:
    return bytes(_font(24).getmask(_NO_CHARACTER))


@lru_cache(maxsize=2048)
def _drawable(character: str) -> bool:
    with _lock:
        return character.isprintable() and (character == " " or bytes(_font(24).getmask(character)) != _missing())


def drawable_text(name: str) -> str:
    """Return the characters of a name that can be drawn; may be empty."""
    return " ".join("".join(filter(_drawable, name[:_TOO_MANY])).split())


def _width(text: str, size: int) -> float:
    with _lock:
        return _font(size).getlength(text)


def cut_text(text: str, size: int, widest: float) -> str:
    """Return a text, cut where it would be too wide."""
    while text not in ("", "…") and _width(text, size) > widest:
        text = text.rstrip("…")[:-1].rstrip() + "…"
    return text


def lettering_part(text: str, width: int, height: int, size: int, ink: str, ground: str, *, middle: bool) -> Part:
    """Draw a text on a ground: from the left as wide as it needs, or in the middle. Not kept: names may be deleted."""
    side = 0 if middle else _SIDE
    text = cut_text(text, size, width - 2 * side)
    if not middle:
        width = min(width, ceil(_width(text, size)) + 2 * side)
    shades = Image.new("L", (width, height))
    if text:
        baseline = round(height / 2 + _CAP * size / 2)
        left = (width - _width(text, size)) / 2 if middle else side
        with _lock:
            ImageDraw.Draw(shades).text((left, baseline), text, 255, _font(size), anchor="ls")
    return Part(_shades(ink, ground)[np.asarray(shades)])


@lru_cache(maxsize=32)
def _shades(ink: str, ground: str) -> Tones:
    """Return the tone of the palette for each of the 256 shades from the ground to the ink."""
    ramp = Image.new("RGB", (256, 1))
    ramp.putdata([rgb(mix(ground, ink, shade / 255)) for shade in range(256)])
    (tones,) = to_part(ramp).tones
    return np.array(tones)
