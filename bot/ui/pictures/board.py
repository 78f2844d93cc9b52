"""The board of a turn: the track around it, inside the challenge card, the seats and the seven dice."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from io import BytesIO

from PIL import Image

from bot.ui.pictures import card as cards
from bot.ui.pictures import track
from bot.ui.pictures.colours import ALPHA_BYTES, AMBER, BOARD, MINT, MUTED, PALE, ROSE, SET_EDGE, WELL, indexed
from bot.ui.pictures.dice import Look, die, look_of
from bot.ui.pictures.pen import Pen
from bot.ui.pictures.shapes import chip as draw_chip
from bot.ui.pictures.shapes import hollow_piece, piece
from bot.ui.pictures.views import BoardView, DieView, SeatView
from bot.ui.text import signed
from highscore.dice import DICE, Face
from highscore.track import Chip

WIDTH, HEIGHT = track.WIDTH, track.HEIGHT
"""Of a board, in pixels."""

_LEFT = track.MARGIN + track.CELL + 12
_INNER = cards.WIDTH
_CARD_TOP = track.MARGIN + track.CELL + 12
_SEATS_TOP = _CARD_TOP + cards.HEIGHT + 14
_SEAT_HEIGHT = 78
_SEAT_GAP = 10
_DICE_TOP = _SEATS_TOP + _SEAT_HEIGHT + 14
_DICE_HEIGHT = 164
_DIE = 94
_LIFT = 12
_PITCH = _INNER / DICE

_LEVEL = 5
"""How hard the PNG is packed, which is nearly all of the time: 6 takes half as long again for a tenth less."""


def board_png(view: BoardView) -> bytes:
    """The board as a PNG of 1040 x 740 pixels."""
    return png(board_picture(view))


def png(picture: Image.Image) -> bytes:
    """A picture of the palette as a PNG, its corners transparent."""
    out = BytesIO()
    picture.save(out, "PNG", compress_level=_LEVEL, transparency=ALPHA_BYTES)
    return out.getvalue()


def board_picture(view: BoardView) -> Image.Image:
    """The board as a picture in the palette."""
    board = track.empty_track().copy()
    for space, standing in track.by_space(_standing(view)).items():
        board.paste(track.tile(space, standing), track.space_corner(space))
    board.paste(cards.card_picture(view.card, view.rolls_left), (_LEFT, _CARD_TOP))
    width = (_INNER - _SEAT_GAP * (len(view.seats) - 1)) / len(view.seats)
    for seat, shown in enumerate(view.seats):
        left = round(_LEFT + seat * (width + _SEAT_GAP))
        worth = view.worth if seat == view.on_turn else None
        if not view.dice:
            shown = replace(shown, chip=None)  # The chips get the room of the dice.
        part = _seat_part(seat, shown, seat == view.on_turn, worth, round(width))
        board.paste(part, (left, _SEATS_TOP))
    for at, each in enumerate(view.dice):
        board.paste(_die_part(each), (die_left(at), _DICE_TOP))
    if not view.dice:
        won = sorted(((seat.chip, at) for at, seat in enumerate(view.seats) if seat.chip is not None), key=_by_points)
        if won:
            board.paste(_podium(tuple(won)), (_LEFT, _DICE_TOP))
    return board


def _by_points(won: tuple[Chip, int]) -> int:
    return -won[0].points


def die_left(at: int) -> int:
    """The left edge of the column of a die, 0 to 6, in pixels."""
    return round(_LEFT + at * _PITCH)


def _standing(view: BoardView) -> list[track.Standing]:
    found: list[track.Standing] = [
        (placed.seat, placed.position, view.seats[placed.seat].chip, True)
        for placed in view.placements
        if placed.position is not None
    ]
    if view.on_turn is not None and view.aim is not None and view.seats[view.on_turn].placement is None:
        found.append((view.on_turn, view.aim, None, False))
    return found


@lru_cache(maxsize=256)
def _seat_part(seat: int, shown: SeatView, on_turn: bool, worth: int | None, width: int) -> Image.Image:
    """A seat's place: its piece while it is not on the track, the result, the chip."""
    pen = Pen(width, _SEAT_HEIGHT, BOARD)
    if on_turn:
        pen.box((0, 0, width, _SEAT_HEIGHT), 24, AMBER)
        pen.box((5, 5, width - 5, _SEAT_HEIGHT - 5), 19, WELL)
    else:
        pen.box((0, 0, width, _SEAT_HEIGHT), 24, WELL)
    placed = shown.placement
    result = worth if placed is None else placed.result
    middle = _SEAT_HEIGHT / 2
    parts = 1 + (result is not None) + (shown.chip is not None)
    step = min(58.0, (width - 14) / parts)
    x = width / 2 - step * (parts - 1) / 2
    radius = min(27.0, step * 0.46)
    away = placed is not None and (placed.position is not None or placed.result <= 0)
    if away:
        hollow_piece(pen, seat, (x, middle), radius - 3, WELL)
    else:
        piece(pen, seat, (x, middle), radius)
    if result is not None:
        colour = ROSE if result <= 0 else PALE
        pen.text((x + step, middle), signed(result), 40 if parts == 2 else 36, colour, widest=step)
    if placed is not None and placed.waiting:
        track.tag(pen, (x, _SEAT_HEIGHT - 17), "<1", 25)
    if shown.chip is not None:
        draw_chip(pen, shown.chip, (x + step * 2, middle), radius)
    return indexed(pen.finish())


