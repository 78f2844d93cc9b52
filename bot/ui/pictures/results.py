"""Draws results: the standings of a game, luck and skill, and a rare turn.

Names are never cached, because a cache must not contain names that were deleted.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bot.locales import _
from bot.ui.pictures import colours
from bot.ui.pictures.dice import Look, draw_die
from bot.ui.pictures.parts import Part, Placed, cut_out
from bot.ui.pictures.pen import (
    GAP,
    LETTERING,
    ROW_WIDTH,
    SIDE,
    WIDTH,
    Pen,
    Point,
    framed_png,
    label_part,
    lettering_part,
    name_lines,
    text_width,
)
from bot.ui.pictures.track import BOARD_HEIGHT
from bot.ui.pictures.views import ResultsView
from bot.ui.text import format_signed
from highscore.deck import ROUNDS
from highscore.dice import DICE, Dice, Face
from highscore.track import Chip

HEIGHT = BOARD_HEIGHT
LEFT_WIDTH = 352
LINE = 62
"""The height of the line of a player outside the large box of the first place."""
RIGHT = SIDE + LEFT_WIDTH + GAP
_RIGHT_WIDTH = WIDTH - SIDE - RIGHT
_COLUMN_LEFT = 52
"""The left edge of the column of round 1, inside the right half. The pieces stand left of it."""
_PITCH = 81
HEADER = 52
_INSIDE = HEIGHT - 2 * SIDE
_TABLE_INSIDE = 330
_TABLE_FOOT = 10
_TALLEST_ROW = 96
_RADIUS = 28
_NAME_WIDTH, _NAME_HEIGHT = LEFT_WIDTH - 24, 56
_SCORE_HEIGHT = 116
_CROWN = 0.5
"""The height of a crown above a piece, as a share of the radius of the piece."""
_LOWEST_TOP = 6
"""The top of the race stands for this many points until a player has more."""
_STRAND = 9
"""The distance, in pixels, between two lines of the race whose players have the same points."""
_END_BEND = 24
"""The distance, in pixels, from the last round to the pieces at the end. On it, lines with the same points separate."""
_END = 21


def results_png(view: ResultsView) -> bytes:
    return framed_png(WIDTH, HEIGHT, _results_parts(view))


def _results_parts(view: ResultsView) -> Iterator[Placed]:
    seats = tuple(seat for _place, seat in view.order)
    lines = seats if len(view.first) > 1 else seats[1:]
    hero = _INSIDE - len(lines) * LINE - (GAP if lines else 0)
    yield from _hero_parts(view, hero)
    for index, seat in enumerate(lines):
        yield from _line_parts(view, seat, SIDE + hero + GAP + index * LINE)
    row = row_height(len(seats))
    yield _table_part(len(seats), row), RIGHT, SIDE
    for index, seat in enumerate(seats):
        top = SIDE + HEADER + index * row
        yield _small_piece_part(seat, _COLUMN_LEFT - 8, row - 2), RIGHT + 8, top
        for number, played in enumerate(view.results[seat][:ROUNDS]):
            yield _cell_part(played.chip, played.result, row - 2), RIGHT + _COLUMN_LEFT + number * _PITCH, top
    table = HEADER + len(seats) * row + _TABLE_FOOT
    race = tuple((seat, view.points_by_round(seat)) for seat in seats)
    yield _race_part(race, view.leaders, _INSIDE - table - GAP), RIGHT, SIDE + table + GAP


def row_height(players: int) -> int:
    return min(_TABLE_INSIDE // players, _TALLEST_ROW)


def _hero_parts(view: ResultsView, height: int) -> Iterator[Placed]:
    """Yield the parts of the first place, golden once the game is won: piece, name, points and lead.

    If players share the first place, their pieces are drawn without names.
    """
    first, bright = view.first, view.finished
    ink, ground = (colours.INK, colours.GOLD) if bright else (colours.PALE, colours.WELL)
    names = name_lines(view.names[first[0]], _NAME_WIDTH) if len(first) == 1 else ()
    foot = _SCORE_HEIGHT + len(names) * _NAME_HEIGHT
    yield _hero_part(first, height, foot, bright=bright), SIDE, SIDE
    for index, text in enumerate(names):
        line = lettering_part(text, _NAME_WIDTH, _NAME_HEIGHT, LETTERING, ink, ground, middle=True)
        yield cut_out(line), SIDE + 12, SIDE + height - foot + index * _NAME_HEIGHT
    part = _score_part(view.points(first[0]), view.margin, ink, ground)
    yield part, SIDE + (LEFT_WIDTH - part.tones.shape[1]) // 2, SIDE + height - _SCORE_HEIGHT


@lru_cache(maxsize=16)
def _hero_part(first: tuple[int, ...], height: int, foot: int, *, bright: bool) -> Part:
    """Draw the pieces in first place, with crowns once the game is won. The lowest ``foot`` pixels stay empty."""
    pen = Pen(LEFT_WIDTH, height)
    pen.box((0, 0, LEFT_WIDTH, height), _RADIUS, colours.GOLD if bright else colours.WELL)
    across = math.ceil(math.sqrt(len(first)))
    down = math.ceil(len(first) / across)
    crown = _CROWN if bright else 0.0
    radius = min((LEFT_WIDTH - 40) / across / 2.2, (height - foot - 16) / down / (2.2 + crown))
    tall = (2.2 + crown) * radius
    if bright:
        pen.light((LEFT_WIDTH / 2, (height - foot + crown * radius) / 2), radius, _RADIUS)
    for index, seat in enumerate(first):
        line, column = divmod(index, across)
        in_line = min(across, len(first) - line * across)
        x = LEFT_WIDTH / 2 + (column - (in_line - 1) / 2) * 2.2 * radius
        y = (height - foot) / 2 + (line - (down - 1) / 2) * tall + crown * radius / 2
        pen.piece(seat, (x, y), radius)
        if bright:
            pen.crown((x, y - radius * 1.05), radius * 0.44)
    return pen.to_part()


@lru_cache(maxsize=64)
def _score_part(points: int, margin: int, ink: str, ground: str) -> Part:
    """Draw the points of the first place and, in a pill, their lead over the second."""
    text, lead = str(points), f"+{margin}"
    width, pill = text_width(text, 112), (text_width(lead, 54) + 36 if margin else 0)
    pen = Pen(round(width + pill + (14 if pill else 0)), 100, ground)
    pen.text((width / 2, 50), text, 112, ink)
    if pill:
        left = pen.width - pill
        pen.box((left, 17, pen.width, 83), 33, ink)
        pen.text((left + pill / 2, 50), lead, 54, ground)
    return cut_out(pen.to_part())


def _line_parts(view: ResultsView, seat: int, top: int) -> Iterator[Placed]:
    yield _small_piece_part(seat, 52, LINE, colours.BOARD), SIDE, top
    points, left = str(view.points(seat)), SIDE + 52
    right = SIDE + LEFT_WIDTH - text_width(points, LETTERING) - 8
    name = view.names[seat]
    yield lettering_part(name, round(right) - left, LINE, LETTERING, colours.PALE, middle=False), left, top
    yield label_part(((right + SIDE + LEFT_WIDTH) / 2, top + LINE / 2), points, LETTERING, colours.PALE)


@lru_cache(maxsize=64)
def _small_piece_part(seat: int, width: int, height: int, ground: str = colours.WELL) -> Part:
    pen = Pen(width, height, ground)
    pen.piece(seat, (width / 2, height / 2), min(24, width * 0.46))
    return pen.to_part()


@lru_cache(maxsize=8)
def _table_part(players: int, row: int) -> Part:
    pen = Pen(_RIGHT_WIDTH, HEADER + players * row + _TABLE_FOOT)
    pen.box((0, 0, pen.width, pen.height), _RADIUS, colours.WELL)
    for number in range(ROUNDS):
        pen.text((_COLUMN_LEFT + (number + 0.5) * _PITCH, HEADER / 2 + 2), str(number + 1), LETTERING, colours.MUTED)
    for index in range(players):
        y = HEADER + index * row
        pen.box((14, y - 2, _RIGHT_WIDTH - 14, y), 0, colours.CELL_TEN)
    return pen.to_part()


@lru_cache(maxsize=512)
def _cell_part(kind: Chip | None, result: int, height: int) -> Part:
    """Draw a result and below it the chip that it won, as one disc for each point of the chip."""
    pen = Pen(_PITCH, height, colours.WELL)
    radius = min(height * 0.13, 10.5)
    size = max(LETTERING, min(52.0, height * 0.62))
    low = height - 2 * radius - 4
    pen.text(
        (_PITCH / 2, low / 2 + 1),
        format_signed(result),
        size,
        colours.ROSE if result <= 0 else colours.PALE,
        widest=_PITCH,
    )
    if kind is not None:
        face, _edge = colours.CHIP_COLOURS[kind]
        for disc in range(kind.points):
            x = _PITCH / 2 + (disc - (kind.points - 1) / 2) * (2 * radius + 4)
            pen.disc((x, height - radius - 3), radius, face)
    return pen.to_part()


@lru_cache(maxsize=16)
def _race_part(
    race: tuple[tuple[int, tuple[int, ...]], ...], leaders: tuple[tuple[int, ...], ...], height: int
) -> Part:
    """Draw the points after each round as lines. ``race`` has the best seat first. The leader's line glows."""
    pen = Pen(_RIGHT_WIDTH, height)
    pen.box((0, 0, _RIGHT_WIDTH, height), _RADIUS, colours.WELL)
    top, bottom = 40.0, height - 40.0
    most = max(_LOWEST_TOP, *(points[-1] if points else 0 for _seat, points in race))
    for number in range(ROUNDS):
        x = _column(number + 1)
        pen.box((x - 1, 14, x + 1, height - 14), 0, colours.CELL)
    lines: dict[int, list[Point]] = {}
    for index, (seat, points) in enumerate(race):
        aside = (index - (len(race) - 1) / 2) * _STRAND
        lines[seat] = [
            (_column(number), bottom - value / most * (bottom - top) + aside)
            for number, value in enumerate((0, *points))
        ]
    for line, y in zip(lines.values(), _spread_out([line[-1][1] for line in lines.values()], height), strict=True):
        line.append((line[-1][0] + _END_BEND, y))
    ahead = [lines[seats[0]][number] for number, seats in enumerate(leaders, start=1) if seats]
    if ahead:
        pen.stroke([lines[leaders[0][0]][0] if leaders[0] else ahead[0], *ahead], colours.GLOW, 36)
    for seat in reversed(lines):
        pen.stroke(lines[seat], colours.INK, 15)
        pen.stroke(lines[seat], colours.PIECES[seat], 8)
    for number, (before, after) in enumerate(pairwise(leaders), start=2):
        for seat in after:
            if seat not in before and number < len(lines[seat]) - 2:
                pen.piece(seat, lines[seat][number], 15)
    for seat in reversed(lines):
        pen.piece(seat, lines[seat][-1], _END)
    return pen.to_part()


