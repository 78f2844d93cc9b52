"""The seats of a board beside each other: the piece, the result, the chip that it would win, the chips so far."""

from collections.abc import Iterator
from functools import lru_cache

from bot.ui.pictures.colours import AMBER, BOARD, CHIP_COLOURS, GOLD, PALE, RIM, ROSE, WELL
from bot.ui.pictures.parts import Part, Placed, move_parts, to_part
from bot.ui.pictures.pen import LETTERING, WIDTH, Pen, label_part
from bot.ui.pictures.shapes import draw_bars, draw_chip, draw_piece
from bot.ui.pictures.track import MARGIN
from bot.ui.pictures.views import BoardView, Measure, SeatView
from bot.ui.text import format_signed
from highscore.deck import ROUNDS
from highscore.track import Chip

SEATS_WIDTH, SEAT_HEIGHT = WIDTH - 2 * MARGIN, 98
SEAT_GAP = 10
_MIDDLE = 37
"""The middle of the piece and the result; below them are the chips so far."""
_RADIUS = 28
_STEP = 62
_BOTTOM = SEAT_HEIGHT - 8
"""The lower edge of the chips so far."""
_COIN, _STACK = 6, 20
"""The height of a coin, and of three with a pixel between them."""
_WIDEST_SLOT = 36
_BARS_LEFT, _BARS_TOP, _BAR_PITCH = 636, 12, 48


def seats_parts(view: BoardView) -> Iterator[Placed]:
    seats = view.seats_here
    if view.measure is not None and len(seats) == 1:
        yield from _alone_parts(seats[0], view.measure, view.worth)
        return
    width = (SEATS_WIDTH - SEAT_GAP * (len(seats) - 1)) / len(seats)
    for at, seat in enumerate(seats):
        on_turn = seat == view.on_turn
        left = round(at * (width + SEAT_GAP))
        parts = _seat_parts(seat, view.seats[seat], view, round(width), on_turn=on_turn)
        yield from move_parts(parts, (left, 0))


def _seat_parts(seat: int, seat_view: SeatView, view: BoardView, width: int, *, on_turn: bool) -> Iterator[Placed]:
    """Yield the parts of a seat's box: its piece while that is not on the track, the result, the chip."""
    placed = seat_view.placement
    result = placed.result if placed is not None else view.worth if on_turn else None
    # A piece is full until it is on the track.
    away = placed is not None and (placed.position is not None or placed.result <= 0)
    chip = view.stake if on_turn and placed is None else None
    waiting = placed is not None and placed.waiting
    parts = 1 + (result is not None) + (waiting or chip is not None)
    box = _seat_part(seat, chip, parts, width, view.rounds, on_turn=on_turn, away=away, waiting=waiting)
    yield box, 0, 0
    if result is not None:
        x = width / 2 - _STEP * (parts - 3) / 2
        colour = ROSE if result <= 0 else PALE
        yield label_part((x, _MIDDLE), format_signed(result), LETTERING + 5, colour, WELL, _STEP + 20)
    for number, won in enumerate(seat_view.chips):
        if won is not None:
            left, right = _slot(number, width, view.rounds)
            yield _stack_part(won, right - left), left, _BOTTOM - _STACK


def _slot(number: int, width: int, rounds: int) -> tuple[int, int]:
    """Return the left and right edge, in a box of that width, of the place for the chip of a round, from 0."""
    slot = min(_WIDEST_SLOT, (width - 30) // rounds)
    left = (width - rounds * slot) // 2 + number * slot
    return left + 3, left + slot - 3


@lru_cache(maxsize=256)
def _seat_part(
    seat: int, chip: Chip | None, parts: int, width: int, rounds: int, *, on_turn: bool, away: bool, waiting: bool
) -> Part:
    """Draw a seat's box with room for ``parts`` beside each other: the piece, the result, the chip."""
    pen = Pen(width, SEAT_HEIGHT, BOARD)
    pen.box((0, 0, width, SEAT_HEIGHT), 12, AMBER if on_turn else WELL)
    if on_turn:
        pen.box((5, 5, width - 5, SEAT_HEIGHT - 5), 8, WELL)
    x = width / 2 - _STEP * (parts - 1) / 2
    draw_piece(pen, seat, (x, _MIDDLE), _RADIUS - (3 if away else 0), WELL if away else None)
    last = x + _STEP * (parts - 1)
    if waiting:
        pen.text((last, _MIDDLE), "<1", LETTERING, PALE)
    elif chip is not None:
        draw_chip(pen, chip, (last, _MIDDLE), _RADIUS)
    for number in range(rounds):
        start, end = _slot(number, width, rounds)
        pen.box((start, _BOTTOM - 3, end, _BOTTOM), 0, RIM)
    return to_part(pen.finish())


@lru_cache(maxsize=32)
def _stack_part(chip: Chip, width: int) -> Part:
    """Draw a chip so far as a stack of as many coins as it has points."""
    pen = Pen(width, _STACK, WELL)
    for coin in range(chip.points):
        bottom = _STACK - coin * (_COIN + 1)
        pen.box((0, bottom - _COIN, width, bottom), 0, CHIP_COLOURS[chip][0])
    return to_part(pen.finish())


def _alone_parts(seat: int, measure: Measure, worth: int | None) -> Iterator[Placed]:
    """Yield the parts of the only box: the piece, the result, the sum and the par so far, a bar for each card."""
    yield _alone_part(seat), 0, 0
    middle = SEAT_HEIGHT / 2
    if worth is not None:
        yield label_part((162, middle), format_signed(worth), 60, ROSE if worth <= 0 else PALE, WELL)
    if measure.cards:
        colour = GOLD if measure.total >= measure.par else PALE
        yield label_part((_BARS_LEFT / 2 + 110, middle), f"{measure.total} / {measure.par:.0f}", 60, colour, WELL)
    # Shares to a twentieth of the average, two pixels, are few enough to be kept.
    shares: list[float | None] = [round(20 * points / max(average, 1)) / 20 for points, average in measure.cards]
    shares += [None] * (ROUNDS - len(shares))
    for number, share in enumerate(shares):
        yield _bar_part(share), _BARS_LEFT + number * _BAR_PITCH, _BARS_TOP


@lru_cache(maxsize=8)
def _alone_part(seat: int) -> Part:
    """Draw the box with the piece."""
    pen = Pen(SEATS_WIDTH, SEAT_HEIGHT, BOARD)
    pen.box((0, 0, SEATS_WIDTH, SEAT_HEIGHT), 12, AMBER)
    pen.box((5, 5, SEATS_WIDTH - 5, SEAT_HEIGHT - 5), 8, WELL)
    draw_piece(pen, seat, (56, SEAT_HEIGHT / 2), _RADIUS)
    return to_part(pen.finish())


@lru_cache(maxsize=64)
def _bar_part(share: float | None) -> Part:
    """Draw the bar of a card with the line of par: ``share`` is of the card's average, None while it is to come."""
    box = (0, 0, _BAR_PITCH, SEAT_HEIGHT - 14 - _BARS_TOP)
    pen = Pen(_BAR_PITCH, round(box[3]), WELL)
    draw_bars(pen, (share,), box, 32)
    return to_part(pen.finish())
