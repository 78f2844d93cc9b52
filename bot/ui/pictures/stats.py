"""A person's statistics as a picture: the rating after each game as a line, and the chips they won as columns."""

from dataclasses import dataclass
from itertools import pairwise

from bot.locales import _
from bot.ui.chips import chips_won
from bot.ui.pictures.alt import MAX_ALT
from bot.ui.pictures.colours import AMBER, BOARD, CELL_TEN, CHIP_COLOURS, MUTED, PALE, WELL, to_part
from bot.ui.pictures.frame import ROW_WIDTH, SIDE, WIDTH, framed_png
from bot.ui.pictures.pen import Pen, text_width
from bot.ui.pictures.shapes import draw_chip
from bot.ui.text import format_signed
from highscore.track import Chip

HEIGHT = 440
"""The height of the picture, in pixels."""
MOST_RATINGS = 50
"""The number of games that have room on the line."""

_CHART = (0.0, 0.0, 640.0, 388.0)
_CHIPS = (660.0, 0.0, 988.0, 388.0)
_PLOT = (104.0, 44.0, 556.0, 322.0)
"""The box of the line in the chart; left of it are the numbers, below it the games."""
_STEPS = (5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_LINES = 4
_FEW = 24
"""The number of games up to which each has a dot of its own."""
_BASE = 300.0
_TALL = 210.0
_COLUMN = 62.0


@dataclass(frozen=True, slots=True)
class StatsView:
    """The ratings after the newest games, oldest first, and all chips ever won."""

    ratings: tuple[int, ...]
    chips: tuple[tuple[Chip, int], ...]


def stats_png(view: StatsView) -> bytes:
    """Draw the picture as a PNG of 1040 x 440 pixels."""
    pen = Pen(ROW_WIDTH, HEIGHT - 2 * SIDE, BOARD)
    pen.box(_CHART, 28, WELL)
    pen.box(_CHIPS, 28, WELL)
    _draw_chart(pen, view.ratings)
    _draw_columns(pen, view)
    return framed_png(WIDTH, HEIGHT, [(to_part(pen.finish()), SIDE, SIDE)])


def grid_lines(lowest: int, highest: int) -> list[int]:
    """Return round numbers for the lines of the chart: the first at or below all ratings, the last at or above them."""
    for step in _STEPS:
        first, last = lowest // step * step, -(-highest // step) * step
        if first == last:
            last += step
        if (last - first) // step <= _MOST_LINES:
            return list(range(first, last + 1, step))
    return [lowest, highest]


def _draw_chart(pen: Pen, ratings: tuple[int, ...]) -> None:
    left, top, right, bottom = _PLOT
    chart_left, _top, chart_right, _bottom = _CHART
    lines = grid_lines(min(ratings), max(ratings)) if ratings else []
    low, high = (lines[0], lines[-1]) if lines else (0, 1)

    def height(rating: float) -> float:
        return bottom - (rating - low) / (high - low) * (bottom - top)

    for rating in lines:
        y = height(rating)
        pen.box((left, y - 1, right + 20, y + 1), 0, CELL_TEN)
        pen.text((left - 14, y), format_signed(rating), 28, MUTED, "right")
    if not ratings:
        pen.text(((chart_left + chart_right) / 2, (top + bottom) / 2), "–", 80, MUTED)
        return
    pitch = (right - left - 20) / max(len(ratings) - 1, 1)
    points = [(left + 10 + at * pitch, height(rating)) for at, rating in enumerate(ratings)]
    for start, end in pairwise(points):
        pen.stroke([start, end], AMBER, 6)
    if len(points) <= _FEW:
        for point in points:
            pen.disc(point, 8, AMBER)
    pen.disc(points[-1], 15, WELL)
    pen.disc(points[-1], 12, AMBER)
    x, y = points[-1]
    # The label stands above the line where there is room, and never beyond the edge of the well.
    label = format_signed(ratings[-1])
    half = text_width(label, 38) / 2
    x = min(max(x, left + half), chart_right - 16 - half)
    pen.text((x, y - 38 if y - 38 > top - 24 else y + 40), label, 38, PALE)
    pen.text((points[0][0], bottom + 38), "1", 28, MUTED)
    if len(ratings) > 1:
        pen.text((points[-1][0], bottom + 38), str(len(ratings)), 28, MUTED)


def _draw_columns(pen: Pen, view: StatsView) -> None:
    most = max(1, *(number for _chip, number in view.chips))
    left, _top, right, _bottom = _CHIPS
    width = (right - left) / len(view.chips)
    for at, (kind, number) in enumerate(view.chips):
        x = left + width * (at + 0.5)
        tall = _TALL * number / most
        face, _edge = CHIP_COLOURS[kind]
        if number:
            top = _BASE - max(tall, 8.0)
            pen.box((x - _COLUMN / 2, top, x + _COLUMN / 2, _BASE), 8, face, corners=(True, True, False, False))
        else:
            pen.box((x - _COLUMN / 2, _BASE - 3, x + _COLUMN / 2, _BASE), 0, CELL_TEN)
        pen.text((x, _BASE - max(tall, 8.0) - 30), str(number), 40, PALE, widest=width - 16)
        draw_chip(pen, kind, (x, _BASE + 46), 33)


def stats_alt(view: StatsView, name: str) -> str:
    if not view.ratings:
        rated = _("{player} has no rating yet.").format(player=name)
    elif len(view.ratings) == 1:
        rated = _("{player} has a rating of {rating} after one game.").format(player=name, rating=view.ratings[0])
    else:
        first, *_between, last = view.ratings
        lowest, highest, number = min(view.ratings), max(view.ratings), len(view.ratings)
        rated = _(
            "The rating of {player} over the last {number} rated games: from {first} to {last},"
            " between {lowest} and {highest}."
        ).format(player=name, number=number, first=first, last=last, lowest=lowest, highest=highest)
    won = ", ".join(chips_won(kind, number) for kind, number in view.chips)
    return f"{rated} {_('Chips won: {chips}.').format(chips=won)}"[:MAX_ALT]
