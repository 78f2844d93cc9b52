"""The board of a turn: the strip, the seats, below them the track and inside it the challenge card and the dice."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from bot.ui.pictures.card import CARD_HEIGHT, CARD_WIDTH, DOTS_TOP, card_parts
from bot.ui.pictures.colours import BOARD, WELL
from bot.ui.pictures.dice_row import ROW_HEIGHT, dice_parts
from bot.ui.pictures.parts import (
    FILTER,
    Band,
    Part,
    Placed,
    Tones,
    add_filters,
    make_png,
    move_parts,
    pack,
    paste,
    to_part,
)
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.seats import seats_parts
from bot.ui.pictures.shapes import draw_chip, draw_piece
from bot.ui.pictures.strip import strip_parts
from bot.ui.pictures.track import (
    BOARD_HEIGHT,
    BOARD_WIDTH,
    MARGIN,
    SPACE_DOWN,
    TRACK_TOP,
    PieceView,
    draw_empty_track,
    group_by_space,
    mark_part,
    space_corner,
    tile_parts,
)
from bot.ui.pictures.views import BoardView, DieView, game_view
from highscore.cards import Card
from highscore.dice import Face
from highscore.game import Game
from highscore.track import Chip
from highscore.turn_order import TurnOrder

INNER_WIDTH = CARD_WIDTH
LEFT = (BOARD_WIDTH - INNER_WIDTH) // 2
_STRIP_TOP = 14
SEATS_TOP = 82
_CARD_TOP = TRACK_TOP + SPACE_DOWN + 11
DICE_TOP = _CARD_TOP + CARD_HEIGHT + 12
_CUTS = (
    0,
    SEATS_TOP - 2,
    TRACK_TOP,
    TRACK_TOP + SPACE_DOWN,
    TRACK_TOP + 2 * SPACE_DOWN,
    _CARD_TOP + DOTS_TOP - 2,
    DICE_TOP - 4,
    TRACK_TOP + 6 * SPACE_DOWN,
    BOARD_HEIGHT,
)
"""The rows at which the board is cut into bands, from the top: what changes with a roll has bands of its own."""
_CARD_PARTS = (0, 0, 0, 1, 1, 2, 0, 0)
"""The parts of the card in each band."""
_BANDS = tuple(pairwise(_CUTS))
_BAND_OF_ROW = tuple(number for number, (first, last) in enumerate(_BANDS) for _row in range(first, last))


def board_png(view: BoardView, name: str = "") -> bytes:
    """Draw the board as a PNG of 1040 x 796 pixels; ``name`` is that of its leader."""
    bands: list[list[Placed]] = [[] for _band in _BANDS]
    for placed in board_parts(view, name):
        part, _left, top = placed
        for number in range(_BAND_OF_ROW[top], _BAND_OF_ROW[top + len(part.tones) - 1] + 1):
            bands[number].append(placed)
    # The strip has a name in it, so it is not kept.
    packed = [_pack_anew(0, bands[0])]
    for number, parts in enumerate(map(tuple, bands[1:]), start=1):
        packed.append((_pack_plain_band if len(parts) <= _CARD_PARTS[number] else _pack_band)(number, parts))
    return make_png(BOARD_WIDTH, BOARD_HEIGHT, packed)


def _pack_anew(number: int, parts: Sequence[Placed], *, well: bool = False) -> Band:
    first, last = _BANDS[number]
    rows = _empty_rows()[first:last].copy()
    picture = rows[:, FILTER:]
    for part, left, top in parts:
        paste(picture, part, (left, top - first))
    return pack(rows, well=well)


_pack_band = lru_cache(maxsize=512)(_pack_anew)
"""The band of some parts, kept: between two rolls most bands stay the same."""
_pack_plain_band = lru_cache(maxsize=256)(partial(_pack_anew, well=True))
"""The band on which nothing lies but the card. There are few of them, they come again and again."""


@lru_cache(maxsize=1)
def _empty_rows() -> Tones:
    """Return the rows of the empty board. They are kept: nobody may change them."""
    return add_filters(draw_empty_track())


def board_parts(view: BoardView, name: str = "") -> Iterator[Placed]:
    """Yield the parts on the empty track; a later part covers an earlier one."""
    yield from move_parts(strip_parts(view, name), (0, _STRIP_TOP))
    for space, pieces in group_by_space(_pieces_on_track(view)).items():
        yield from move_parts(tile_parts(space, pieces), space_corner(space))
    if view.measure is not None:
        yield mark_part(view.measure.average)
        if view.measure.best is not None:
            yield mark_part(view.measure.best, own=True)
    yield from move_parts(card_parts(view.card, view.rolls_left), (LEFT, _CARD_TOP))
    yield from move_parts(seats_parts(view), (MARGIN, SEATS_TOP))
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


def keep_card(card: Card) -> None:
    """Draw a board with a card: the first one takes longer than the event loop may be held up."""
    board_png(game_view(Game(2, TurnOrder.CLOCKWISE, start_seat=0, cards=(card,))))