def _column(number: int) -> float:
    """Return the middle of a round in the race, which is the middle of its column in the table. 0 is the start."""
    return _COLUMN_LEFT / 2 if number == 0 else _COLUMN_LEFT + (number - 0.5) * _PITCH


def _spread_out(heights: Sequence[float], height: int) -> list[float]:
    """Move these y coordinates, sorted from the top, so far apart that pieces there do not cover each other."""
    apart, spread = 2.1 * _END, list(heights)
    for index in range(1, len(spread)):
        spread[index] = max(spread[index], spread[index - 1] + apart)
    lowest: float = height - _END - 6
    for index in reversed(range(len(spread))):
        spread[index] = min(spread[index], lowest)
        lowest = spread[index] - apart
    return spread


FULL_BAR = 2.0
"""The chip points of luck or loss at which a bar has its full height. Longer bars are cut off. A gold chip is worth 3.
"""

_HEADER, _ROW = 78, 132
_LEFT = 160
_BAR_PITCH = 98
_HALF = 50
_RIGHT_EDGE = 960


class LuckTurn(NamedTuple):
    """The luck of a turn and what its decisions lost, in chip points."""

    round: int
    seat: int
    luck: float
    loss: float


def luck_png(turns: Sequence[LuckTurn], seats: int, mark: str) -> bytes:
    """Draw the luck and the losses of each seat, round by round, as a PNG 1040 pixels wide.

    Good luck is green and points up, bad luck is red and points down. Losses are amber. ``mark`` is the decimal mark.
    """
    head = Pen(ROW_WIDTH, _HEADER - 16)
    for number in range(ROUNDS):
        head.text((_LEFT + number * _BAR_PITCH, 38), str(number + 1), LETTERING, colours.MUTED)
    rows = [(_row_part(turns, seat, mark), SIDE, _HEADER + seat * (_ROW + GAP)) for seat in range(seats)]
    height = _HEADER + len(rows) * (_ROW + GAP) - GAP + SIDE
    return framed_png(WIDTH, height, [(head.to_part(), SIDE, 8), *rows])


