"""Draws the seats of a lobby, which fill with pieces. Names are never cached."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain

from bot.ui.pictures import colours
from bot.ui.pictures.parts import Part, Placed
from bot.ui.pictures.pen import (
    GAP,
    LETTERING,
    ROW_WIDTH,
    SIDE,
    WIDTH,
    Pen,
    Point,
    framed_png,
    lettering_part,
    name_lines,
)

_WIDTH = (ROW_WIDTH - GAP) // 2
_SEAT_HEIGHT = 116
_LINE = 52
_MARK = 34
"""The radius of the symbols of a host and of a house player."""


class SeatState(Enum):
    FREE = 0
    RESERVED = 1
    TAKEN = 2


@dataclass(frozen=True, slots=True)
class SeatPlace:
    state: SeatState = SeatState.FREE
    name: str = ""
    is_house: bool = False
    is_host: bool = False


def lobby_png(seats: Sequence[SeatPlace]) -> bytes:
    """Draw the two to five seats of a lobby as a PNG 1040 pixels wide, two in a row."""
    rows = -(-len(seats) // 2)
    height = 2 * SIDE + rows * (_SEAT_HEIGHT + GAP) - GAP
    return framed_png(WIDTH, height, chain.from_iterable(_seat_parts(at, seats) for at in range(len(seats))))


def _seat_parts(at: int, seats: Sequence[SeatPlace]) -> Iterator[Placed]:
    """Yield the parts of seat ``at``. The last seat is in the middle if it is alone in its row."""
    seat = seats[at]
    is_single = at == len(seats) - 1 and at % 2 == 0
    left = (WIDTH - _WIDTH) // 2 if is_single else SIDE + at % 2 * (_WIDTH + GAP)
    top = SIDE + at // 2 * (_SEAT_HEIGHT + GAP)
    yield _seat_part(at, seat.state, is_house=seat.is_house, is_host=seat.is_host), left, top
    marked = seat.is_house or seat.is_host
    room = _WIDTH - _SEAT_HEIGHT - (2 * _MARK + 24 if marked else 12)
    lines = name_lines(seat.name, room) if seat.name else ()
    top += (_SEAT_HEIGHT - len(lines) * _LINE) // 2
    for text in lines:
        ink = colours.PALE if seat.state is SeatState.TAKEN else colours.MUTED
        yield lettering_part(text, room, _LINE, LETTERING, ink, colours.WELL, middle=False), left + _SEAT_HEIGHT, top
        top += _LINE


@lru_cache(maxsize=64)
def _seat_part(at: int, state: SeatState, *, is_house: bool, is_host: bool) -> Part:
    """Draw a seat without its name: a full piece if it is taken, an outline and an amber edge if it is reserved."""
    pen = Pen(_WIDTH, _SEAT_HEIGHT)
    box, middle = (0, 0, _WIDTH, _SEAT_HEIGHT), _SEAT_HEIGHT / 2
    ground = colours.BOARD if state is SeatState.FREE else colours.WELL
    pen.box(
        box, 28, ground, {SeatState.FREE: colours.CELL, SeatState.RESERVED: colours.AMBER}.get(state, colours.WELL), 4
    )
    centre = (middle + 4, middle)
    if state is SeatState.FREE:
        pen.disc(centre, 44, colours.WELL, colours.RIM, 3)
    else:
        pen.piece(at, centre, 42, None if state is SeatState.TAKEN else colours.WELL)
    mark = (_WIDTH - _MARK - 16, middle)
    if is_house:
        _draw_robot(pen, mark, _MARK)
    elif is_host:
        _draw_key(pen, mark, _MARK)
    return pen.to_part()


def _draw_robot(pen: Pen, centre: Point, radius: float) -> None:
    """Draw the symbol of a house player: the head of a robot."""
    x, y = centre
    pen.stroke([(x, y - radius * 0.4), (x, y - radius * 0.85)], colours.MUTED, radius * 0.14)
    pen.disc((x, y - radius * 0.85), radius * 0.17, colours.AMBER)
    for side in (-1, 1):
        pen.box(
            (x + side * radius * 0.9 - 4, y - radius * 0.1, x + side * radius * 0.9 + 4, y + radius * 0.5),
            4,
            colours.MUTED,
        )
    pen.box((x - radius * 0.8, y - radius * 0.5, x + radius * 0.8, y + radius * 0.85), radius * 0.28, colours.MUTED)
    for side in (-1, 1):
        pen.disc((x + side * radius * 0.34, y), radius * 0.17, colours.INK)
    pen.box((x - radius * 0.4, y + radius * 0.36, x + radius * 0.4, y + radius * 0.52), radius * 0.08, colours.INK)


def _draw_key(pen: Pen, centre: Point, radius: float) -> None:
    """Draw the symbol of the host, who starts the game: a key."""
    x, y = centre
    pen.disc((x, y - radius * 0.42), radius * 0.46, None, colours.IVORY, radius * 0.22)
    pen.stroke([(x, y), (x, y + radius * 0.86)], colours.IVORY, radius * 0.2)
    for down in (0.46, 0.8):
        pen.stroke([(x, y + radius * down), (x + radius * 0.34, y + radius * down)], colours.IVORY, radius * 0.18)
