"""The track: thirty spaces around the board, clockwise from the upper left, with the pieces on them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from bot.ui.pictures.colours import AMBER, CELL, CELL_TEN, CHIP_COLOURS, DIM, INK, PALE, PIECES
from bot.ui.pictures.parts import Corner, Part, Placed, Tones, cut_out, paste
from bot.ui.pictures.pen import LETTERING, Pen, Point, draw_panel, label_part, piece_middle
from highscore.track import LAP, Chip

MARGIN = 20
SPACE, SPACE_DOWN = 100, 84
"""The width and the height of a space of the track with the gap around it, in pixels."""
GAP = 6
_ACROSS, _DOWN = 10, 7
TRACK_TOP = 188
"""The upper edge of the track, in pixels: above it are the strip and the seats."""
BOARD_WIDTH = 2 * MARGIN + _ACROSS * SPACE
BOARD_HEIGHT = TRACK_TOP + _DOWN * SPACE_DOWN + MARGIN

_TILE_WIDTH, _TILE_HEIGHT = SPACE - GAP, SPACE_DOWN - GAP
_MIDDLE = _TILE_WIDTH / 2, _TILE_HEIGHT / 2
_TILE_RADIUS = 3
_HALO = 2
"""The edge of a piece is covered for this many pixels around its number."""

_CENTRES: dict[int, tuple[tuple[Point, ...], float]] = {
    2: (((0.27, 0.43), (0.73, 0.43)), 21),
    3: (((0.25, 0.29), (0.75, 0.29), (0.5, 0.66)), 15),
    4: (((0.27, 0.26), (0.73, 0.26), (0.27, 0.73), (0.73, 0.73)), 14),
    5: (((0.2, 0.26), (0.8, 0.26), (0.5, 0.5), (0.2, 0.73), (0.8, 0.73)), 13),
}
"""The centres of pieces that share a space, as shares of the tile, and the radius of a piece in pixels."""


class PieceView(NamedTuple):
    seat: int
    position: int
    """The position, 1 or more: 31 is space 1 with the marker."""
    chip: Chip | None = None
    placed: bool = True
    """False for the outline of a piece that would stand there."""

    @property
    def space(self) -> int:
        return (self.position - 1) % LAP + 1

    @property
    def laps(self) -> int:
        return (self.position - 1) // LAP


def space_corner(space: int) -> Corner:
    """Return the upper left corner of a space's tile (1 to 30) on the board, in pixels."""
    step = space - 1
    right, bottom = _ACROSS - 1, _DOWN - 1
    if step <= right:
        column, row = step, 0
    elif step <= right + bottom:
        column, row = right, step - right
    elif step <= 2 * right + bottom:
        column, row = 2 * right + bottom - step, bottom
    else:
        column, row = 0, 2 * (right + bottom) - step
    return MARGIN + column * SPACE + GAP // 2, TRACK_TOP + row * SPACE_DOWN + GAP // 2


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
    centre, radius = _find_place(alone.laps, alone.chip, placed=alone.placed)
    ink, ground = (INK, PIECES[alone.seat]) if alone.placed else (PALE, _ground(space))
    heart = piece_middle(alone.seat, centre, radius)
    yield label_part(heart, str(alone.position), LETTERING, ink, ground, _TILE_WIDTH - 14, halo=_HALO)


@lru_cache(maxsize=512)
def _tile_part(space: int, pieces: tuple[PieceView, ...]) -> Part:
    """Draw a space with nothing on it, or with several pieces."""
    pen = _tile_pen(_ground(space), [each.chip for each in pieces])
    if pieces:
        _draw_several(pen, pieces, _ground(space))
    else:
        pen.text(_MIDDLE, str(space), LETTERING, PALE if space % 10 == 0 else DIM)
    return pen.to_part()


