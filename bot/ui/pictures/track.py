"""The track: thirty spaces around the board, clockwise from the upper left, with the pieces on them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from bot.ui.pictures.colours import BOARD, CELL, CELL_TEN, CHIP_COLOURS, DIM, INK, PALE, PIECES, to_part
from bot.ui.pictures.frame import draw_panel
from bot.ui.pictures.label import label_part
from bot.ui.pictures.parts import Corner, Part, Placed, Tones, paste
from bot.ui.pictures.pen import Pen, Point
from bot.ui.pictures.shapes import STAR, draw_hollow_piece, draw_piece, piece_heart
from highscore.track import LAP, Chip

MARGIN = 20
SPACE = 100
"""The side of a space of the track with the gap around it, in pixels."""
GAP = 6
ACROSS, DOWN = 10, 7
BOARD_WIDTH = 2 * MARGIN + ACROSS * SPACE
BOARD_HEIGHT = 2 * MARGIN + DOWN * SPACE

_TILE = SPACE - GAP
_TILE_RADIUS = 18
_NUMBER = 38

_CENTRES: dict[int, tuple[tuple[Point, ...], float]] = {
    2: (((0.31, 0.35), (0.69, 0.46)), 24),
    3: (((0.29, 0.31), (0.71, 0.31), (0.5, 0.71)), 20),
    4: (((0.29, 0.29), (0.71, 0.29), (0.29, 0.71), (0.71, 0.71)), 20),
    5: (((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)), 17),
}
"""The centres of pieces that share a space, as shares of the tile, and the radius of a piece in pixels."""


class PieceView(NamedTuple):
    """A piece on a space of the track."""

    seat: int
    position: int
    """The position, 1 or more: 31 is space 1 with the marker."""
    chip: Chip | None = None
    placed: bool = True
    """False for the outline of a piece that would go there."""

    @property
    def space(self) -> int:
        return (self.position - 1) % LAP + 1

    @property
    def laps(self) -> int:
        return (self.position - 1) // LAP


def space_corner(space: int) -> Corner:
    """Return the upper left corner of a space's tile on the board, 1 to 30, in pixels."""
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


def draw_empty_track() -> Tones:
    board = draw_panel(BOARD_WIDTH, BOARD_HEIGHT)
    for space in range(1, LAP + 1):
        paste(board, _tile_part(space, ()), space_corner(space))
    return board


def tile_parts(space: int, pieces: tuple[PieceView, ...]) -> Iterator[Placed]:
    if len(pieces) != 1:
        yield _tile_part(space, pieces), 0, 0
        return
    (alone,) = pieces
    yield _tile_part_of_one(_ground(space), alone.seat, alone.laps, alone.chip, placed=alone.placed), 0, 0
    centre, radius = _stand(alone.laps, alone.chip, placed=alone.placed)
    heart = piece_heart(alone.seat, centre, radius)
    if alone.placed:
        yield label_part(heart, str(alone.position), radius * 0.94, INK, PIECES[alone.seat], radius * 1.42)
    else:
        widest = radius * (0.92 if alone.seat == STAR else 1.1)
        yield label_part(heart, str(alone.position), radius * 0.80, PALE, _ground(space), widest)


@lru_cache(maxsize=512)
def _tile_part(space: int, pieces: tuple[PieceView, ...]) -> Part:
    """Draw a space with nothing on it, or with several pieces."""
    pen = _tile_pen(_ground(space), [each.chip for each in pieces])
    if pieces:
        _draw_several(pen, pieces, _ground(space))
    else:
        pen.text((_TILE / 2, _TILE / 2), str(space), _NUMBER, PALE if space % 10 == 0 else DIM)
    return to_part(pen.finish())


@lru_cache(maxsize=256)
def _tile_part_of_one(ground: str, seat: int, laps: int, framed: Chip | None, *, placed: bool) -> Part:
    pen = _tile_pen(ground, [framed])
    centre, radius = _stand(laps, framed, placed=placed)
    if placed:
        draw_piece(pen, seat, centre, radius)
    else:
        draw_hollow_piece(pen, seat, centre, radius, ground)
    if laps:
        draw_marker(pen, (_TILE / 2, _TILE - 18), laps, 27)
    return to_part(pen.finish())


def _tile_pen(ground: str, chips: Iterable[Chip | None]) -> Pen:
    pen = Pen(_TILE, _TILE, BOARD)
    pen.box((0, 0, _TILE, _TILE), _TILE_RADIUS, ground)
    if won := [chip for chip in chips if chip is not None]:
        best = max(won, key=lambda chip: chip.points)
        pen.box((0, 0, _TILE, _TILE), _TILE_RADIUS, None, CHIP_COLOURS[best][0], 6)
    return pen


def _ground(space: int) -> str:
    return CELL_TEN if space % 10 == 0 else CELL


def _stand(laps: int, framed: Chip | None, *, placed: bool) -> tuple[Point, float]:
    """Return the centre and the radius of a piece that is alone on its space; an outline may touch the frame."""
    roomy = framed is None or not placed
    if laps:
        return (_TILE / 2, _TILE / 2 - 8), 36 if roomy else 33
    return (_TILE / 2, _TILE / 2), 41 if roomy else 36


def draw_marker(pen: Pen, centre: Point, laps: int, height: float) -> None:
    """Draw the 30+ marker: a tag that says how much to add to the number of the space."""
    draw_tag(pen, centre, f"{LAP * laps}+", height)


def draw_tag(pen: Pen, centre: Point, text: str, height: float) -> None:
    x, y = centre
    half = height * 1.22
    pen.box((x - half, y - height / 2, x + half, y + height / 2), height / 2, INK)
    pen.box((x - half + 2, y - height / 2 + 2, x + half - 2, y + height / 2 - 2), height / 2, PALE)
    pen.text(centre, text, height * 0.86, INK, widest=half * 1.7)


def _draw_several(pen: Pen, pieces: tuple[PieceView, ...], ground: str) -> None:
    """Draw several pieces: 7, 37 and 67 all stand on space 7 (R5.2). Their numbers tell the laps."""
    centres, radius = _CENTRES[len(pieces)]
    for (x, y), each in zip(centres, pieces, strict=True):
        centre = (_TILE * x, _TILE * y)
        if each.placed:
            draw_piece(pen, each.seat, centre, radius, text=str(each.position), text_size=radius)
        else:
            draw_hollow_piece(pen, each.seat, centre, radius, ground)
    if len(pieces) == 2:
        draw_marker(pen, (_TILE * 0.67, _TILE * 0.83), pieces[-1].laps, 23)


def group_by_space(pieces: Iterable[PieceView]) -> dict[int, tuple[PieceView, ...]]:
    spaces: dict[int, list[PieceView]] = {}
    for each in sorted(pieces, key=lambda each: (each.position, each.seat)):
        spaces.setdefault(each.space, []).append(each)
    return {space: tuple(each) for space, each in spaces.items()}
