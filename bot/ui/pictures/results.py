"""The standings as a picture: a row a player, a column a round, the chips in it, and the points as a bar."""

from functools import lru_cache

from PIL import Image

from bot.ui.pictures.colours import BOARD, CELL, GOLD, INK, PALE, PIECES, SET_EDGE, WELL, indexed
from bot.ui.pictures.frame import ROW_WIDTH, rows_png
from bot.ui.pictures.pen import Pen, Point
from bot.ui.pictures.shapes import chip, piece
from bot.ui.pictures.views import ResultsView
from highscore.deck import ROUNDS
from highscore.track import Chip

ROW = 96
ROUNDS_LEFT = 236
PITCH = 84
BAR_LEFT = 808
_BAR_WIDTH = 148


def results_png(view: ResultsView) -> bytes:
    """The standings as a PNG, 1040 pixels wide."""
    most = max(view.points(seat) for _place, seat in view.order)
    rows = [_row(place, seat, view.chips[seat], view.points(seat), most) for place, seat in view.order]
    return rows_png(rows, ROUNDS_LEFT, PITCH)


@lru_cache(maxsize=128)
def _row(place: int, seat: int, won: tuple[Chip | None, ...], points: int, most: int) -> Image.Image:
    middle = ROW / 2
    pen = Pen(ROW_WIDTH, ROW, BOARD)
    if place == 1 and points > 0:
        pen.box((0, 0, ROW_WIDTH, ROW), 28, GOLD)
        pen.box((4, 4, ROW_WIDTH - 4, ROW - 4), 24, WELL)
        _crown(pen, (56, middle), 29)
        pen.text((56, middle + 8), str(place), 32, INK)
    else:
        pen.box((0, 0, ROW_WIDTH, ROW), 28, WELL)
        pen.text((56, middle), str(place), 44, PALE)
    piece(pen, seat, (140, middle), 34)
    for number, kind in enumerate(won[:ROUNDS]):
        where = (ROUNDS_LEFT + number * PITCH, middle)
        if kind is not None:
            chip(pen, kind, where, 34)
        else:
            pen.disc(where, 6, SET_EDGE)
    pen.text((BAR_LEFT + _BAR_WIDTH / 2, middle - 12), str(points), 56, PALE)
    bar = ROW - 22
    pen.box((BAR_LEFT, bar - 5, BAR_LEFT + _BAR_WIDTH, bar + 5), 5, CELL)
    if points:
        pen.box((BAR_LEFT, bar - 5, BAR_LEFT + max(10.0, _BAR_WIDTH * points / most), bar + 5), 5, PIECES[seat])
    return indexed(pen.finish())


def _crown(pen: Pen, centre: Point, radius: float) -> None:
    x, y = centre
    low, high, waist = y + radius * 0.78, y - radius * 0.72, y - radius * 0.02
    points = [
        (x - radius, low), (x - radius, high + 6), (x - radius * 0.48, waist), (x, high),
        (x + radius * 0.48, waist), (x + radius, high + 6), (x + radius, low),
    ]  # fmt: skip
    pen.shape(points, GOLD)
    pen.stroke([*points, points[0]], GOLD, radius * 0.2)
    for across, top in ((-radius, high + 4), (0.0, high - 3), (radius, high + 4)):
        pen.disc((x + across, top), radius * 0.2, GOLD)
