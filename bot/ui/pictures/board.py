"""Draws the board of a round: a strip, the seats, and below them the track around the challenge card and the dice."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby, pairwise

from bot.ui.pictures import colours, track
from bot.ui.pictures.card import CARD_HEIGHT, CARD_WIDTH, DOTS_TOP, card_parts
from bot.ui.pictures.dice import Look, draw_die, look_of
from bot.ui.pictures.parts import FILTER, Band, Part, Placed, Tones, add_filters, make_png, move_parts, pack, paste
from bot.ui.pictures.pen import LETTERING, SIDE, WIDTH, Pen, label_part, lettering_part
from bot.ui.pictures.views import BoardView, DieView, Measure, SeatView, game_view
from bot.ui.text import format_signed
from highscore.cards import Card
from highscore.deck import ROUNDS
from highscore.dice import DICE, Face
from highscore.game import Game
from highscore.track import Chip
from highscore.turn_order import TurnOrder

LEFT = (track.BOARD_WIDTH - CARD_WIDTH) // 2
_STRIP_TOP = 14
SEATS_TOP = 82
_CARD_TOP = track.TRACK_TOP + track.SPACE_DOWN + 11
_DICE_TOP = _CARD_TOP + CARD_HEIGHT + 12
_NAME_TOP, _NAME_HEIGHT, _NAME = _DICE_TOP + 104, 56, 40
"""The line with the name of the player before: its upper edge, its height and the size of its letters, in pixels."""
_CUTS = (
    0,
    SEATS_TOP - 2,
    track.TRACK_TOP,
    track.TRACK_TOP + track.SPACE_DOWN,
    track.TRACK_TOP + 2 * track.SPACE_DOWN,
    _CARD_TOP + DOTS_TOP - 2,
    _DICE_TOP - 4,
    track.TRACK_TOP + 6 * track.SPACE_DOWN,
    track.BOARD_HEIGHT,
)
"""The rows at which the board is cut into bands, from the top. A roll changes few of the bands."""
_CARD_PARTS = (0, 0, 0, 1, 1, 2, 0, 0)
"""The number of parts of the card in each band."""
_BANDS = tuple(pairwise(_CUTS))
_BAND_OF_ROW = tuple(number for number, (first, last) in enumerate(_BANDS) for _row in range(first, last))


def board_png(view: BoardView, name: str = "", previous: str = "") -> bytes:
    """Draw the board as a PNG of 1040 x 796 pixels.

    ``name`` is that of ``view.leader``, ``previous`` that of the player in ``view.previous``.
    """
    bands: list[list[Placed]] = [[] for _band in _BANDS]
    for placed in board_parts(view, name, previous):
        part, _left, top = placed
        for number in range(_BAND_OF_ROW[top], _BAND_OF_ROW[top + len(part.tones) - 1] + 1):
            bands[number].append(placed)
    packed: list[Band] = []
    for number, parts in enumerate(map(tuple, bands)):
        if number == 0 or (view.previous is not None and number == _BAND_OF_ROW[_NAME_TOP]):
            packed.append(_pack_uncached(number, parts))  # Bands with a name in them are not cached.
        else:
            packed.append((_pack_plain_band if len(parts) <= _CARD_PARTS[number] else _pack_band)(number, parts))
    return make_png(track.BOARD_WIDTH, track.BOARD_HEIGHT, packed)


def _pack_uncached(number: int, parts: Sequence[Placed], *, well: bool = False) -> Band:
    first, last = _BANDS[number]
    rows = _empty_rows()[first:last].copy()
    picture = rows[:, FILTER:]
    for part, left, top in parts:
        paste(picture, part, (left, top - first))
    return pack(rows, well=well)


_pack_band = lru_cache(maxsize=512)(_pack_uncached)
"""Caches bands. Between two rolls most of them stay the same."""
_pack_plain_band = lru_cache(maxsize=256)(partial(_pack_uncached, well=True))
"""Caches bands with nothing but the card. They are few and needed often, so they are packed well."""


@lru_cache(maxsize=1)
def _empty_rows() -> Tones:
    """Return the rows of the empty board. They are cached, so they must not be changed."""
    return add_filters(track.draw_empty_track())


def board_parts(view: BoardView, name: str = "", previous: str = "") -> Iterator[Placed]:
    """Yield the parts on the empty track. A later part covers an earlier one."""
    yield from move_parts(_strip_parts(view, name), (0, _STRIP_TOP))
    for space, pieces in track.group_by_space(_pieces_on_track(view)).items():
        yield from move_parts(track.tile_parts(space, pieces), track.space_corner(space))
    if view.measure is not None:
        yield track.measure_part(view.measure.average)
        if view.measure.best is not None:
            yield track.measure_part(view.measure.best, own=True)
    yield from move_parts(card_parts(view.card, view.rolls_left), (LEFT, _CARD_TOP))
    yield from move_parts(_seats_parts(view), (track.MARGIN, SEATS_TOP))
    if view.previous is None:
        yield from move_parts(dice_parts(view.dice), (LEFT, _DICE_TOP))
    else:
        grey = [DieView(face, points=0) for face in view.previous.dice.faces]
        yield from move_parts(dice_parts(grey), (LEFT, _DICE_TOP))
        text = f"{previous} {format_signed(view.previous.result)}"
        yield lettering_part(text, CARD_WIDTH, _NAME_HEIGHT, _NAME, colours.MUTED, middle=True), LEFT, _NAME_TOP
    if not view.dice:
        yield from move_parts(_podium_parts(view.seats), (LEFT, _DICE_TOP))


def _pieces_on_track(view: BoardView) -> Iterator[track.PieceView]:
    for placed in view.placements:
        if placed.position is not None:
            yield track.PieceView(placed.seat, placed.position, view.seats[placed.seat].chip)
    if view.on_turn is not None and view.aim is not None and view.seats[view.on_turn].placement is None:
        yield track.PieceView(view.on_turn, view.aim, view.stake, placed=False)


_WINNER_WIDTH, _OTHER_WIDTH = 336, 208


def _podium_parts(seats: Sequence[SeatView]) -> Iterator[Placed]:
    won = sorted(((seat.chip, at) for at, seat in enumerate(seats) if seat.chip), key=lambda each: -each[0].points)
    left = (CARD_WIDTH - _WINNER_WIDTH - (len(won) - 1) * (_SEAT_GAP + _OTHER_WIDTH)) // 2
    for chip, seat in won:
        part = _chip_part(chip, seat)
        yield part, left, 0
        left += part.tones.shape[1] + _SEAT_GAP


@lru_cache(maxsize=16)
def _chip_part(chip: Chip, seat: int) -> Part:
    middle = ROW_HEIGHT / 2
    if chip is not Chip.GOLD:
        pen = Pen(_OTHER_WIDTH, ROW_HEIGHT)
        pen.box((0, 34, _OTHER_WIDTH, ROW_HEIGHT - 34), 28, colours.WELL)
        pen.chip(chip, (56, middle), 42)
        pen.piece(seat, (_OTHER_WIDTH - 56, middle), 40)
        return pen.to_part()
    pen = Pen(_WINNER_WIDTH, ROW_HEIGHT)
    pen.box((0, 0, _WINNER_WIDTH, ROW_HEIGHT), 28, colours.GOLD)
    piece = _WINNER_WIDTH - 112, middle
    pen.light(piece, 72, 28)
    pen.piece(seat, piece, 76)
    pen.chip(chip, (74, middle), 52)
    return pen.to_part()


def warm_up() -> None:
    """Draw the parts that every table needs, so that the first picture is as fast as later ones."""
    _empty_rows()
    for points in (None, -1, 0, 1):
        for face in (None, *Face):
            list(dice_parts((DieView(face, points=points),)))


def cache_card(card: Card) -> None:
    """Draw a board with this card, so that its parts are cached.

    The first board with a card takes longer than the event loop may be blocked.
    """
    board_png(game_view(Game(2, TurnOrder.CLOCKWISE, start_seat=0, cards=(card,))))


_STRIP_HEIGHT = 64
_PIECE_PITCH = 66
_MARK_PITCH = 36


def _strip_parts(view: BoardView, name: str) -> Iterator[Placed]:
    rounds = _rounds_part(view.round, view.rounds, over=view.over)
    right = WIDTH - SIDE - rounds.tones.shape[1]
    yield rounds, right, 0
    pieces = view.to_come if view.leader is None else (view.leader,)
    signs = _signs_part(pieces)
    yield signs, SIDE, 0
    if view.leader is not None:
        left = SIDE + signs.tones.shape[1]
        yield lettering_part(name, right - left, _STRIP_HEIGHT, LETTERING, colours.PALE, middle=False), left, 0


@lru_cache(maxsize=64)
def _signs_part(pieces: tuple[int, ...]) -> Part:
    pen = Pen(_PIECE_PITCH * max(len(pieces), 1), _STRIP_HEIGHT)
    for at, seat in enumerate(pieces):
        pen.piece(seat, (_PIECE_PITCH * (at + 0.5), _STRIP_HEIGHT / 2), 28)
    return pen.to_part()


@lru_cache(maxsize=32)
def _rounds_part(current: int, rounds: int, *, over: bool) -> Part:
    """Draw a sign for each round: a disc if it is over, its number if it is being played, a ring if it is to come."""
    pen = Pen(_MARK_PITCH * rounds + (0 if over else 30), _STRIP_HEIGHT)
    x, middle = 0.0, _STRIP_HEIGHT / 2
    for number in range(1, rounds + 1):
        if number == current and not over:
            pen.disc((x + 33, middle), 28, colours.AMBER)
            pen.text((x + 33, middle), str(number), LETTERING, colours.INK)
            x += 30
        elif number <= current:
            pen.disc((x + _MARK_PITCH / 2, middle), 12, colours.MUTED)
        else:
            pen.disc((x + _MARK_PITCH / 2, middle), 12, None, colours.MUTED, 4)
        x += _MARK_PITCH
    return pen.to_part()


_SEATS_WIDTH, _SEAT_HEIGHT = WIDTH - 2 * track.MARGIN, 98
_SEAT_GAP = 10
_MIDDLE = 37
"""The middle of the piece and of the result. The chips of earlier rounds are below them."""
_RADIUS = 28
_STEP = 62
_BOTTOM = _SEAT_HEIGHT - 8
_COIN, _STACK = 6, 20
_WIDEST_SLOT = 36
_BARS_LEFT, _BARS_TOP, _BAR_PITCH = 636, 12, 48


def _seats_parts(view: BoardView) -> Iterator[Placed]:
    seats = view.seats_here
    if view.measure is not None and len(seats) == 1:
        yield from _alone_parts(seats[0], view.measure, view.worth)
        return
    width = (_SEATS_WIDTH - _SEAT_GAP * (len(seats) - 1)) / len(seats)
    for at, seat in enumerate(seats):
        on_turn = seat == view.on_turn
        left = round(at * (width + _SEAT_GAP))
        parts = _seat_parts(seat, view.seats[seat], view, round(width), on_turn=on_turn)
        yield from move_parts(parts, (left, 0))


def _seat_parts(seat: int, seat_view: SeatView, view: BoardView, width: int, *, on_turn: bool) -> Iterator[Placed]:
    """Yield the parts of a seat's box: its piece, its result or (after the round) its points, and its chips."""
    placed = None if view.over else seat_view.placement
    number, colour = placed.result if placed is not None else view.worth if on_turn else None, colours.PALE
    if view.over:
        number, colour = seat_view.points, colours.GOLD
    elif number is not None and number <= 0:
        colour = colours.ROSE
    # The box shows only the outline of a piece that is on the track, or will not be placed on it in this round.
    away = placed is not None and (placed.position is not None or placed.result <= 0)
    chip = view.stake if on_turn and placed is None else None
    waiting = placed is not None and placed.waiting
    parts = 1 + (number is not None) + (waiting or chip is not None)
    box = _seat_part(seat, chip, parts, width, view.rounds, on_turn=on_turn, away=away, waiting=waiting)
    yield box, 0, 0
    if number is not None:
        x = width / 2 - _STEP * (parts - 3) / 2
        yield label_part((x, _MIDDLE), format_signed(number), LETTERING + 5, colour, colours.WELL, _STEP + 20)
    for at, won in enumerate(seat_view.chips):
        if won is not None:
            left, right = _slot(at, width, view.rounds)
            yield _stack_part(won, right - left), left, _BOTTOM - _STACK


