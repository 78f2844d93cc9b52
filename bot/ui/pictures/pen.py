"""Draws lines, digits, names, the game's shapes, and the panel below them. Sizes are in pixels.

Shapes are drawn four times as large and then reduced, which makes their edges smooth. ``Pen.text`` uses Pillow's own
font. Names are in DejaVu Sans Bold, which has the Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic
alphabets. Other characters (emoji, Chinese, Japanese, Korean) are left out of the picture. Its sentences contain the
whole name.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from threading import Lock
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bot.ui.pictures import colours
from bot.ui.pictures.parts import Part, Placed, Tones, paste, picture_png, to_part
from highscore.track import Chip

_FINER = 4
"""Shapes are drawn this many times as wide and as high as they are in the picture."""

_DESIGN_SIZE = 100
"""The size at which the font is measured, in pixels."""
_BOLD = 0.028
"""The width of an outline around each letter, as a share of the font's size. It makes letters bold, because Pillow's
font has only one weight.
"""
_CAP = 0.69
"""The height of the digits as a share of the font's size."""

_DASH_SIDE = 0.04
"""The room left and right of a dash, as a share of the font's size."""

LETTERING = 45
"""The usual size of letters in a picture 1040 pixels wide. If the picture is shown 256 pixels wide, they are 11 pixels
large.
"""
_CAPITALS = 0.729
"""The height of the capitals as a share of the font's size."""
_MARGIN = 6
"""The margin left and right of a name, in pixels. Some letters reach beyond the width that the font gives for them."""
_TOO_MANY = 40
"""Characters of a name after this number are ignored."""
_NO_CHARACTER = "\uffff"

WIDTH = 1040
SIDE = 26
ROW_WIDTH = WIDTH - 2 * SIDE
GAP = 10
_PANEL_RADIUS = 44

_HIGHEST_BAR = 2.0
"""The share of an average at which a bar has its full height. Longer bars are cut off."""
_RAYS = 18
_STAR_SEAT = 3
"""The seat whose piece is a star. A star has less room inside than the other pieces."""
_CORNERS = (0.2, 0.24, 0.4, 0.24, 0.2)
"""The radius of the corners of the pieces, as shares of the piece's radius."""

_DASHES = {"−": (0.50, 0.052), "–": (0.44, 0.046), "-": (0.44, 0.046)}
"""The width and half the height of the dashes, as shares of the font's size. They are not drawn with the font."""

