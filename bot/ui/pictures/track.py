"""The track: thirty spaces around the board, clockwise from the upper left, with the pieces on them."""

from collections.abc import Iterable
from functools import lru_cache

from PIL import Image

from bot.ui.pictures.colours import BOARD, CELL, CELL_TEN, DIM, INK, PALE, indexed
from bot.ui.pictures.frame import panel
from bot.ui.pictures.pen import Pen, Point
from bot.ui.pictures.shapes import CHIP_COLOURS, STAR, hollow_piece, piece, piece_heart
from highscore.track import LAP, Chip

MARGIN = 20
SPACE = 100
"""A space of the track with the gap around it, in pixels."""
GAP = 6
ACROSS, DOWN = 10, 7
BOARD_WIDTH = 2 * MARGIN + ACROSS * SPACE
BOARD_HEIGHT = 2 * MARGIN + DOWN * SPACE
"""In pixels."""

_TILE = SPACE - GAP
_TILE_RADIUS = 18
_NUMBER = 38

_PLACES: dict[int, tuple[tuple[Point, ...], float]] = {
    2: (((0.31, 0.35), (0.69, 0.46)), 24),
    3: (((0.29, 0.31), (0.71, 0.31), (0.5, 0.71)), 20),
    4: (((0.29, 0.29), (0.71, 0.29), (0.29, 0.71), (0.71, 0.71)), 20),
    5: (((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)), 17),
}
"""Where pieces that share a space stand, as shares of the tile, and their radius in pixels."""

Standing = tuple[int, int, Chip | None, bool]
"""On a space: seat, position (31 is space 1 with the marker), chip, and whether the piece is placed yet."""


def space_corner(space: int) -> tuple[int, int]:
    """The upper left corner of a space's tile on the board, 1 to 30, in pixels."""
    step = space - 1
    right, bottom = ACROSS - 1, DOWN - 1
    if step <= right:
        column, row = step, 0
    elif step <= right + bottom:
        column, row = right, step - right
    elif step <= 2 * right + bottom:
        column, row = 2 * right + bottom - step, bottom
    else:
        column, row = 0, 2 * (right + bottom) - step
    return MARGIN + column * SPACE + GAP // 2, MARGIN + row * SPACE + GAP // 2


@lru_cache(maxsize=1)
def empty_track() -> Image.Image:
    """The board without anything on it. Not to be changed: it is kept."""
    board = panel(BOARD_WIDTH, BOARD_HEIGHT)
    for space in range(1, LAP + 1):
        board.paste(tile(space, ()), space_corner(space))
    return board


@lru_cache(maxsize=512)
def tile(space: int, standing: tuple[Standing, ...]) -> Image.Image:
    """A space with what stands on it. Not to be changed: it is kept."""
    pen = Pen(_TILE, _TILE, BOARD)
    ground = CELL_TEN if space % 10 == 0 else CELL
    chips = [chip for _seat, _position, chip, placed in standing if chip is not None and placed]
    pen.box((0, 0, _TILE, _TILE), _TILE_RADIUS, ground)
    if chips:
        best = max(chips, key=lambda chip: chip.points)
        pen.box((0, 0, _TILE, _TILE), _TILE_RADIUS, None, CHIP_COLOURS[best][0], 6)
    if not standing:
        pen.text((_TILE / 2, _TILE / 2), str(space), _NUMBER, PALE if space % 10 == 0 else DIM)
    elif len(standing) == 1:
        _one(pen, standing[0], ground)
    else:
        _several(pen, standing, ground)
    return indexed(pen.finish())


def _one(pen: Pen, standing: Standing, ground: str) -> None:
    seat, position, chip, placed = standing
    laps = (position - 1) // LAP
    framed = chip is not None and placed
    centre = (_TILE / 2, _TILE / 2 - (8 if laps else 0))
    radius = (33 if framed else 36) if laps else (36 if framed else 41)
    if placed:
        piece(pen, seat, centre, radius, text=str(position), text_size=radius * 0.94)
    else:
        hollow_piece(pen, seat, centre, radius, ground)
        where = piece_heart(seat, centre, radius)
        pen.text(where, str(position), radius * 0.80, PALE, widest=radius * (0.92 if seat == STAR else 1.1))
    if laps:
        marker(pen, (_TILE / 2, _TILE - 18), laps, 27)


def marker(pen: Pen, centre: Point, laps: int, height: float) -> None:
    """The 30+ marker: a tag that says how much is to be added to the number of the space."""
    tag(pen, centre, f"{LAP * laps}+", height)


def tag(pen: Pen, centre: Point, text: str, height: float) -> None:
    """A small light label."""
    x, y = centre
    half = height * 1.22
    pen.box((x - half, y - height / 2, x + half, y + height / 2), height / 2, INK)
    pen.box((x - half + 2, y - height / 2 + 2, x + half - 2, y + height / 2 - 2), height / 2, PALE)
    pen.text(centre, text, height * 0.86, INK, widest=half * 1.7)


def _several(pen: Pen, standing: tuple[Standing, ...], ground: str) -> None:
    """Different results can share a space: 7, 37 and 67 all stand on space 7 (R5.2). Their numbers tell the laps."""
    places, radius = _PLACES[len(standing)]
    for (x, y), (seat, position, _chip, placed) in zip(places, standing, strict=True):
        centre = (_TILE * x, _TILE * y)
        if placed:
            piece(pen, seat, centre, radius, text=str(position), text_size=radius)
        else:
            hollow_piece(pen, seat, centre, radius, ground)
    if len(standing) == 2:
        laps = (standing[1][1] - 1) // LAP
        marker(pen, (_TILE * 0.67, _TILE * 0.83), laps, 23)


def by_space(standings: Iterable[Standing]) -> dict[int, tuple[Standing, ...]]:
    """What stands on each space, lowest position first."""
    spaces: dict[int, list[Standing]] = {}
    for standing in sorted(standings, key=lambda each: (each[1], each[0])):
        spaces.setdefault((standing[1] - 1) % LAP + 1, []).append(standing)
    return {space: tuple(each) for space, each in spaces.items()}
