"""Draws a user's statistics. Above are their badges. Below are their ratings as a line, and their chips.

If there are too few ratings for a line, the results of the newest game are drawn in its place.

A badge is a medal: an emblem in a frame. Shape and metal of the frame show how rare the badge is. The medal is grey
before it is earned. The emblems are lines and shapes in a square: 0 is its middle and 100 half a side.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.domain.badges import RARITIES, Badge
from bot.locales import _
from bot.ui.pictures.colours import AMBER, CELL_TEN, CHIP_COLOURS, FADED_EDGE, INK, MUTED, PALE, ROSE, SET_EDGE, WELL
from bot.ui.pictures.parts import Part, Placed
from bot.ui.pictures.pen import GAP, LETTERING, ROW_WIDTH, SIDE, WIDTH, Box, Pen, Point, framed_png, polar
from bot.ui.pictures.views import RoundResult
from bot.ui.text import format_signed
from bot.ui.words import chips_won
from highscore.track import LAP, Chip

MOST_RATINGS = 50

_CHART_HEIGHT = 388
_CHART = (0.0, 0.0, 640.0, 388.0)
_CHIPS = (650.0, 0.0, 988.0, 388.0)
_PLOT = (146.0, 56.0, 484.0, 310.0)
"""The box of the line in the chart. The numbers are left of it, the games below it."""
_STEPS = (5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_LINES = 4
_FEW = 24
"""If the line has at most this many games, each of them has a dot."""


@dataclass(frozen=True, slots=True)
class StatsView:
    """The ratings after the newest games, oldest first, all chips ever won, and the badges."""

    ratings: tuple[int, ...] = ()
    chips: tuple[tuple[Chip, int], ...] = ()
    badges: tuple[Badge, ...] = ()
    results: tuple[RoundResult, ...] = ()
    """The rounds of the newest game, shown if there are too few ratings for a line."""

    @property
    def has_line(self) -> bool:
        return len(self.ratings) > 1


def stats_png(view: StatsView) -> bytes:
    """Draw the picture as a PNG 1040 pixels wide. Without any game it has only the badges."""
    parts, bottom = _wall_parts(view.badges, SIDE), SIDE + WALL_HEIGHT
    if view.has_line or view.results:
        pen = Pen(ROW_WIDTH, _CHART_HEIGHT)
        if view.has_line:
            _draw_line(pen, view.ratings)
            _draw_bars(pen, _CHIPS, [(number, chip) for chip, number in view.chips], 1, numbered=False)
        else:
            rounds = [(played.result, played.chip) for played in view.results]
            _draw_bars(pen, (0, 0, ROW_WIDTH, _CHART_HEIGHT), rounds, LAP, numbered=True)
        parts.append((pen.to_part(), SIDE, bottom + GAP))
        bottom += GAP + _CHART_HEIGHT
    return framed_png(WIDTH, bottom + SIDE, parts)


def grid_lines(lowest: int, highest: int) -> list[int]:
    """Return the ratings at which the chart has lines: round numbers, with all ratings between the first and the last.

    If no step is large enough for that, return ``lowest`` and ``highest``.
    """
    for step in _STEPS:
        first, last = lowest // step * step, -(-highest // step) * step
        if first == last:
            last += step
        if (last - first) // step <= _MOST_LINES:
            return list(range(first, last + 1, step))
    return [lowest, highest]


def _draw_bars(pen: Pen, box: Box, bars: Sequence[tuple[int, Chip | None]], least: int, *, numbered: bool) -> None:
    """Draw values as bars, each with its chip below it and, if ``numbered``, its number.

    The full height is that of the highest value, or of ``least`` if all values are lower.
    """
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
            pen.chip(chip, (x, base + 48), 40)
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
    """Describe the picture, except for the names of the badges, which the message lists."""
    sentences: list[str] = []
    if view.has_line:
        first, *_between, last = view.ratings
        lowest, highest, number = min(view.ratings), max(view.ratings), len(view.ratings)
        text = _("{player}, last rated games: {number}. Rating: {first} to {last}, between {lowest} and {highest}.")
        facts = {"number": number, "first": first, "last": last, "lowest": lowest, "highest": highest}
        won = ", ".join(chips_won(kind, number) for kind, number in view.chips)
        sentences = [text.format(player=name, **facts), _("Chips won: {chips}.").format(chips=won)]
    elif view.results:
        text = _("{player}, newest game: {results}.")
        sentences = [text.format(player=name, results=", ".join(map(_result_words, view.results)))]
    badges = _("Badges earned: {number} of {all}.").format(number=len(view.badges), all=len(Badge))
    return (badges, *filter(None, sentences))


def _result_words(played: RoundResult) -> str:
    result = format_signed(played.result)
    return result if played.chip is None else f"{result} ({chips_won(played.chip, 1)})"


_WIDTH, _HEIGHT = 160, 148
WALL_HEIGHT = 3 * _HEIGHT
_RADIUS = 70.0
_FRAMES = {Chip.GOLD: (16, 0.8), Chip.SILVER: (6, 1.0), Chip.BRONZE: (72, 1.0)}
"""The number of corners of each frame, and the distance of every second one: a star, a hexagon, a circle."""
_EMBLEM = 0.55
"""Half a side of an emblem, as a share of the radius of its frame."""

Line = tuple[float, ...]
"""A part of an emblem: a width and then points. The width is that of a line, negative to cut it out, 0 to fill a shape.
"""

_CALENDAR: tuple[Line, ...] = (
    (0, -90, -70, 90, -70, 90, 95, -90, 95), (-12, -84, -42, 84, -42),
    (30, -50, -100, -50, -60), (30, 50, -100, 50, -60),
)  # fmt: skip
_NUMBERS = {Badge.MONTH: "30", Badge.WEEK: "7"}
_EMBLEMS: dict[Badge, tuple[Line, ...]] = {
    Badge.MONTH: _CALENDAR,
    Badge.SEVEN_ALIKE: ((60, 0, 0), *((60, *polar((0, 0), 76, 60 * at)) for at in range(6))),
    Badge.HIGH_FLYER: ((0, -110, -5, 110, -95, 30, 100, -5, 35), (-14, -5, 35, 90, -78)),
    Badge.COMEBACK: ((36, -95, -60, -30, 70, 45, -35), (0, -15, -50, 95, -100, 90, 20)),
    Badge.RUNAWAY: tuple((38, x, -70, x + 60, 0, x, 70) for x in (-95, -25, 45)),
    Badge.REGULAR: (
        (0, -75, -100, 75, -100, 60, 10, -60, 10), (44, -90, -20, -90, 45), (44, 90, -20, 90, 45),
        (60, -70, 40, 70, 40), (28, -70, 60, -70, 100), (28, 70, 60, 70, 100),
    ),
    Badge.PHOTO_FINISH: (
        (26, -90, -95, -90, 105),
        *((0, x, y, x + 45, y, x + 45, y + 45, x, y + 45) for x, y in (
            (-75, -95), (15, -95), (-30, -50), (60, -50), (-75, -5), (15, -5),
        )),
    ),
    Badge.WEEK: _CALENDAR,
    Badge.GOLD_RUSH: tuple((40, x - 55, y, x + 55, y) for x, y in ((0, 80), (12, 27), (-10, -26), (4, -79))),
    Badge.HAT_TRICK: ((30, -105, 75, 105, 75), (0, -70, -95, 70, -95, 58, 75, -58, 75), (-20, -54, 30, 54, 30)),
    Badge.START_TO_FINISH: (
        (0, -90, 50, -105, -60, -48, -5, 0, -95, 48, -5, 105, -60, 90, 50), (26, -80, 85, 80, 85),
    ),
    Badge.STEADY_HAND: (
        *((32, x, y, x, 20) for x, y in ((-54, -45), (-18, -85), (18, -90), (54, -60))),
        (0, -70, 10, 70, 10, 60, 75, 25, 105, -25, 105, -60, 70), (34, -50, 60, -100, 0),
    ),
    Badge.ON_THE_DOT: ((210, 0, 0), (-140, 0, 0), (70, 0, 0)),
    Badge.EYE_OF_THE_STORM: (),
    Badge.FULL_SET: (
        (0, -35, -70, 35, -70, 35, 95, -35, 95), (0, -105, -10, -45, -10, -45, 95, -105, 95),
        (0, 45, 30, 105, 30, 105, 95, 45, 95),
    ),
    Badge.FIRST_TRY: ((0, 25, -110, -75, 20, -12, 20, -30, 110, 75, -30, 10, -30),),
    Badge.LAP_OF_HONOUR: (
        *((34, *polar((0, 0), 72, 90 + turn), *polar((0, 0), 112, 90 + turn + math.copysign(32, turn)))
          for turn in (-130, -94, -58, -22, 22, 58, 94, 130)),
        (24, *(each for turn in range(-130, 131, 10) for each in polar((0, 0), 76, 90 + turn))), (74, 0, -5),
    ),
}  # fmt: skip


def _wall_parts(badges: Collection[Badge], top: int) -> list[Placed]:
    """Place the medals of all badges, the rarest row first. ``badges`` are those that the user has earned."""
    return [
        (
            _medal_part(badge, earned=badge in badges),
            (WIDTH - len(each) * _WIDTH) // 2 + at * _WIDTH,
            top + row * _HEIGHT,
        )
        for row, each in enumerate(RARITIES.values())
        for at, badge in enumerate(each)
    ]


@lru_cache(maxsize=2 * len(Badge))
def _medal_part(badge: Badge, *, earned: bool) -> Part:
    pen = Pen(_WIDTH, _HEIGHT)
    metal = next(metal for metal, each in RARITIES.items() if badge in each)
    face, edge = CHIP_COLOURS[metal] if earned else (INK, FADED_EDGE)
    centre = (_WIDTH / 2, _HEIGHT / 2)
    corners, share = _FRAMES[metal]
    for radius, colour in ((_RADIUS, edge), (_RADIUS - 7, face)):
        turn = 360 / corners
        points = [polar(centre, radius * (share if at % 2 else 1), turn * at - 90) for at in range(corners)]
        pen.shape(points, colour)
    _draw_emblem(pen, badge, centre, INK if earned else FADED_EDGE, face)
    return pen.to_part()


def _draw_emblem(pen: Pen, badge: Badge, centre: Point, ink: str, ground: str) -> None:
    scale = _RADIUS * _EMBLEM / 100
    if badge is Badge.EYE_OF_THE_STORM:
        pen.vortex(centre, 115 * scale, ink)
    for width, *numbers in _EMBLEMS[badge]:
        points = [
            (centre[0] + x * scale, centre[1] + y * scale) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
        ]
        if width:
            pen.stroke(points, ink if width > 0 else ground, abs(width) * scale)
        else:
            pen.shape(points, ink)
    pen.text((centre[0], centre[1] + 28 * scale), _NUMBERS.get(badge, ""), 46, ground)
