"""The board of a turn: the track around it, inside the challenge card, the seats and the seven dice."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from bot.ui.pictures.card import CARD_HEIGHT, CARD_WIDTH, DOTS_TOP, card_parts
from bot.ui.pictures.colours import AMBER, BOARD, PALE, ROSE, WELL, to_part
from bot.ui.pictures.dice_row import ROW_HEIGHT, dice_parts
from bot.ui.pictures.label import label_part
from bot.ui.pictures.parts import Part, Placed, Tones, move_parts, paste
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.png import FILTER, Band, add_filters, make_png, pack
from bot.ui.pictures.shapes import draw_chip as draw_chip
from bot.ui.pictures.shapes import draw_hollow_piece, draw_piece
from bot.ui.pictures.track import (
    BOARD_HEIGHT,
    BOARD_WIDTH,
    MARGIN,
    SPACE,
    PieceView,
    draw_empty_track,
    draw_tag,
    group_by_space,
    space_corner,
    tile_parts,
)
from bot.ui.pictures.views import BoardView, DieView, SeatView
from bot.ui.text import format_signed
from highscore.dice import Face
from highscore.track import Chip

LEFT = MARGIN + SPACE + 12
INNER_WIDTH = CARD_WIDTH
_CARD_TOP = LEFT
SEATS_TOP = _CARD_TOP + CARD_HEIGHT + 14
SEAT_HEIGHT = 78
SEAT_GAP = 10
DICE_TOP = SEATS_TOP + SEAT_HEIGHT + 8
_CUTS = (
    0,
    MARGIN + SPACE,
    MARGIN + 2 * SPACE,
    _CARD_TOP + DOTS_TOP - 2,
    SEATS_TOP - 7,
    DICE_TOP - 4,
    MARGIN + 6 * SPACE,
    BOARD_HEIGHT,
)
"""The rows at which the board is cut into bands, from the top: what changes with a roll has bands of its own."""
_BANDS = tuple(pairwise(_CUTS))
_BAND_OF_ROW = tuple(number for number, (first, last) in enumerate(_BANDS) for _row in range(first, last))


def board_png(view: BoardView) -> bytes:
    """Draw the board as a PNG of 1040 x 740 pixels."""
    bands: list[list[Placed]] = [[] for _band in _BANDS]
    for placed in board_parts(view):
        part, _left, top = placed
        for number in range(_BAND_OF_ROW[top], _BAND_OF_ROW[top + len(part.tones) - 1] + 1):
            bands[number].append(placed)
    return make_png(BOARD_WIDTH, BOARD_HEIGHT, [_pack_band(number, tuple(parts)) for number, parts in enumerate(bands)])


@lru_cache(maxsize=512)
def _pack_band(number: int, parts: tuple[Placed, ...]) -> Band:
    """Pack a band of the board. It is kept by its parts: between two rolls most bands stay the same."""
    first, last = _BANDS[number]
    rows = _empty_rows()[first:last].copy()
    picture = rows[:, FILTER:]
    for part, left, top in parts:
        paste(picture, part, (left, top - first))
    return pack(rows)


@lru_cache(maxsize=1)
def _empty_rows() -> Tones:
    """Return the rows of the empty board. They are kept: nobody may change them."""
    return add_filters(draw_empty_track())


def board_parts(view: BoardView) -> Iterator[Placed]:
    """Yield the parts on the empty track; a later part covers an earlier one."""
    for space, pieces in group_by_space(_pieces_on_track(view)).items():
        yield from move_parts(tile_parts(space, pieces), space_corner(space))
    yield from move_parts(card_parts(view.card, view.rolls_left), (LEFT, _CARD_TOP))
    width = (INNER_WIDTH - SEAT_GAP * (len(view.seats_here) - 1)) / len(view.seats_here)
    for at, seat in enumerate(view.seats_here):
        seat_view = view.seats[seat]
        left = round(LEFT + at * (width + SEAT_GAP))
        worth = view.worth if seat == view.on_turn else None
        if seat == view.on_turn and seat_view.placement is None:
            seat_view = replace(seat_view, chip=view.stake)
        if not view.dice:
            seat_view = replace(seat_view, chip=None)  # The chips get the room of the dice.
        parts = _seat_parts(seat, seat_view, worth, round(width), on_turn=seat == view.on_turn)
        yield from move_parts(parts, (left, SEATS_TOP))
    yield from move_parts(dice_parts(view.dice), (LEFT, DICE_TOP))
    if not view.dice:
        won = ((seat.chip, at) for at, seat in enumerate(view.seats) if seat.chip is not None)
        if best_first := sorted(won, key=lambda each: -each[0].points):
            yield _podium_part(tuple(best_first)), LEFT, DICE_TOP


def _pieces_on_track(view: BoardView) -> Iterator[PieceView]:
    for placed in view.placements:
        if placed.position is not None:
            yield PieceView(placed.seat, placed.position, view.seats[placed.seat].chip)
    if view.on_turn is not None and view.aim is not None and view.seats[view.on_turn].placement is None:
        yield PieceView(view.on_turn, view.aim, view.stake, placed=False)


def _seat_parts(seat: int, seat_view: SeatView, worth: int | None, width: int, *, on_turn: bool) -> Iterator[Placed]:
    """Yield the parts of a seat's box: its piece while that is not on the track, the result, the chip."""
    placed = seat_view.placement
    result = worth if placed is None else placed.result
    away = placed is not None and (placed.position is not None or placed.result <= 0)
    waiting = placed is not None and placed.waiting
    parts = 1 + (result is not None) + (seat_view.chip is not None)
    box = _seat_part(seat, seat_view.chip, parts, width, on_turn=on_turn, away=away, waiting=waiting)
    yield box, 0, 0
    if result is not None:
        step = _step(parts, width)
        colour = ROSE if result <= 0 else PALE
        x = width / 2 - step * (parts - 3) / 2
        yield label_part((x, SEAT_HEIGHT / 2), format_signed(result), 40 if parts == 2 else 36, colour, WELL, step)