def _row_part(turns: Sequence[LuckTurn], seat: int, mark: str) -> Part:
    middle = _ROW / 2
    pen = Pen(ROW_WIDTH, _ROW)
    pen.box((0, 0, ROW_WIDTH, _ROW), 28, colours.WELL)
    pen.piece(seat, (66, middle), 36)
    pen.box((_LEFT - 44, middle - 1, _LEFT + (ROUNDS - 1) * _BAR_PITCH + 44, middle + 1), 0, colours.CELL_TEN)
    for turn in turns:
        if turn.seat == seat:
            x = _LEFT + (turn.round - 1) * _BAR_PITCH
            _draw_bar(pen, x - 24, middle, turn.luck, colours.MINT if turn.luck >= 0 else colours.ROSE)
            if turn.loss:
                _draw_bar(pen, x + 4, middle, -turn.loss, colours.AMBER)
    luck, loss = _add_up(turns, seat)
    pen.text(
        (_RIGHT_EDGE, middle - 28), _gain(luck, mark), LETTERING, colours.MINT if luck >= 0 else colours.ROSE, "right"
    )
    pen.text((_RIGHT_EDGE, middle + 30), _gain(-loss, mark), LETTERING, colours.AMBER, "right")
    return pen.to_part()


def _draw_bar(pen: Pen, left: float, middle: float, value: float, colour: str) -> None:
    tall = max(4.0, min(abs(value) / FULL_BAR, 1.0) * _HALF)
    top, bottom = (middle - tall, middle) if value >= 0 else (middle, middle + tall)
    pen.box((left, top, left + 22, bottom), 4, colour)


