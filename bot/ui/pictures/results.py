"""The standings as a picture: a row a player, a column a round, the chips in it, and the points as a bar."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.ui.pictures.board import png
from bot.ui.pictures.colours import BOARD, CELL, GOLD, INK, MUTED, PALE, PIECES, SET_EDGE, WELL, indexed
from bot.ui.pictures.pen import Pen, Point
from bot.ui.pictures.shapes import chip, piece
from bot.ui.pictures.track import panel
from bot.ui.pictures.views import ResultsView
from highscore.deck import ROUNDS
from highscore.track import Chip

WIDTH = 1040
"""Of the picture, in pixels; its height goes with the number of players."""

_SIDE = 26
_HEADER = 78
_ROW = 96
_GAP = 10
_ROUNDS_LEFT = 236
_PITCH = 84
_BAR_LEFT = 808
_BAR_WIDTH = 148


def height(players: int) -> int:
    """How high the picture gets, in pixels."""
    return _HEADER + players * (_ROW + _GAP) - _GAP + _SIDE


def results_png(view: ResultsView) -> bytes:
    """The standings as a PNG, 1040 pixels wide."""
    return png(results_picture(view))


def results_picture(view: ResultsView) -> Image.Image:
    """The standings as a picture in the palette."""
    picture = _frame(len(view.order)).copy()
    most = max(view.points(seat) for _place, seat in view.order)
    for index, (place, seat) in enumerate(view.order):
        part = _row(place, seat, view.chips[seat], view.points(seat), most)
        picture.paste(part, (_SIDE, _HEADER + index * (_ROW + _GAP)))
    return picture


@lru_cache(maxsize=4)
def _frame(players: int) -> Image.Image:
    frame = panel(WIDTH, height(players))
    pen = Pen(WIDTH - 2 * _SIDE, _HEADER - 16, BOARD)
    for number in range(ROUNDS):
        pen.text((_column(number), 38), str(number + 1), 34, MUTED)
    frame.paste(indexed(pen.finish()), (_SIDE, 8))
    return frame


def _column(number: int) -> float:
    return _ROUNDS_LEFT + number * _PITCH


@lru_cache(maxsize=128)
def _row(place: int, seat: int, won: tuple[Chip | None, ...], points: int, most: int) -> Image.Image:
    width = WIDTH - 2 * _SIDE
    middle = _ROW / 2
    pen = Pen(width, _ROW, BOARD)
    first = place == 1 and points > 0
    if first:
        pen.box((0, 0, width, _ROW), 28, GOLD)
        pen.box((4, 4, width - 4, _ROW - 4), 24, WELL)
    else:
        pen.box((0, 0, width, _ROW), 28, WELL)
    if first:
        _crown(pen, (56, middle), 29)
        pen.text((56, middle + 8), str(place), 32, INK)
    else:
        pen.text((56, middle), str(place), 44, PALE)
    piece(pen, seat, (140, middle), 34)
    for number in range(ROUNDS):
        where = (_column(number), middle)
        kind = won[number] if number < len(won) else None
        if kind is not None:
            chip(pen, kind, where, 34)
        elif number < len(won):
            pen.disc(where, 6, SET_EDGE)
    pen.text((_BAR_LEFT + _BAR_WIDTH / 2, middle - 12), str(points), 56, PALE)
    bar = _ROW - 22
    pen.box((_BAR_LEFT, bar - 5, _BAR_LEFT + _BAR_WIDTH, bar + 5), 5, CELL)
    if points:
        pen.box((_BAR_LEFT, bar - 5, _BAR_LEFT + max(10.0, _BAR_WIDTH * points / most), bar + 5), 5, PIECES[seat])
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