def _slot(number: int, width: int, rounds: int) -> tuple[int, int]:
    """Return the left and right edge of the place for a round's chip in a box of this width. Rounds count from 0."""
    slot = min(_WIDEST_SLOT, (width - 30) // rounds)
    left = (width - rounds * slot) // 2 + number * slot
    return left + 3, left + slot - 3


@lru_cache(maxsize=256)
def _seat_part(
    seat: int, chip: Chip | None, parts: int, width: int, rounds: int, *, on_turn: bool, away: bool, waiting: bool
) -> Part:
    """Draw a seat's box with room for this many ``parts`` next to each other: the piece, the result, the chip."""
    pen = Pen(width, _SEAT_HEIGHT)
    pen.box((0, 0, width, _SEAT_HEIGHT), 12, colours.AMBER if on_turn else colours.WELL)
    if on_turn:
        pen.box((5, 5, width - 5, _SEAT_HEIGHT - 5), 8, colours.WELL)
    x = width / 2 - _STEP * (parts - 1) / 2
    pen.piece(seat, (x, _MIDDLE), _RADIUS - (3 if away else 0), colours.WELL if away else None)
    last = x + _STEP * (parts - 1)
    if waiting:
        pen.text((last, _MIDDLE), "<1", LETTERING, colours.PALE)
    elif chip is not None:
        pen.chip(chip, (last, _MIDDLE), _RADIUS)
    for number in range(rounds):
        start, end = _slot(number, width, rounds)
        pen.box((start, _BOTTOM - 3, end, _BOTTOM), 0, colours.RIM)
    return pen.to_part()


@lru_cache(maxsize=32)
def _stack_part(chip: Chip, width: int) -> Part:
    """Draw a chip of an earlier round as a stack, with a coin for each of its points."""
    pen = Pen(width, _STACK, colours.WELL)
    for coin in range(chip.points):
        bottom = _STACK - coin * (_COIN + 1)
        pen.box((0, bottom - _COIN, width, bottom), 0, colours.CHIP_COLOURS[chip][0])
    return pen.to_part()


def _alone_parts(seat: int, measure: Measure, worth: int | None) -> Iterator[Placed]:
    yield _alone_part(seat), 0, 0
    middle = _SEAT_HEIGHT / 2
    if worth is not None:
        yield label_part(
            (162, middle), format_signed(worth), 60, colours.ROSE if worth <= 0 else colours.PALE, colours.WELL
        )
    if measure.cards:
        colour = colours.GOLD if measure.total >= measure.par else colours.PALE
        yield label_part(
            (_BARS_LEFT / 2 + 110, middle), f"{measure.total} / {measure.par:.0f}", 60, colour, colours.WELL
        )
    # Shares are rounded to a twentieth of the average, which is two pixels, so that few bars have to be cached.
    shares: list[float | None] = [round(20 * points / max(average, 1)) / 20 for points, average in measure.cards]
    shares += [None] * (ROUNDS - len(shares))
    for number, share in enumerate(shares):
        yield _bar_part(share), _BARS_LEFT + number * _BAR_PITCH, _BARS_TOP


@lru_cache(maxsize=8)
def _alone_part(seat: int) -> Part:
    pen = Pen(_SEATS_WIDTH, _SEAT_HEIGHT)
    pen.box((0, 0, _SEATS_WIDTH, _SEAT_HEIGHT), 12, colours.AMBER)
    pen.box((5, 5, _SEATS_WIDTH - 5, _SEAT_HEIGHT - 5), 8, colours.WELL)
    pen.piece(seat, (56, _SEAT_HEIGHT / 2), _RADIUS)
    return pen.to_part()


@lru_cache(maxsize=64)
def _bar_part(share: float | None) -> Part:
    """Draw the bar of a card and the line of par.

    ``share`` is the result divided by the average; None if the card is still to come.
    """
    box = (0, 0, _BAR_PITCH, _SEAT_HEIGHT - 14 - _BARS_TOP)
    pen = Pen(_BAR_PITCH, round(box[3]), colours.WELL)
    pen.bars((share,), box, 32)
    return pen.to_part()


ROW_HEIGHT = 182
"""The height of the row of dice in pixels, including the lines that join groups."""
_PITCH = CARD_WIDTH / DICE
_COLUMN = round(_PITCH)
_DIE = 84
_TOPS = {Look.SET_ASIDE: 24, Look.FROZEN: 24}
"""The upper edge of dice that stay for good. They lie lower than the others."""
_LYING = 14
_TRAY_TOP, _TRAY_BOTTOM = 5, 164
_TRAY_SIDE = 5
_TRAY_RADIUS = 8
_POINTS, _POINTS_MIDDLE = 64, 133
"""The points below a die: the size of the digits, and the y of their middle, in pixels. A phone shows the board a
quarter as large.
"""
_LINE = 6

_TRAYS = {1: (colours.GOOD, colours.MINT), -1: (colours.BAD, colours.ROSE)}
"""The colours of a tray and of its border, by the sign of the points on it."""


def _die_left(at: int) -> int:
    return round(at * _PITCH)


def dice_parts(dice: Sequence[DieView]) -> Iterator[Placed]:
    if not dice:
        return
    trays = [None, *(die.tray for die in dice), None]
    for at, die in enumerate(dice):
        before, tray, after = trays[at : at + 3]
        sign = die.sign
        look = look_of(die.face, die.state, faded=die.points == 0)
        yield (
            _column_part(die.face, look, sign, joined=(sign != 0 and before == tray, sign != 0 and after == tray)),
            _die_left(at),
            0,
        )
        if sign:
            middle = (_die_left(at) + _COLUMN / 2, _POINTS_MIDDLE)
            yield label_part(
                middle, format_signed(die.points or 0), _POINTS, colours.IVORY, _TRAYS[sign][0], _COLUMN - 16
            )
    if lines := _find_split_groups(dice):
        yield _lines_part(lines), 0, _TRAY_BOTTOM


@lru_cache(maxsize=512)
def _column_part(face: Face | None, look: Look, sign: int, *, joined: tuple[bool, bool]) -> Part:
    """Draw a die in its column and its part of a tray, which can be ``joined`` to the trays on the left and right."""
    pen = Pen(_COLUMN, _TRAY_BOTTOM)
    if sign:
        ground, edge = _TRAYS[sign]
        left = -_COLUMN if joined[0] else _TRAY_SIDE
        right = 2 * _COLUMN if joined[1] else _COLUMN - _TRAY_SIDE
        pen.box((left, _TRAY_TOP, right, _TRAY_BOTTOM), _TRAY_RADIUS, ground, edge, 3)
    draw_die(pen, ((_COLUMN - _DIE) / 2, _TOPS.get(look, _LYING)), _DIE, face, look)
    return pen.to_part()


Stretches = tuple[tuple[int, int], ...]
"""The first and the last die of each tray of a group."""


def _find_split_groups(dice: Sequence[DieView]) -> tuple[tuple[int, Stretches], ...]:
    """Return the groups whose dice do not all lie next to each other. For each, return its sign and its trays."""
    trays: dict[tuple[int, int | None], list[tuple[int, int]]] = {}
    for tray, stretch in groupby(range(len(dice)), lambda at: dice[at].tray):
        places = tuple(stretch)
        trays.setdefault(tray, []).append((places[0], places[-1]))
    return tuple(
        (sign, tuple(stretches))
        for (sign, group), stretches in trays.items()
        if sign and group is not None and len(stretches) > 1
    )


@lru_cache(maxsize=64)
def _lines_part(groups: tuple[tuple[int, Stretches], ...]) -> Part:
    """Draw a line for each of these groups, which joins its trays."""
    height = ROW_HEIGHT - _TRAY_BOTTOM
    pen = Pen(CARD_WIDTH, height)
    line = _LINE if len(groups) < 3 else _LINE - 2
    for level, (sign, stretches) in enumerate(groups):
        colour = _TRAYS[sign][1]
        middles = [(_die_left(first) + _die_left(last) + _COLUMN) / 2 for first, last in stretches]
        y = 1.5 * line * (level + 1) - 1
        for x in middles:  # Where two groups' lines cross, the other line gets a gap.
            pen.box((x - 1.5 * line, 1, x + 1.5 * line, y), 0, colours.BOARD)
            pen.box((x - line / 2, 0, x + line / 2, y), 0, colour)
        pen.box((middles[0] - line / 2, y - line / 2, middles[-1] + line / 2, y + line / 2), line / 2, colour)
    return pen.to_part()
