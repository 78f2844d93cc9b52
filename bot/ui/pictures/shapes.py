"""The shapes in the pictures: vortex, snowflake, pieces, chips, arrows. Sizes are in pixels."""

import math
from collections.abc import Sequence

from bot.ui.pictures.colours import (
    AMBER,
    BOARD,
    CHIP_COLOURS,
    HONEY,
    INK,
    IVORY,
    LIGHT,
    MINT,
    PIECES,
    RIM,
    ROSE,
    SET_EDGE,
)
from bot.ui.pictures.pen import Box, Pen, Point
from highscore.track import Chip

_HIGHEST = 2.0
"""The share of an average that fills a bar; more is cut off."""
_RAYS = 18
_STAR = 3
"""The seat with the star, which has less room inside than the other pieces."""


def polar(centre: Point, radius: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    x, y = centre
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def draw_vortex(pen: Pen, centre: Point, radius: float, fill: str) -> None:
    """Draw our vortex: three arms that wind inwards and grow thinner, around an eye."""
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
        pen.shape([*outer, *reversed(inner)], fill)
    pen.disc(centre, radius * 0.13, fill)


def draw_snowflake(pen: Pen, centre: Point, radius: float, fill: str, width: float) -> None:
    for branch in range(6):
        degrees = 30 + 60 * branch
        tip = polar(centre, radius - width / 2, degrees)
        pen.stroke([centre, tip], fill, width)
        fork = polar(centre, radius * 0.52, degrees)
        for side in (-46, 46):
            pen.stroke([fork, polar(fork, radius * 0.34, degrees + side)], fill, width)


def _piece_points(seat: int, centre: Point, radius: float) -> list[Point]:
    """Return the outline of a seat's piece (1 to 4: diamond, square, star, heart) in a circle of the radius."""
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


_CORNERS = (0.2, 0.24, 0.4, 0.24, 0.2)
"""The radius of the corners of the pieces, as shares of the piece's radius."""


def _draw_piece_shape(pen: Pen, seat: int, centre: Point, radius: float, fill: str, grow: float = 0) -> None:
    """Draw a piece in one colour, ``grow`` pixels wider all around."""
    if seat == 0:
        pen.disc(centre, radius * 0.93 + grow, fill)
        return
    rounding = radius * _CORNERS[seat]
    points = _piece_points(seat, centre, radius - rounding / 2)
    pen.shape(points, fill)
    pen.stroke([*points, points[0], points[1]], fill, rounding + 2 * grow)


def draw_piece(pen: Pen, seat: int, centre: Point, radius: float, hollow: str | None = None) -> None:
    """Draw a piece that stands there, with an edge; or, on the ground ``hollow``, the outline of one that does not."""
    if hollow is None:
        _draw_piece_shape(pen, seat, centre, radius, INK, radius * 0.09)
    _draw_piece_shape(pen, seat, centre, radius, PIECES[seat])
    if hollow is None:
        return
    line = radius * 0.16
    # The lines of a slanted edge get thinner than the distance of its corners, most of all at the points of a star.
    inside = radius - line * (1.0, 1.35, 1.1, 1.75, 1.25)[seat]
    x, y = centre
    _draw_piece_shape(pen, seat, (x, y + line * (0.12 if seat == _STAR else 0)), inside, hollow)


def piece_heart(seat: int, centre: Point, radius: float) -> Point:
    """Return the point of a piece on which a number stands best."""
    x, y = centre
    return x, y + radius * {_STAR: 0.12, 4: -0.06}.get(seat, 0.0)


def draw_chip(pen: Pen, kind: Chip, centre: Point, radius: float) -> None:
    """Draw a point chip: a coin with a milled edge and its points."""
    face, edge = CHIP_COLOURS[kind]
    pen.disc(centre, radius, edge)
    for degrees in range(15, 360, 30):
        notch = [polar(centre, radius * share, degrees) for share in (0.93, 0.80)]
        pen.stroke(notch, face, radius * 0.13)
    pen.disc(centre, radius * 0.77, face)
    pen.text(centre, str(kind.points), radius * 1.61, INK)


def draw_turning_arrow(pen: Pen, centre: Point, radius: float, fill: str, width: float, grow: float = 0) -> None:
    """Draw two arrows that chase each other around: roll. They are ``grow`` pixels thicker, for an edge."""
    for half in (0, 180):
        pen.arc(centre, radius, half + 198, half + 318, fill, width + grow)
        tip = half + 318
        middle = polar(centre, radius, tip)
        size = width * 1.75
        head = [
            polar(middle, size * 1.15, tip + 90),
            polar(middle, size, tip + 180),
            polar(middle, size, tip),
        ]
        pen.shape(head, fill)
        pen.stroke([*head, head[0], head[1]], fill, grow)


def draw_crown(pen: Pen, centre: Point, radius: float, inside: str = IVORY) -> None:
    """Draw the crown of whoever is first, light with a dark edge; with the ground ``inside`` it is hollow."""
    x, y = centre
    low, high, waist = y + radius * 0.5, y - radius * 0.6, y - radius * 0.02
    points = [
        (x - radius, low), (x - radius, high), (x - radius * 0.48, waist), (x, high),
        (x + radius * 0.48, waist), (x + radius, high), (x + radius, low),
    ]  # fmt: skip
    for colour, fill, width in ((INK, INK, 0.4), (IVORY, inside, 0.2)):
        pen.shape(points, fill)
        pen.stroke([*points, points[0]], colour, radius * width)


def draw_light(pen: Pen, centre: Point, radius: float, corners: float) -> None:
    """Draw rays of light around a point, inside the round corners of a box of gold on the board that fills the pen."""
    x, y = centre
    far = pen.width + pen.height
    half = math.pi / _RAYS / 2
    for ray in range(_RAYS):
        angle = 2 * math.pi * (ray + 0.5) / _RAYS
        ends = [(x + far * math.cos(turned), y + far * math.sin(turned)) for turned in (angle - half, angle + half)]
        pen.shape([centre, *ends], LIGHT)
    pen.disc(centre, radius * 1.5, LIGHT)
    pen.disc(centre, radius * 1.28, HONEY)
    around = (-corners, -corners, pen.width + corners, pen.height + corners)
    pen.box(around, 2 * corners, None, BOARD, corners)


def draw_par_line(pen: Pen, left: float, right: float, y: float) -> None:
    """Draw the dashes that mean par, here and across the bars."""
    x = left
    while x < right:
        end = min(x + 24, right)
        pen.box((x - 3, y - 7, end + 3, y + 7), 7, INK)
        pen.box((x, y - 4, end, y + 4), 4, AMBER)
        x += 40


def draw_bars(pen: Pen, shares: Sequence[float | None], box: Box, width: float) -> None:
    """Draw shares of an average as bars in a box, with the dashes of par; nothing is a ring, None is to come."""
    left, top, right, bottom = box
    par = (bottom - top) / _HIGHEST
    for at, share in enumerate(shares):
        x = left + (right - left) / len(shares) * (at + 0.5)
        if share is None:
            pen.box((x - width / 2, bottom - 3, x + width / 2, bottom), 0, RIM)
        elif share <= 0:
            pen.disc((x, bottom - 13), 13, None, SET_EDGE, 5)
        else:
            high = bottom - max(min(share, _HIGHEST) * par, 14)
            pen.box((x - width / 2, high, x + width / 2, bottom), width / 5, MINT if share >= 1 else ROSE)
    draw_par_line(pen, left - 8, right + 8, bottom - par)
