"""Drawing with smooth edges: shapes are drawn several times as large and reduced once. Positions are in pixels."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

FINER = 4
"""How many times finer the pen draws than the picture is, each way."""

_DESIGN_SIZE = 100
"""The font is measured at this size, in pixels."""
_BOLD = 0.028
"""The font comes in one weight; this much of its size, drawn around it, makes it bold."""
_CAP = 0.69
"""The height of the digits as a share of the font's size."""
_DASHES = {"−": (0.50, 0.052), "–": (0.44, 0.046), "-": (0.44, 0.046)}
"""Minus and dash, which the font lacks: width and half height as shares of the font's size."""

_font_lock = Lock()
"""FreeType faces are no place for two threads at once."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@lru_cache(maxsize=32)
def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size=size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("this Pillow was built without FreeType, which the pictures' numbers need")
    return font


@lru_cache(maxsize=256)
def _advance(character: str) -> float:
    if character in _DASHES:
        return _DASHES[character][0] + 0.08
    with _font_lock:
        return _font(_DESIGN_SIZE).getlength(character) / _DESIGN_SIZE + _BOLD


def text_width(text: str, size: float) -> float:
    """How wide a text gets, in the unit of its size."""
    return sum(map(_advance, text)) * size


class Pen:
    """Draws a picture of ``width`` x ``height`` pixels on a colour, or on nothing (RGBA)."""

    def __init__(self, width: float, height: float, ground: str | None) -> None:
        self.width, self.height = width, height
        size = (round(width * FINER), round(height * FINER))
        self._image = Image.new("RGBA", size, (0, 0, 0, 0)) if ground is None else Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self._image)

    def finish(self) -> Image.Image:
        return self._image.reduce(FINER)

    def box(
        self,
        box: Box,
        radius: float = 0,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0,
        corners: tuple[bool, bool, bool, bool] = (True, True, True, True),
    ) -> None:
        """A rectangle with round corners; its line lies inside of it."""
        left, top, right, bottom = (round(each * FINER) for each in box)
        self._draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1), radius * FINER, fill, line, round(width * FINER), corners=corners
        )

    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 0
    ) -> None:
        """A circle; its line lies inside of it."""
        x, y = centre
        around = tuple(round(each * FINER) for each in (x - radius, y - radius, x + radius, y + radius))
        self._draw.ellipse((around[0], around[1], around[2] - 1, around[3] - 1), fill, line, round(width * FINER))

    def shape(self, points: Iterable[Point], fill: str) -> None:
        self._draw.polygon([(x * FINER, y * FINER) for x, y in points], fill)

    def stroke(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line with round ends and joints."""
        if width <= 0:
            return
        self._draw.line([(x * FINER, y * FINER) for x, y in points], fill, round(width * FINER), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc((x, y), width / 2, fill)

    def arc(self, centre: Point, radius: float, start: float, end: float, fill: str, width: float) -> None:
        """Part of a circle, from and to an angle in degrees (0 points right, clockwise), with round ends."""
        steps = max(2, int(abs(end - start) / 6))
        angles = (math.radians(start + (end - start) * step / steps) for step in range(steps + 1))
        x, y = centre
        self.stroke([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles], fill, width)

    def text(
        self,
        centre: Point,
        text: str,
        size: float,
        fill: str,
        align: Literal["middle", "left", "right"] = "middle",
        widest: float | None = None,
    ) -> None:
        """Bold digits, ``+``, ``-`` (a true minus) or letters the font has, centred on their height.

        ``widest`` makes the text smaller where it would get wider than that.
        """
        width = text_width(text, size)
        if widest is not None and width > widest:
            size, width = size * widest / width, widest
        x, y = centre
        x -= {"middle": width / 2, "left": 0, "right": width}[align]
        bold = _BOLD * size
        for character in text:
            if character in _DASHES:
                wide, half = (share * size for share in _DASHES[character])
                self.box((x + 0.04 * size, y - half, x + 0.04 * size + wide, y + half), half, fill)
            else:
                with _font_lock:
                    place = ((x + bold / 2) * FINER, (y + _CAP * size / 2) * FINER)
                    font = _font(size * FINER)
                    self._draw.text(place, character, fill, font, anchor="ls", stroke_width=bold * FINER)
            x += _advance(character) * size