_font_lock = Lock()
"""Must be locked around each call of FreeType, because two threads must not use a font at the same time."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@lru_cache(maxsize=32)
def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size=size)
    assert isinstance(font, ImageFont.FreeTypeFont), "missing in this Pillow: FreeType"
    return font


@lru_cache(maxsize=256)
def _advance(character: str) -> float:
    if character in _DASHES:
        return _DASHES[character][0] + 2 * _DASH_SIDE
    with _font_lock:
        return _font(_DESIGN_SIZE).getlength(character) / _DESIGN_SIZE + _BOLD


def text_width(text: str, size: float) -> float:
    return sum(map(_advance, text)) * size


class Pen:
    """A picture of ``width`` x ``height`` pixels. If ``ground`` is None, the ground is transparent (RGBA)."""

    def __init__(self, width: float, height: float, ground: str | None = colours.BOARD) -> None:
        self.width, self.height = width, height
        size = (round(width * _FINER), round(height * _FINER))
        self._image = Image.new("RGBA", size, (0, 0, 0, 0)) if ground is None else Image.new("RGB", size, ground)
        self._draw = ImageDraw.Draw(self._image)

    def finish(self) -> Image.Image:
        return self._image.reduce(_FINER)

    def to_part(self) -> Part:
        return to_part(self.finish())

    def box(
        self,
        box: Box,
        radius: float = 0,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0,
        corners: tuple[bool, bool, bool, bool] = (True, True, True, True),
    ) -> None:
        """Draw a rectangle with round corners. Its line lies inside it."""
        left, top, right, bottom = (round(each * _FINER) for each in box)
        self._draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1), radius * _FINER, fill, line, round(width * _FINER), corners=corners
        )

    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 0
    ) -> None:
        """Draw a circle. Its line lies inside it."""
        x, y = centre
        around = tuple(round(each * _FINER) for each in (x - radius, y - radius, x + radius, y + radius))
        self._draw.ellipse((around[0], around[1], around[2] - 1, around[3] - 1), fill, line, round(width * _FINER))

    def shape(self, points: Iterable[Point], fill: str) -> None:
        self._draw.polygon([(x * _FINER, y * _FINER) for x, y in points], fill)

    def stroke(self, points: Sequence[Point], fill: str, width: float) -> None:
        if width <= 0:
            return
        self._draw.line([(x * _FINER, y * _FINER) for x, y in points], fill, round(width * _FINER), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc((x, y), width / 2, fill)

    def arc(self, centre: Point, radius: float, start: float, end: float, fill: str, width: float) -> None:
        """Draw an arc with round ends between two angles, in degrees clockwise from the right."""
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
    ) -> float:
        """Draw digits, signs or basic Latin letters in bold. Return the width of the text.

        ``centre`` is the middle or, by ``align``, the left or right end of the text, at half the height of its digits.
        A text wider than ``widest`` is drawn smaller.
        """
        width = text_width(text, size)
        if widest is not None and width > widest:
            size, width = size * widest / width, widest
        x, y = centre
        x -= {"middle": width / 2, "left": 0, "right": width}[align]
        bold = _BOLD * size
        for character in text:
            if character in _DASHES:
                length, half = (share * size for share in _DASHES[character])
                left = x + _DASH_SIDE * size
                self.box((left, y - half, left + length, y + half), half, fill)
            else:
                with _font_lock:
                    place = ((x + bold / 2) * _FINER, (y + _CAP * size / 2) * _FINER)
                    font = _font(size * _FINER)
                    self._draw.text(place, character, fill, font, anchor="ls", stroke_width=bold * _FINER)
            x += _advance(character) * size
        return width

    def vortex(self, centre: Point, radius: float, fill: str) -> None:
        steps, turn = 30, 225.0
        for arm in range(3):
            outer: list[Point] = []
            inner: list[Point] = []
            for step in range(steps + 1):
                at = step / steps
                angle = arm * 120 - 110 + turn * at
                middle = radius * (0.86 - 0.66 * at)
                half = radius * 0.21 * math.sin(math.pi * at) ** 0.75 * (1 - 0.40 * at)
                outer.append(polar(centre, middle + half, angle))
                inner.append(polar(centre, middle - half, angle))
            self.shape([*outer, *reversed(inner)], fill)
        self.disc(centre, radius * 0.13, fill)

    def snowflake(self, centre: Point, radius: float, fill: str, width: float) -> None:
        for branch in range(6):
            degrees = 30 + 60 * branch
            tip = polar(centre, radius - width / 2, degrees)
            self.stroke([centre, tip], fill, width)
            fork = polar(centre, radius * 0.52, degrees)
            for side in (-46, 46):
                self.stroke([fork, polar(fork, radius * 0.34, degrees + side)], fill, width)

    def _piece_shape(self, seat: int, centre: Point, radius: float, fill: str, grow: float = 0) -> None:
        """Draw a piece in one colour, ``grow`` pixels larger on all sides."""
        if seat == 0:
            self.disc(centre, radius * 0.93 + grow, fill)
            return
        rounding = radius * _CORNERS[seat]
        points = _piece_points(seat, centre, radius - rounding / 2)
        self.shape(points, fill)
        self.stroke([*points, points[0], points[1]], fill, rounding + 2 * grow)

    def piece(self, seat: int, centre: Point, radius: float, hollow: str | None = None) -> None:
        """Draw a piece with a dark edge. If the colour of the ground is given as ``hollow``, draw only an outline."""
        if hollow is None:
            self._piece_shape(seat, centre, radius, colours.INK, radius * 0.09)
        self._piece_shape(seat, centre, radius, colours.PIECES[seat])
        if hollow is None:
            return
        line = radius * 0.16
        # Slanted edges get thinner than straight ones when a shape is reduced, most of all the edges of a star.
        inside = radius - line * (1.0, 1.35, 1.1, 1.75, 1.25)[seat]
        x, y = centre
        self._piece_shape(seat, (x, y + line * (0.12 if seat == _STAR_SEAT else 0)), inside, hollow)

    def chip(self, kind: Chip, centre: Point, radius: float) -> None:
        face, edge = colours.CHIP_COLOURS[kind]
        self.disc(centre, radius, edge)
        for degrees in range(15, 360, 30):
            notch = [polar(centre, radius * share, degrees) for share in (0.93, 0.80)]
            self.stroke(notch, face, radius * 0.13)
        self.disc(centre, radius * 0.77, face)
        self.text(centre, str(kind.points), radius * 1.61, colours.INK)

    def turning_arrow(self, centre: Point, radius: float, fill: str, width: float, grow: float = 0) -> None:
        """Draw the symbol for rolling, two arrows in a circle, ``grow`` pixels thicker to make an edge around it."""
        for half in (0, 180):
            self.arc(centre, radius, half + 198, half + 318, fill, width + grow)
            tip = half + 318
            middle = polar(centre, radius, tip)
            size = width * 1.75
            head = [
                polar(middle, size * 1.15, tip + 90),
                polar(middle, size, tip + 180),
                polar(middle, size, tip),
            ]
            self.shape(head, fill)
            self.stroke([*head, head[0], head[1]], fill, grow)

    def crown(self, centre: Point, radius: float, inside: str = colours.IVORY) -> None:
        """Draw a light crown with a dark edge. If ``inside`` is the colour of the ground, it is hollow."""
        x, y = centre
        low, high, waist = y + radius * 0.5, y - radius * 0.6, y - radius * 0.02
        points = [
            (x - radius, low), (x - radius, high), (x - radius * 0.48, waist), (x, high),
            (x + radius * 0.48, waist), (x + radius, high), (x + radius, low),
        ]  # fmt: skip
        for colour, fill, width in ((colours.INK, colours.INK, 0.4), (colours.IVORY, inside, 0.2)):
            self.shape(points, fill)
            self.stroke([*points, points[0]], colour, radius * width)

    def light(self, centre: Point, radius: float, corners: float) -> None:
        """Draw rays of light around ``centre`` into a picture that is a golden box, and cut its corners off again.

        ``radius`` is that of the piece in the light, ``corners`` that of the round corners of the box.
        """
        x, y = centre
        far = self.width + self.height
        half = math.pi / _RAYS / 2
        for ray in range(_RAYS):
            angle = 2 * math.pi * (ray + 0.5) / _RAYS
            ends = [(x + far * math.cos(turned), y + far * math.sin(turned)) for turned in (angle - half, angle + half)]
            self.shape([centre, *ends], colours.LIGHT)
        self.disc(centre, radius * 1.5, colours.LIGHT)
        self.disc(centre, radius * 1.28, colours.HONEY)
        around = (-corners, -corners, self.width + corners, self.height + corners)
        self.box(around, 2 * corners, None, colours.BOARD, corners)

    def par_line(self, left: float, right: float, y: float) -> None:
        """Draw a dashed line, which stands for par."""
        x = left
        while x < right:
            end = min(x + 24, right)
            self.box((x - 3, y - 7, end + 3, y + 7), 7, colours.INK)
            self.box((x, y - 4, end, y + 4), 4, colours.AMBER)
            x += 40

    def bars(self, shares: Sequence[float | None], box: Box, width: float) -> None:
        """Draw a bar for each card: its result as a share of its average. A dashed line marks the average.

        A share of 0 or less is drawn as a ring. None, for a card that is still to come, is drawn as a flat line.
        """
        left, top, right, bottom = box
        par = (bottom - top) / _HIGHEST_BAR
        for at, share in enumerate(shares):
            x = left + (right - left) / len(shares) * (at + 0.5)
            if share is None:
                self.box((x - width / 2, bottom - 3, x + width / 2, bottom), 0, colours.RIM)
            elif share <= 0:
                self.disc((x, bottom - 13), 13, None, colours.SET_EDGE, 5)
            else:
                high = bottom - max(min(share, _HIGHEST_BAR) * par, 14)
                colour = colours.MINT if share >= 1 else colours.ROSE
                self.box((x - width / 2, high, x + width / 2, bottom), width / 5, colour)
        self.par_line(left - 8, right + 8, bottom - par)


def label_part(
    centre: Point,
    text: str,
    size: float,
    ink: str,
    ground: str = colours.BOARD,
    widest: float | None = None,
    *,
    halo: int = 0,
) -> Placed:
    """Draw a text as ``Pen.text`` does, and place it around ``centre``, rounded to whole pixels.

    ``ground`` is the colour of the picture below the text. If something else is near, it is covered with the ground
    for ``halo`` pixels around each letter.
    """
    part = _text_part(text, size, ink, ground, widest, halo)
    height, width = part.tones.shape
    return part, round(centre[0] - width / 2), round(centre[1] - height / 2)


@lru_cache(maxsize=512)
def _text_part(text: str, size: float, colour: str, ground: str, widest: float | None, halo: int) -> Part:
    """Draw a text on its ground. Only the letters and their halo cover the picture below."""
    width = text_width(text, size)
    side = 4 + 2 * halo
    pen = Pen(round(width if widest is None else min(width, widest)) + side, round(size) + side, ground)
    middle = (pen.width / 2, pen.height / 2)
    pen.text(middle, text, size, colour, widest=widest)
    tones = pen.to_part().tones
    mask = tones != tones[0, 0]
    for _pixel in range(halo):
        mask = mask | np.roll(mask, 1, 0) | np.roll(mask, -1, 0) | np.roll(mask, 1, 1) | np.roll(mask, -1, 1)
    return Part(tones, mask)


@lru_cache(maxsize=12)
def _letters(size: int) -> ImageFont.FreeTypeFont:
    font = (files("bot.ui.pictures") / "fonts" / "DejaVuSans-Bold.ttf").read_bytes()
    return ImageFont.truetype(BytesIO(font), size)


@cache
def _missing() -> bytes:
    return bytes(_letters(24).getmask(_NO_CHARACTER))


@lru_cache(maxsize=2048)
def _drawable(character: str) -> bool:
    with _font_lock:
        return character.isprintable() and (character == " " or bytes(_letters(24).getmask(character)) != _missing())


def drawable_text(name: str) -> str:
    return " ".join("".join(filter(_drawable, name[:_TOO_MANY])).split())


def _width(text: str, size: int) -> float:
    with _font_lock:
        return _letters(size).getlength(text)


def cut_text(text: str, size: int, widest: float) -> str:
    """Shorten a text to a width in pixels. A text that was shortened ends with an ellipsis."""
    while text not in ("", "…") and _width(text, size) > widest:
        text = text.rstrip("…")[:-1].rstrip() + "…"
    return text


def name_lines(name: str, widest: float) -> tuple[str, ...]:
    """Return what can be drawn of a name: one line or, if that is too wide and has a space, two.

    The second line starts after the first space. A line may still be too wide.
    """
    text = drawable_text(name)
    first, _space, rest = text.partition(" ")
    return (text,) if not rest or _width(text, LETTERING) <= widest else (first, rest)


def lettering_part(
    text: str, width: int, height: int, size: int, ink: str, ground: str = colours.BOARD, *, middle: bool
) -> Part:
    """Draw a name in the ``middle`` of its part, or at the left of a part that is only as wide as the name needs.

    The part is never cached, because names may be deleted. A name that is too wide is drawn smaller, down to three
    quarters of the size, and then shortened.
    """
    text = drawable_text(text)
    side = 0 if middle else _MARGIN
    room = width - 2 * side
    size = next((smaller for smaller in (size, size * 7 // 8) if _width(text, smaller) <= room), size * 3 // 4)
    text = cut_text(text, size, room)
    if not middle:
        width = min(width, math.ceil(_width(text, size)) + 2 * side)
    shades = Image.new("L", (width, height))
    if text:
        baseline = round(height / 2 + _CAPITALS * size / 2)
        left = (width - _width(text, size)) / 2 if middle else side
        with _font_lock:
            ImageDraw.Draw(shades).text((left, baseline), text, 255, _letters(size), anchor="ls")
    return Part(_shades(ink, ground)[np.asarray(shades)])


@lru_cache(maxsize=32)
def _shades(ink: str, ground: str) -> Tones:
    """Return the tones of the palette for 256 shades from the ground to the ink."""
    ramp = Image.new("RGB", (256, 1))
    ramp.putdata([colours.rgb(colours.mix(ground, ink, shade / 255)) for shade in range(256)])
    (tones,) = to_part(ramp).tones
    return np.array(tones)


def draw_panel(width: int, height: int) -> Tones:
    """Draw an empty panel with round corners, which are transparent outside. The result may be changed."""
    lowest = _lowest_panel(width)
    return np.repeat(
        lowest, [height - len(lowest) + 1 if row == _PANEL_RADIUS else 1 for row in range(len(lowest))], axis=0
    )


@lru_cache(maxsize=8)
def _lowest_panel(width: int) -> Tones:
    """Draw the lowest possible panel: its corners and, between them, one row that ``draw_panel`` repeats."""
    height = 2 * _PANEL_RADIUS + 1
    pen = Pen(width, height, None)
    pen.box((0, 0, width, height), _PANEL_RADIUS, colours.RIM)
    pen.box((3, 3, width - 3, height - 3), _PANEL_RADIUS - 3, colours.BOARD)
    return pen.to_part().tones


def framed_png(width: int, height: int, parts: Iterable[Placed]) -> bytes:
    picture = draw_panel(width, height)
    for part, left, top in parts:
        paste(picture, part, (left, top))
    return picture_png(picture)


def polar(centre: Point, radius: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    x, y = centre
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def _piece_points(seat: int, centre: Point, radius: float) -> list[Point]:
    """Return the outline of a seat's piece inside a circle. Seats 1 to 4 have a diamond, square, star and heart."""
    x, y = centre
    match seat:
        case 1:
            return [(x, y - radius * 1.03), (x + radius * 1.03, y), (x, y + radius * 1.03), (x - radius * 1.03, y)]
        case 2:
            half = radius * 0.84
            return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        case 3:  # STAR
            centre = (x, y + radius * 0.07)
            return [polar(centre, radius * (1.12 if step % 2 == 0 else 0.62), -90 + 36 * step) for step in range(10)]
        case _:
            outline: list[Point] = []
            for step in range(90):
                angle = math.radians(4 * step)
                across = 16 * math.sin(angle) ** 3
                up = 13 * math.cos(angle) - 5 * math.cos(2 * angle) - 2 * math.cos(3 * angle) - math.cos(4 * angle)
                outline.append((x + across * radius / 16.2, y - (up + 1.6) * radius / 15.2))
            return outline


def piece_middle(seat: int, centre: Point, radius: float) -> Point:
    """Return the point of a piece at which a number looks centred."""
    x, y = centre
    return x, y + radius * {_STAR_SEAT: 0.12, 4: -0.06}.get(seat, 0.0)