@lru_cache(maxsize=256)
def _tile_part_of_one(ground: str, seat: int, laps: int, framed: Chip | None, *, placed: bool) -> Part:
    pen = _tile_pen(ground, [framed])
    centre, radius = _find_place(laps, framed, placed=placed)
    pen.piece(seat, centre, radius, None if placed else ground)
    _draw_marker(pen, (_MIDDLE[0], _TILE_HEIGHT - 9), laps)
    return pen.to_part()


def _tile_pen(ground: str, chips: Iterable[Chip | None]) -> Pen:
    pen = Pen(_TILE_WIDTH, _TILE_HEIGHT)
    pen.box((0, 0, _TILE_WIDTH, _TILE_HEIGHT), _TILE_RADIUS, ground)
    if won := [chip for chip in chips if chip is not None]:
        best = max(won, key=lambda chip: chip.points)
        pen.box((0, 0, _TILE_WIDTH, _TILE_HEIGHT), _TILE_RADIUS, None, CHIP_COLOURS[best][0], 6)
    return pen


def _ground(space: int) -> str:
    return CELL_TEN if space % 10 == 0 else CELL


def _find_place(laps: int, framed: Chip | None, *, placed: bool) -> tuple[Point, float]:
    """Return the centre and the radius of a piece that is alone on its space.

    A piece is smaller if the space has a chip's frame, but an outline may touch the frame.
    """
    radius = 35 if framed is None or not placed else 33
    return ((_MIDDLE[0], _MIDDLE[1] - 7), radius - 5) if laps else (_MIDDLE, radius)


def _draw_marker(pen: Pen, centre: Point, laps: int) -> None:
    """Draw the 30+ marker, a tag with a pip for each completed lap. Draw nothing in the first lap."""
    if not laps:
        return
    x, y = centre
    half = 10 + 6 * laps
    pen.box((x - half, y - 8, x + half, y + 8), 8, INK)
    pen.box((x - half + 2, y - 6, x + half - 2, y + 6), 6, PALE)
    for lap in range(laps):
        pen.disc((x + 12 * (lap - (laps - 1) / 2), y), 4, INK)


def _draw_several(pen: Pen, pieces: tuple[PieceView, ...], ground: str) -> None:
    """Draw pieces that share a space: 7, 37 and 67 are all space 7 (R5.2). Their markers show the laps."""
    centres, radius = _CENTRES[len(pieces)]
    for (x, y), each in zip(centres, pieces, strict=True):
        centre = (_TILE_WIDTH * x, _TILE_HEIGHT * y)
        pen.piece(each.seat, centre, radius, None if each.placed else ground)
        _draw_marker(pen, (centre[0], centre[1] + radius + 4), each.laps)


def group_by_space(pieces: Iterable[PieceView]) -> dict[int, tuple[PieceView, ...]]:
    spaces: dict[int, list[PieceView]] = {}
    for each in sorted(pieces, key=lambda each: (each.position, each.seat)):
        spaces.setdefault(each.space, []).append(each)
    return {space: tuple(each) for space, each in spaces.items()}


def measure_part(result: float, *, own: bool = False) -> Placed:
    """Place a sign on the space of a result: a flag for an average, a hollow crown for the player's ``own`` best."""
    shown = PieceView(0, max(round(result), 1))
    left, top = space_corner(shown.space)
    return _measure_part(_ground(shown.space), shown.laps, own=own), left, top


@lru_cache(maxsize=16)
def _measure_part(ground: str, laps: int, *, own: bool) -> Part:
    pen = Pen(_TILE_WIDTH, _TILE_HEIGHT, ground)
    if own:
        pen.crown((_TILE_WIDTH - 26, 15), 21, ground)
    else:
        for colour, grow in ((INK, 6), (AMBER, 0)):
            pen.stroke([(8, 8), (8, _TILE_HEIGHT - 8)], colour, 6 + grow)
            pennant = [(9, 8), (40, 18), (9, 28)]
            pen.shape(pennant, colour)
            pen.stroke([*pennant, pennant[0]], colour, grow)
    _draw_marker(pen, (_MIDDLE[0], _TILE_HEIGHT - 9), laps)
    return cut_out(pen.to_part())
