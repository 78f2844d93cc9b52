"""Drawing with smooth edges: shapes are drawn several times as large and reduced once. Positions are in pixels."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw, ImageFont

FINER = 4
"""The number of times that the pen draws finer than the picture is, each way."""

_DESIGN_SIZE = 100
"""The size at which the font is measured, in pixels."""
_BOLD = 0.028
"""The width of a line around each letter that makes it bold, as a share of the font's size: the font has one weight."""
_CAP = 0.69
"""The height of the digits as a share of the font's size."""


class _Dash(NamedTuple):
    """A minus or dash, which the font lacks; its measures are shares of the font's size."""

    width: float
    half_height: float


_DASHES = {"−": _Dash(0.50, 0.052), "–": _Dash(0.44, 0.046), "-": _Dash(0.44, 0.046)}
_DASH_SIDE = 0.04
"""The room left and right of a dash, as a share of the font's size."""

_font_lock = Lock()
"""The lock around FreeType: two threads may not use one face at once."""

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
        return _DASHES[character].width + 2 * _DASH_SIDE
    with _font_lock:
        return _font(_DESIGN_SIZE).getlength(character) / _DESIGN_SIZE + _BOLD


def text_width(text: str, size: float) -> float:
    return sum(map(_advance, text)) * size


class Pen:
    """A pen that draws a picture of ``width`` x ``height`` pixels on a colour, or on nothing (RGBA)."""

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
        """Draw a rectangle with round corners; its line lies inside of it."""
        left, top, right, bottom = (round(each * FINER) for each in box)
        self._draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1), radius * FINER, fill, line, round(width * FINER), corners=corners
        )

    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 0
    ) -> None:
        """Draw a circle; its line lies inside of it."""
        x, y = centre
        around = tuple(round(each * FINER) for each in (x - radius, y - radius, x + radius, y + radius))
        self._draw.ellipse((around[0], around[1], around[2] - 1, around[3] - 1), fill, line, round(width * FINER))

    def shape(self, points: Iterable[Point], fill: str) -> None:
        self._draw.polygon([(x * FINER, y * FINER) for x, y in points], fill)

    def stroke(self, points: Sequence[Point], fill: str, width: float) -> None:
        if width <= 0:
            return
        self._draw.line([(x * FINER, y * FINER) for x, y in points], fill, round(width * FINER), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc((x, y), width / 2, fill)

    def arc(self, centre: Point, radius: float, start: float, end: float, fill: str, width: float) -> None:
        """Draw a part of a circle, with round ends, between two angles in degrees (0 points right, clockwise)."""
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
        """Draw bold digits, ``+``, ``-`` (a true minus) or letters the font has, centred on their height.

        ``widest`` makes a text that would be wider smaller.
        """
        width = text_width(text, size)
        if widest is not None and width > widest:
            size, width = size * widest / width, widest
        x, y = centre
        x -= {"middle": width / 2, "left": 0, "right": width}[align]
        bold = _BOLD * size
        for character in text:
            if character in _DASHES:
                dash, left = _DASHES[character], x + _DASH_SIDE * size
                half = dash.half_height * size
                self.box((left, y - half, left + dash.width * size, y + half), half, fill)
            else:
                with _font_lock:
                    place = ((x + bold / 2) * FINER, (y + _CAP * size / 2) * FINER)
                    font = _font(size * FINER)
                    self._draw.text(place, character, fill, font, anchor="ls", stroke_width=bold * FINER)
            x += _advance(character) * size