def _add_up(turns: Sequence[LuckTurn], seat: int) -> tuple[float, float]:
    own = [turn for turn in turns if turn.seat == seat]
    return sum(turn.luck for turn in own), sum(turn.loss for turn in own)


def _gain(value: float, mark: str) -> str:
    text = f"{abs(value):.1f}"
    sign = "" if float(text) == 0 else "+" if value > 0 else "−"
    return sign + text.replace(".", mark)


def luck_sentences(turns: Sequence[LuckTurn], names: Sequence[str], mark: str) -> tuple[str, ...]:
    lines = [
        _(
            "For each player, in chip points: luck (how much the dice helped), and points given away by choices that"
            " were not the best."
        )
    ]
    for seat, name in enumerate(names):
        luck, loss = _add_up(turns, seat)
        text = _("{player}: luck {luck}, points given away {loss}.")
        lines.append(text.format(player=name, luck=_gain(luck, mark), loss=_gain(-loss, mark)))
    return tuple(lines)


RARE_HEIGHT = 452
RARE_BOX = 244
_DIE_PITCH, _DIE = ROW_WIDTH / DICE, 128


def rare_png(seat: int, dice: Dice, result: int, one_in: str, name: str) -> bytes:
    """Draw a turn that happens once in ``one_in`` turns, as a PNG of 1040 x 452 pixels. The name is not cached."""
    top = RARE_HEIGHT - SIDE - RARE_BOX
    line = lettering_part(name, 430, 76, 62, colours.PALE, colours.WELL, middle=False)
    dice_parts = ((_die_part(face), round(SIDE + at * _DIE_PITCH), SIDE) for at, face in enumerate(dice))
    parts = (*dice_parts, (_nameless_part(seat, result, one_in), SIDE, top), (line, SIDE + 152, top + 36))
    return framed_png(WIDTH, RARE_HEIGHT, parts)


@lru_cache(maxsize=16)
def _nameless_part(seat: int, result: int, one_in: str) -> Part:
    pen = Pen(ROW_WIDTH, RARE_BOX)
    pen.box((0, 0, ROW_WIDTH, RARE_BOX), 28, colours.WELL)
    pen.piece(seat, (84, 74), 50)
    pen.text((34, 180), f"1 : {one_in}", 92, colours.AMBER, "left", widest=548)
    colour = colours.AMBER if result > 0 else colours.ROSE
    pen.text((ROW_WIDTH - 36, RARE_BOX / 2), format_signed(result), 250, colour, "right", widest=340)
    return pen.to_part()


@lru_cache(maxsize=len(Face))
def _die_part(face: Face) -> Part:
    pen = Pen(round(_DIE_PITCH), _DIE + 8)
    draw_die(pen, ((_DIE_PITCH - _DIE) / 2, 4), _DIE, face, Look.FREE)
    return pen.to_part()
