"""The board of a turn: the track around it, inside the challenge card, the seats and the seven dice."""

from dataclasses import replace
from functools import lru_cache

from PIL import Image

from bot.ui.pictures.card import CARD_HEIGHT, CARD_WIDTH, card_picture
from bot.ui.pictures.colours import AMBER, BOARD, MINT, MUTED, PALE, ROSE, SET_EDGE, WELL, indexed
from bot.ui.pictures.dice import Look, die, look_of
from bot.ui.pictures.frame import png
from bot.ui.pictures.label import write
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.shapes import chip as draw_chip
from bot.ui.pictures.shapes import hollow_piece, piece
from bot.ui.pictures.track import MARGIN, SPACE, Standing, by_space, empty_track, space_corner, tag, tile
from bot.ui.pictures.views import BoardView, DieView, SeatView
from bot.ui.text import signed
from highscore.dice import DICE, Face
from highscore.track import Chip

LEFT = MARGIN + SPACE + 12
INNER_WIDTH = CARD_WIDTH
_CARD_TOP = LEFT
SEATS_TOP = _CARD_TOP + CARD_HEIGHT + 14
SEAT_HEIGHT = 78
SEAT_GAP = 10
DICE_TOP = SEATS_TOP + SEAT_HEIGHT + 14
DICE_HEIGHT = 164
_DIE = 94
_LIFT = 12
_PITCH = INNER_WIDTH / DICE


def board_png(view: BoardView) -> bytes:
    """The board as a PNG of 1040 x 740 pixels."""
    return png(board_picture(view))


def board_picture(view: BoardView) -> Image.Image:
    """The board as a picture in the palette."""
    board = empty_track().copy()
    for space, standing in by_space(_standing(view)).items():
        board.paste(tile(space, standing), space_corner(space))
    board.paste(card_picture(view.card, view.rolls_left), (LEFT, _CARD_TOP))
    width = (INNER_WIDTH - SEAT_GAP * (len(view.places) - 1)) / len(view.places)
    for at, seat in enumerate(view.places):
        seat_view = view.seats[seat]
        left = round(LEFT + at * (width + SEAT_GAP))
        worth = view.worth if seat == view.on_turn else None
        if not view.dice:
            seat_view = replace(seat_view, chip=None)  # The chips get the room of the dice.
        part = _seat_part(seat, seat_view, seat == view.on_turn, worth, round(width))
        board.paste(part, (left, SEATS_TOP))
    for at, each in enumerate(view.dice):
        board.paste(_die_part(each), (die_left(at), DICE_TOP))
    if not view.dice:
        won = ((seat.chip, at) for at, seat in enumerate(view.seats) if seat.chip is not None)
        if best_first := sorted(won, key=lambda each: -each[0].points):
            board.paste(_podium(tuple(best_first)), (LEFT, DICE_TOP))
    return board


def die_left(at: int) -> int:
    """The left edge of the column of a die, 0 to 6, in pixels."""
    return round(LEFT + at * _PITCH)


def _standing(view: BoardView) -> list[Standing]:
    standing: list[Standing] = [
        (placed.seat, placed.position, view.seats[placed.seat].chip, True)
        for placed in view.placements
        if placed.position is not None
    ]
    if view.on_turn is not None and view.aim is not None and view.seats[view.on_turn].placement is None:
        standing.append((view.on_turn, view.aim, None, False))
    return standing


def _seat_part(seat: int, seat_view: SeatView, on_turn: bool, worth: int | None, width: int) -> Image.Image:
    """A seat's place: its piece while it is not on the track, the result, the chip."""
    placed = seat_view.placement
    result = worth if placed is None else placed.result
    away = placed is not None and (placed.position is not None or placed.result <= 0)
    waiting = placed is not None and placed.waiting
    parts = 1 + (result is not None) + (seat_view.chip is not None)
    picture = _seat_without_result(seat, seat_view.chip, on_turn, away, waiting, parts, width)
    if result is not None:
        step = _step(parts, width)
        picture = picture.copy()
        colour = ROSE if result <= 0 else PALE
        x = width / 2 - step * (parts - 3) / 2
        write(picture, (x, SEAT_HEIGHT / 2), signed(result), 40 if parts == 2 else 36, colour, WELL, step)
    return picture