@lru_cache(maxsize=16)
def _podium(won: tuple[tuple[Chip, int], ...]) -> Image.Image:
    """The chips of a round that is over, each with the piece that won it, gold first."""
    pen = Pen(_INNER, _DICE_HEIGHT, BOARD)
    width = min(_INNER / len(won), 270)
    left = (_INNER - width * len(won)) / 2
    middle = _DICE_HEIGHT / 2
    for kind, seat in won:
        pen.box((left + 8, 10, left + width - 8, _DICE_HEIGHT - 10), 32, WELL)
        draw_chip(pen, kind, (left + width / 2 - 56, middle), 52)
        piece(pen, seat, (left + width / 2 + 56, middle), 46)
        left += width
    return indexed(pen.finish())


@lru_cache(maxsize=256)
def _die_part(shown: DieView) -> Image.Image:
    """A die in its column: higher when picked, down on the tray when set aside or frozen, its points below."""
    width = round(_PITCH)
    pen = Pen(width, _DICE_HEIGHT, BOARD)
    left = (width - _DIE) / 2
    look = look_of(shown.face, shown.state, picked=shown.picked)
    top = {Look.PICKED: 0, Look.SET_ASIDE: 2 * _LIFT, Look.FROZEN: 2 * _LIFT}.get(look, _LIFT)
    die(pen, (left, top), _DIE, shown.face, look)
    if look in (Look.SET_ASIDE, Look.FROZEN):
        pen.box((left - 4, 2 * _LIFT + _DIE + 5, left + _DIE + 4, 2 * _LIFT + _DIE + 11), 3, SET_EDGE)
    if shown.points is not None:
        _points(pen, (width / 2, _DICE_HEIGHT - 15), shown.points)
    return indexed(pen.finish())


def _points(pen: Pen, centre: tuple[float, float], points: int) -> None:
    if points > 0:
        pen.text(centre, f"+{points}", 32, MINT)
    elif points < 0:
        pen.text(centre, signed(points), 32, ROSE)
    else:
        pen.text(centre, "0", 32, MUTED)


def warm_up() -> None:
    """Draw the parts every table needs, so that the first picture comes as quickly as the later ones."""
    track.empty_track()
    for face in (None, *Face):
        for picked in (False, True):
            _die_part(DieView(face, picked=picked))
