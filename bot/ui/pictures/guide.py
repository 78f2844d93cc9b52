"""Draws the pictures of the guide: cards, scorings, the roll types, a taken space, the 30+ marker."""

from functools import lru_cache
from operator import mul

from bot.ui.pictures.card import (
    CARD_HEIGHT,
    CARD_WIDTH,
    card_parts,
    draw_roll_dots,
    draw_roll_symbol,
    draw_scoring_symbol,
)
from bot.ui.pictures.colours import AMBER, CARD, GREY, INK, WELL
from bot.ui.pictures.dice import Look, draw_die
from bot.ui.pictures.parts import Placed, move_parts
from bot.ui.pictures.pen import WIDTH, Pen, Point, framed_png
from bot.ui.pictures.track import PieceView, tile_parts
from highscore.cards import Card, RollType, Scoring
from highscore.dice import Dice

_PAD = 20
_ROW = 176

_STEPS: dict[RollType, tuple[tuple[str, str], tuple[str, str]]] = {
    RollType.FOUR_FULL: (("1425V31", "ppppppp"), ("5534214", "fffffff")),
    RollType.ANY_THREE: (("55124V3", "ffppfpp"), ("5554432", "fffffff")),
    RollType.SET_ASIDE: (("5512431", "ssfffff"), ("5543251", "ssfffsf")),
}
"""The dice before and after a roll: their faces, and for each f (free), p (picked to be rolled) or s (set aside)."""

_LOOKS = {"f": Look.FREE, "p": Look.ROLL, "s": Look.SET_ASIDE}


@lru_cache(maxsize=64)
def card_png(card: Card) -> bytes:
    """Draw one challenge card as a PNG of 816 x 244 pixels."""
    return framed_png(CARD_WIDTH + 2 * _PAD, CARD_HEIGHT + 2 * _PAD, move_parts(card_parts(card), (_PAD, _PAD)))


@lru_cache(maxsize=16)
def scoring_png(scoring: Scoring) -> bytes:
    """Draw the symbol of a scoring, as on the cards, as a PNG of 480 x 244 pixels."""
    pen = Pen(440, CARD_HEIGHT)
    pen.box((0, 0, 440, CARD_HEIGHT), 26, CARD)
    draw_scoring_symbol(pen, (220, CARD_HEIGHT / 2), scoring, 54)
    return framed_png(480, CARD_HEIGHT + 2 * _PAD, [(pen.to_part(), _PAD, _PAD)])


@lru_cache(maxsize=1)
def roll_types_png() -> bytes:
    """Draw the three roll types, a row each, as dice before and after a roll: a PNG of 1040 x 592 pixels."""
    height = len(RollType) * (_ROW + 12) - 12
    pen = Pen(WIDTH - 2 * _PAD, height)
    for index, roll_type in enumerate(RollType):
        _draw_roll_type(pen, index * (_ROW + 12), roll_type)
    return framed_png(WIDTH, height + 2 * _PAD, [(pen.to_part(), _PAD, _PAD)])


def _draw_roll_type(pen: Pen, top: float, roll_type: RollType) -> None:
    width = WIDTH - 2 * _PAD
    pen.box((0, top, width, top + _ROW), 26, WELL)
    pen.box((0, top, 184, top + _ROW), 26, CARD)
    draw_roll_symbol(pen, (92, top + 70), roll_type, 48, INK, GREY)
    draw_roll_dots(pen, (92, top + _ROW - 26), roll_type, None)
    before, after = _STEPS[roll_type]
    _draw_dice(pen, (214, top + 15), *before)
    _draw_dice(pen, (214, top + 99), *after)
    _draw_curve(pen, [(858, top + 46), (990, top + 46), (990, top + 130), (874, top + 130)], (-1, 0))


def _draw_dice(pen: Pen, corner: Point, faces: str, looks: str) -> None:
    x, y = corner
    pitch = 90.0
    for face, letter in zip(Dice.parse(faces), looks, strict=True):
        look = _LOOKS[letter]
        size = 60.0 if look is Look.FREE else 55.0  # Smaller, to leave room for arrows or a shackle.
        draw_die(pen, (x + (60 - size) / 2, y + (8 if look is Look.SET_ASIDE else (60 - size) / 2)), size, face, look)
        x += pitch


def _draw_curve(pen: Pen, points: list[Point], direction: Point) -> None:
    """Draw an arrow along a Bezier curve of four points. Its head points in the ``direction`` of a unit vector."""
    steps = 24
    line: list[Point] = []
    for step in range(steps + 1):
        t = step / steps
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        x, y = (sum(map(mul, weights, along)) for along in zip(*points, strict=True))
        line.append((x, y))
    pen.stroke(line, AMBER, 8)
    (x, y), (dx, dy) = line[-1], direction
    pen.shape([(x + 20 * dx, y + 20 * dy), (x - 16 * dy, y + 16 * dx), (x + 16 * dy, y - 16 * dx)], AMBER)


@lru_cache(maxsize=1)
def taken_png() -> bytes:
    """Draw a result whose space is taken, so that its piece stands one lower: a PNG of 640 x 300 pixels."""
    pieces = PieceView(0, 26), PieceView(1, 25, placed=False)
    return _spaces_png((23, 24, 25, 26, 27), pieces, result=26, over=26, goal=25)


@lru_cache(maxsize=1)
def marker_png() -> bytes:
    """Draw a piece that goes past 30 and starts over with its 30+ marker: a PNG of 640 x 300 pixels."""
    return _spaces_png((5, 6, 7, 8, 9), (PieceView(1, 37, placed=False),), result=37, over=7, goal=7)


def _spaces_png(numbers: tuple[int, ...], pieces: tuple[PieceView, ...], *, result: int, over: int, goal: int) -> bytes:
    """Draw spaces of the track. Above space ``over`` is seat 1's piece with its result and an arrow to ``goal``."""
    width, height, left, pitch, top = 640, 300, 53, 110, 176
    pen = Pen(width - 2 * left, top - 28)

    def middle(space: int) -> float:
        return numbers.index(space) * pitch + 47

    x, end = middle(over), middle(goal)
    pen.piece(1, (x, 44), 42)
    pen.text((x, 44), str(result), 40, INK)
    if over == goal:
        _draw_curve(pen, [(x, 94), (x, 100), (x, 110), (x, 120)], (0, 1))
    else:
        _draw_curve(pen, [(x - 40, 60), (end, 62), (end, 80), (end, 120)], (0, 1))
    parts: list[Placed] = [(pen.to_part(), left, 24)]
    for index, space in enumerate(numbers):
        on_it = tuple(each for each in pieces if each.space == space)
        parts += move_parts(tile_parts(space, on_it), (left + index * pitch, top))
    return framed_png(width, height, parts)