@lru_cache(maxsize=256)
def _seat_part(
    seat: int, chip: Chip | None, parts: int, width: int, *, on_turn: bool, away: bool, waiting: bool
) -> Part:
    """Draw a seat's box with room for ``parts`` beside each other: the piece, the result, the chip."""
    pen = Pen(width, SEAT_HEIGHT, BOARD)
    pen.box((0, 0, width, SEAT_HEIGHT), 24, AMBER if on_turn else WELL)
    if on_turn:
        pen.box((5, 5, width - 5, SEAT_HEIGHT - 5), 19, WELL)
    middle, step = SEAT_HEIGHT / 2, _step(parts, width)
    x = width / 2 - step * (parts - 1) / 2
    radius = min(27.0, step * 0.46)
    if away:
        draw_hollow_piece(pen, seat, (x, middle), radius - 3, WELL)
    else:
        draw_piece(pen, seat, (x, middle), radius)
    if waiting:
        draw_tag(pen, (x, SEAT_HEIGHT - 17), "<1", 25)
    if chip is not None:
        draw_chip(pen, chip, (x + step * (parts - 1), middle), radius)
    return to_part(pen.finish())


def _step(parts: int, width: int) -> float:
    return min(58.0, (width - 14) / parts)


@lru_cache(maxsize=16)
def _podium_part(won: tuple[tuple[Chip, int], ...]) -> Part:
    pen = Pen(INNER_WIDTH, ROW_HEIGHT, BOARD)
    width = min(INNER_WIDTH / len(won), 270)
    left = (INNER_WIDTH - width * len(won)) / 2
    middle = ROW_HEIGHT / 2
    for kind, seat in won:
        pen.box((left + 8, 10, left + width - 8, ROW_HEIGHT - 10), 32, WELL)
        draw_chip(pen, kind, (left + width / 2 - 56, middle), 52)
        draw_piece(pen, seat, (left + width / 2 + 56, middle), 46)
        left += width
    return to_part(pen.finish())


def warm_up() -> None:
    """Draw the parts every table needs, so that the first picture comes as quickly as the later ones."""
    _empty_rows()
    for points in (None, -1, 0, 1):
        for face in (None, *Face):
            list(dice_parts((DieView(face, points=points),)))
