"""A person's statistics as a picture: the ratings as a line and the chips, or the newest game; and the badges."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.badges import Badge
from bot.locales import _
from bot.ui.badges import badge_name, to_earn_sentence
from bot.ui.chips import chips_won
from bot.ui.pictures.badges import WALL_HEIGHT, wall_parts
from bot.ui.pictures.colours import AMBER, BOARD, CELL_TEN, CHIP_COLOURS, MUTED, PALE, ROSE, SET_EDGE, WELL
from bot.ui.pictures.parts import Placed, to_part
from bot.ui.pictures.pen import GAP, LETTERING, ROW_WIDTH, SIDE, WIDTH, Box, Pen, framed_png
from bot.ui.pictures.shapes import draw_chip
from bot.ui.pictures.views import Mark
from bot.ui.text import format_signed
from highscore.track import LAP, Chip

MOST_RATINGS = 50
"""The number of games that have room on the line."""

_CHART_HEIGHT = 388
_CHART = (0.0, 0.0, 640.0, 388.0)
_CHIPS = (650.0, 0.0, 988.0, 388.0)
_PLOT = (146.0, 56.0, 484.0, 310.0)
"""The box of the line in the chart; left of it are the numbers, below it the games."""
_STEPS = (5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_LINES = 4
_FEW = 24
"""The number of games up to which each has a dot of its own."""


@dataclass(frozen=True, slots=True)
class StatsView:
    """The ratings after the newest games, oldest first, all chips ever won, and the badges."""

    ratings: tuple[int, ...] = ()
    chips: tuple[tuple[Chip, int], ...] = ()
    badges: tuple[Badge, ...] = ()
    marks: tuple[Mark, ...] = ()
    """The rounds of the newest game, for somebody with fewer ratings than a line needs."""

    @property
    def has_line(self) -> bool:
        return len(self.ratings) > 1


def stats_png(view: StatsView) -> bytes:
    """Draw the picture as a PNG of 1040 pixels in width; without a game it has only the badges."""
    parts: list[Placed] = []
    top = SIDE
    if view.has_line or view.marks:
        pen = Pen(ROW_WIDTH, _CHART_HEIGHT, BOARD)
        if view.has_line:
            _draw_line(pen, view.ratings)
            _draw_bars(pen, _CHIPS, [(number, chip) for chip, number in view.chips], 1, numbered=False)
        else:
            rounds = [(mark.result, mark.chip) for mark in view.marks]
            _draw_bars(pen, (0, 0, ROW_WIDTH, _CHART_HEIGHT), rounds, LAP, numbered=True)
        parts.append((to_part(pen.finish()), SIDE, top))
        top += _CHART_HEIGHT + GAP
    parts += wall_parts(view.badges, top)
    return framed_png(WIDTH, top + WALL_HEIGHT + SIDE, parts)


def grid_lines(lowest: int, highest: int) -> list[int]:
    """Return round numbers for the lines of the chart: the first at or below all ratings, the last at or above them."""
    for step in _STEPS:
        first, last = lowest // step * step, -(-highest // step) * step
        if first == last:
            last += step
        if (last - first) // step <= _MOST_LINES:
            return list(range(first, last + 1, step))
    return [lowest, highest]


def _draw_bars(pen: Pen, box: Box, bars: Sequence[tuple[int, Chip | None]], least: int, *, numbered: bool) -> None:
    """Draw values as bars, of which one of ``least`` may fill the height, each with its chip and number below it."""
    left, top, right, bottom = box
    pen.box(box, 28, WELL)
    base = bottom - (148 if numbered else 92)
    pitch = (right - left) / len(bars)
    most = max(least, *(value for value, _chip in bars))
    for number, (value, chip) in enumerate(bars, 1):
        x = left + (number - 0.5) * pitch
        high = base - max(8.0, (base - top - 80) * value / most)
        if value > 0:
            colour = SET_EDGE if chip is None else CHIP_COLOURS[chip][0]
            pen.box((x - 36, high, x + 36, base), 10, colour, corners=(True, True, False, False))
        pen.box((x - 50, base, x + 50, base + 4), 0, CELL_TEN)
        pen.text(
            (x, high - 34), format_signed(value), 54, PALE if value > 0 or not numbered else ROSE, widest=pitch - 3
        )
        if chip is not None:
            draw_chip(pen, chip, (x, base + 48), 40)
        if numbered:
            pen.text((x, bottom - 34), str(number), LETTERING, MUTED)


def _draw_line(pen: Pen, ratings: tuple[int, ...]) -> None:
    left, top, right, bottom = _PLOT
    pen.box(_CHART, 28, WELL)
    lines = grid_lines(min(ratings), max(ratings))
    low, high = lines[0], lines[-1]

    def height(rating: float) -> float:
        return bottom - (rating - low) / (high - low) * (bottom - top)

    for rating in lines:
        y = height(rating)
        pen.box((left, y - 1, right + 20, y + 1), 0, CELL_TEN)
        pen.text((left - 14, y), format_signed(rating), LETTERING, MUTED, "right", widest=left - 28)
    pitch = (right - left - 20) / (len(ratings) - 1)
    points = [(left + 10 + at * pitch, height(rating)) for at, rating in enumerate(ratings)]
    pen.stroke(points, AMBER, 6)
    if len(points) <= _FEW:
        for point in points:
            pen.disc(point, 8, AMBER)
    pen.disc(points[-1], 15, WELL)
    pen.disc(points[-1], 12, AMBER)
    x, y = points[-1]
    pen.text((x + 22, y), format_signed(ratings[-1]), 52, PALE, "left", widest=_CHART[2] - x - 34)
    pen.text((points[0][0], bottom + 44), "1", LETTERING, MUTED)
    pen.text((points[-1][0], bottom + 44), str(len(ratings)), LETTERING, MUTED)


def stats_sentences(view: StatsView, name: str) -> tuple[str, ...]:
    sentences: list[str] = []
    if view.has_line:
        first, *_between, last = view.ratings
        lowest, highest, number = min(view.ratings), max(view.ratings), len(view.ratings)
        text = _("{player}, last rated games: {number}. Rating: {first} to {last}, between {lowest} and {highest}.")
        facts = {"number": number, "first": first, "last": last, "lowest": lowest, "highest": highest}
        won = ", ".join(chips_won(kind, number) for kind, number in view.chips)
        sentences = [text.format(player=name, **facts), _("Chips won: {chips}.").format(chips=won)]
    elif view.marks:
        text = _("{player}, newest game: {results}.")
        sentences = [text.format(player=name, results=", ".join(map(_words, view.marks)))]
    if view.badges:
        sentences.append(_("Badges: {badges}.").format(badges=", ".join(map(badge_name, view.badges))))
    return tuple(filter(None, (*sentences, to_earn_sentence(view.badges))))


def _words(mark: Mark) -> str:
    result = format_signed(mark.result)
    return result if mark.chip is None else f"{result} ({chips_won(mark.chip, 1)})"