@lru_cache(maxsize=256)
def _seat_without_result(
    seat: int, chip: Chip | None, on_turn: bool, away: bool, waiting: bool, parts: int, width: int
) -> Image.Image:
    """A seat's place with room for ``parts`` beside each other: the piece, the result, the chip."""
    pen = Pen(width, SEAT_HEIGHT, BOARD)
    pen.box((0, 0, width, SEAT_HEIGHT), 24, AMBER if on_turn else WELL)
    if on_turn:
        pen.box((5, 5, width - 5, SEAT_HEIGHT - 5), 19, WELL)
    middle, step = SEAT_HEIGHT / 2, _step(parts, width)
    x = width / 2 - step * (parts - 1) / 2
    radius = min(27.0, step * 0.46)
    if away:
        hollow_piece(pen, seat, (x, middle), radius - 3, WELL)
    else:
        piece(pen, seat, (x, middle), radius)
    if waiting:
        tag(pen, (x, SEAT_HEIGHT - 17), "<1", 25)
    if chip is not None:
        draw_chip(pen, chip, (x + step * (parts - 1), middle), radius)
    return indexed(pen.finish())


def _step(parts: int, width: int) -> float:
    """From one part of a seat's place to the next, in pixels."""
    return min(58.0, (width - 14) / parts)


@lru_cache(maxsize=16)
def _podium(won: tuple[tuple[Chip, int], ...]) -> Image.Image:
    """The chips of a round that is over, each with the piece that won it, gold first."""
    pen = Pen(INNER_WIDTH, DICE_HEIGHT, BOARD)
    width = min(INNER_WIDTH / len(won), 270)
    left = (INNER_WIDTH - width * len(won)) / 2
    middle = DICE_HEIGHT / 2
    for kind, seat in won:
        pen.box((left + 8, 10, left + width - 8, DICE_HEIGHT - 10), 32, WELL)
        draw_chip(pen, kind, (left + width / 2 - 56, middle), 52)
        piece(pen, seat, (left + width / 2 + 56, middle), 46)
        left += width
    return indexed(pen.finish())


@lru_cache(maxsize=256)
def _die_part(die_view: DieView) -> Image.Image:
    """A die in its column: higher when picked, down on the tray when set aside or frozen, its points below."""
    width = round(_PITCH)
    pen = Pen(width, DICE_HEIGHT, BOARD)
    left = (width - _DIE) / 2
    look = look_of(die_view.face, die_view.state, picked=die_view.picked)
    top = {Look.PICKED: 0, Look.SET_ASIDE: 2 * _LIFT, Look.FROZEN: 2 * _LIFT}.get(look, _LIFT)
    die(pen, (left, top), _DIE, die_view.face, look)
    if look in (Look.SET_ASIDE, Look.FROZEN):
        pen.box((left - 4, 2 * _LIFT + _DIE + 5, left + _DIE + 4, 2 * _LIFT + _DIE + 11), 3, SET_EDGE)
    if die_view.points is not None:
        text = f"+{die_view.points}" if die_view.points > 0 else signed(die_view.points)
        colour = MINT if die_view.points > 0 else ROSE if die_view.points < 0 else MUTED
        pen.text((width / 2, DICE_HEIGHT - 15), text, 32, colour)
    return indexed(pen.finish())


def warm_up() -> None:
    """Draw the parts every table needs, so that the first picture comes as quickly as the later ones."""
    empty_track()
    for face in (None, *Face):
        for picked in (False, True):
            _die_part(DieView(face, picked=picked))
