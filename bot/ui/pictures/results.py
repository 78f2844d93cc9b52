"""The standings as a picture: a row per player with the result of every round, and below the track of every round.

The parts are kept, but for names: a cache must not hold what somebody has deleted.
"""

from functools import lru_cache

from bot.ui.pictures.colours import BOARD, CELL, CELL_TEN, GOLD, INK, MUTED, PALE, PIECES, ROSE, SET_EDGE, WELL, to_part
from bot.ui.pictures.frame import GAP, ROW_WIDTH, SIDE, WIDTH, draw_panel
from bot.ui.pictures.lettering import drawable_text, initials, lettering_part
from bot.ui.pictures.parts import Part, Tones, paste
from bot.ui.pictures.pen import Pen, Point
from bot.ui.pictures.png import picture_png
from bot.ui.pictures.shapes import STAR, draw_chip, draw_hollow_piece, draw_piece, piece_heart
from bot.ui.pictures.views import Mark, ResultsView
from bot.ui.text import format_signed
from highscore.deck import ROUNDS
from highscore.track import LAP, Chip

TOP = 24
ROW = 138
ROUNDS_LEFT = 176
"""The left edge of the column of round 1, inside the rows."""
PITCH = 100
PIECE = 116
"""The middle of the piece."""
POINTS_LEFT = 878
_PIECE_RADIUS = 42
_NAME_TOP, _NAME_HEIGHT = 10, 58
_CELL_TOP, _CELL_HEIGHT = 72, 58
HEADER = 62
LANES = 240
_LANE_WIDTH = 84
_LANE_SIDE = 18
"""The margin above and below the lanes, inside their panel."""
STEP = 10


def results_png(view: ResultsView) -> bytes:
    """Draw the standings as a PNG, 1040 pixels wide."""
    rows = len(view.order) * (ROW + GAP)
    track = HEADER + LANES if view.highest else 0
    picture = _cached_panel(TOP + rows - GAP + track + SIDE).copy()
    most = max(view.points(seat) for _place, seat in view.order)
    for index, (place, seat) in enumerate(view.order):
        _draw_row(picture, TOP + index * (ROW + GAP), view, place, seat, most)
    if view.highest:
        _draw_track(picture, TOP + rows - GAP, view)
    return picture_png(picture)


@lru_cache(maxsize=8)
def _cached_panel(height: int) -> Tones:
    return draw_panel(WIDTH, height)


def _draw_row(picture: Tones, top: int, view: ResultsView, place: int, seat: int, most: int) -> None:
    points = view.points(seat)
    paste(picture, _ground_part(place, crowned=view.won and place == 1 and points > 0), (SIDE, top))
    paste(picture, _piece_part(seat, initials(view.names[seat])), (SIDE + PIECE - 50, top + ROW // 2 - 50))
    name = lettering_part(
        drawable_text(view.names[seat]), POINTS_LEFT - ROUNDS_LEFT - 20, _NAME_HEIGHT, 38, PALE, WELL, middle=False
    )
    paste(picture, name, (SIDE + ROUNDS_LEFT - 4, top + _NAME_TOP))
    for number, mark in enumerate(view.marks[seat][:ROUNDS]):
        paste(picture, _cell_part(mark.chip, mark.result), (SIDE + ROUNDS_LEFT + number * PITCH, top + _CELL_TOP))
    paste(picture, _points_part(points, seat, most), (SIDE + POINTS_LEFT, top + 8))


@lru_cache(maxsize=16)
def _ground_part(place: int, *, crowned: bool) -> Part:
    pen = Pen(ROW_WIDTH, ROW, BOARD)
    middle = ROW / 2
    if crowned:
        pen.box((0, 0, ROW_WIDTH, ROW), 28, GOLD)
        pen.box((4, 4, ROW_WIDTH - 4, ROW - 4), 24, WELL)
        _draw_crown(pen, (40, middle), 25)
        pen.text((40, middle + 7), str(place), 27, INK)
    else:
        pen.box((0, 0, ROW_WIDTH, ROW), 28, WELL)
        pen.text((40, middle), str(place), 44, PALE)
    return to_part(pen.finish())


def _piece_part(seat: int, letters: str) -> Part:
    part = _bare_piece_part(seat)
    if letters:
        _x, y = piece_heart(seat, (50, 50), _PIECE_RADIUS)
        width = 34 if seat == STAR else 52
        text = lettering_part(letters, width, 30, 30, INK, PIECES[seat], middle=True)
        picture = part.tones.copy()
        paste(picture, text, (50 - width // 2, round(y) - 15))
        part = Part(picture)
    return part


@lru_cache(maxsize=8)
def _bare_piece_part(seat: int) -> Part:
    pen = Pen(100, 100, WELL)
    draw_piece(pen, seat, (50, 50), _PIECE_RADIUS)
    return to_part(pen.finish())


@lru_cache(maxsize=256)
def _cell_part(kind: Chip | None, result: int) -> Part:
    pen = Pen(PITCH, _CELL_HEIGHT, WELL)
    middle = _CELL_HEIGHT / 2
    if kind is not None:
        draw_chip(pen, kind, (24, middle), 23)
    else:
        pen.disc((14, middle), 6, SET_EDGE)
    left = 28 if kind is None else 51
    pen.text((left, middle), format_signed(result), 32, ROSE if result <= 0 else PALE, "left", widest=PITCH - left - 9)
    return to_part(pen.finish())


@lru_cache(maxsize=128)
def _points_part(points: int, seat: int, most: int) -> Part:
    width, height = ROW_WIDTH - POINTS_LEFT - 12, ROW - 16
    pen = Pen(width, height, WELL)
    pen.text((width / 2, height / 2 - 12), str(points), 66, PALE, widest=width - 8)
    bar = height - 18
    pen.box((4, bar - 6, width - 4, bar + 6), 6, CELL)
    if points:
        pen.box((4, bar - 6, 4 + max(12.0, (width - 8) * points / most), bar + 6), 6, PIECES[seat])
    return to_part(pen.finish())


def _draw_track(picture: Tones, top: int, view: ResultsView) -> None:
    """Draw the track of every round as a lane: how far each piece came; below the line those that were not placed."""
    highest = max(LAP, -(-view.highest // STEP) * STEP)
    seats = tuple(sorted(seat for _place, seat in view.order))
    rounds = max(len(view.marks[seat]) for seat in seats)
    paste(picture, _lanes_ground_part(highest, rounds), (SIDE, top + HEADER - 54))
    for number in range(rounds):
        marks = tuple((seat, view.marks[seat][number]) for seat in seats if number < len(view.marks[seat]))
        left = SIDE + ROUNDS_LEFT + number * PITCH
        paste(picture, _lane_part(marks, highest, len(seats)), (left, top + HEADER))


def _height(position: int, highest: int) -> float:
    """Return the distance of a position from the top of a lane."""
    bottom, top = LANES - _LANE_SIDE - 26, _LANE_SIDE
    return bottom - position / highest * (bottom - top)


def _steps(highest: int) -> range:
    return range(0, highest + 1, STEP if highest <= 4 * STEP else 2 * STEP)


@lru_cache(maxsize=16)
def _lanes_ground_part(highest: int, rounds: int) -> Part:
    pen = Pen(ROW_WIDTH, LANES + 54, BOARD)
    for number in range(rounds):
        pen.text((ROUNDS_LEFT + number * PITCH + _LANE_WIDTH / 2, 30), str(number + 1), 34, MUTED)
    for position in _steps(highest)[1:]:
        pen.text((ROUNDS_LEFT - 16, 54 + _height(position, highest)), str(position), 30, MUTED, "right")
    return to_part(pen.finish())


@lru_cache(maxsize=64)
def _lane_part(marks: tuple[tuple[int, Mark], ...], highest: int, seats: int) -> Part:
    pen = Pen(_LANE_WIDTH, LANES, BOARD)
    pen.box((0, 0, _LANE_WIDTH, LANES), 20, WELL)
    for position in _steps(highest):
        y = _height(position, highest)
        pen.box((8, y - 1, _LANE_WIDTH - 8, y + 1), 0, CELL_TEN)
    pitch = (_LANE_WIDTH - 10) / seats
    radius = min(pitch / 2 - 0.5, 15.0)
    for at, (seat, mark) in enumerate(marks):
        x = 5 + pitch * (at + 0.5)
        if mark.position is None:
            draw_hollow_piece(pen, seat, (x, LANES - 20), radius, WELL)
            continue
        y = _height(mark.position, highest)
        pen.box((x - radius * 0.3, y, x + radius * 0.3, _height(0, highest)), 0, PIECES[seat])
        draw_piece(pen, seat, (x, y), radius)
    return to_part(pen.finish())


def _draw_crown(pen: Pen, centre: Point, radius: float) -> None:
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
