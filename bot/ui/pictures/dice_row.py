"""The seven dice of a board in their places: trays join those that score together, below are the points of each."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from bot.ui.pictures.card import CARD_WIDTH
from bot.ui.pictures.colours import BAD, BOARD, GOOD, IVORY, MINT, ROSE
from bot.ui.pictures.dice import Look, draw_die, look_of
from bot.ui.pictures.parts import Part, Placed, to_part
from bot.ui.pictures.pen import Pen, label_part
from bot.ui.pictures.views import DieView
from bot.ui.text import format_signed
from highscore.dice import DICE, Face

ROW_HEIGHT = 182
"""The height of the row with the lines that join groups, in pixels."""
_PITCH = CARD_WIDTH / DICE
_COLUMN = round(_PITCH)
_DIE = 84
_TOPS = {Look.ROLL: 6, Look.KEEP: 24, Look.SET_ASIDE: 24, Look.FROZEN: 24}
"""The upper edge of a die by its look: lifted to be rolled again, dropped to stay."""
_LYING = 14
_TRAY_TOP, _TRAY_BOTTOM = 5, 164
_TRAY_SIDE = 5
_TRAY_RADIUS = 8
_POINTS, _POINTS_MIDDLE = 64, 133
"""The size of the digits and their middle, in pixels: on a phone the board is a quarter as large."""
_LINE = 6
"""The thickness of the lines below the trays, in pixels; three of them are thinner."""

_TRAYS = {1: (GOOD, MINT), -1: (BAD, ROSE)}
"""The ground and the edge of a tray by the sign of what lies on it."""


def die_left(at: int) -> int:
    """Return the left edge of a die's column in the row, in pixels."""
    return round(at * _PITCH)


def dice_parts(dice: Sequence[DieView]) -> Iterator[Placed]:
    """Yield the parts of the row."""
    if not dice:
        return
    trays = [None, *(die.tray for die in dice), None]
    for at, die in enumerate(dice):
        before, tray, after = trays[at : at + 3]
        sign = die.sign
        look = look_of(die.face, die.state, die.pick, faded=die.points == 0)
        yield (
            _column_part(die.face, look, sign, joined=(sign != 0 and before == tray, sign != 0 and after == tray)),
            die_left(at),
            0,
        )
        if sign:
            middle = (die_left(at) + _COLUMN / 2, _POINTS_MIDDLE)
            yield label_part(middle, format_signed(die.points or 0), _POINTS, IVORY, _TRAYS[sign][0], _COLUMN - 16)
    if lines := _find_split_groups(dice):
        yield _lines_part(lines), 0, _TRAY_BOTTOM


@lru_cache(maxsize=512)
def _column_part(face: Face | None, look: Look, sign: int, *, joined: tuple[bool, bool]) -> Part:
    """Draw a die in its column and its part of a tray, which is ``joined`` to those on the left and on the right."""
    pen = Pen(_COLUMN, _TRAY_BOTTOM, BOARD)
    if sign:
        ground, edge = _TRAYS[sign]
        left = -_COLUMN if joined[0] else _TRAY_SIDE
        right = 2 * _COLUMN if joined[1] else _COLUMN - _TRAY_SIDE
        pen.box((left, _TRAY_TOP, right, _TRAY_BOTTOM), _TRAY_RADIUS, ground, edge, 3)
    size = _DIE * 0.93 if look is Look.ROLL else _DIE
    draw_die(pen, ((_COLUMN - size) / 2, _TOPS.get(look, _LYING)), size, face, look)
    return to_part(pen.finish())


Stretches = tuple[tuple[int, int], ...]
"""The first and the last die of each tray of a group."""


def _find_split_groups(dice: Sequence[DieView]) -> tuple[tuple[int, Stretches], ...]:
    """Return the groups whose dice lie apart: the sign of each, and its trays."""
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
    """Draw a line for each group whose dice lie apart, from tray to tray."""
    height = ROW_HEIGHT - _TRAY_BOTTOM
    pen = Pen(CARD_WIDTH, height, BOARD)
    line = _LINE if len(groups) < 3 else _LINE - 2
    for level, (sign, stretches) in enumerate(groups):
        colour = _TRAYS[sign][1]
        middles = [(die_left(first) + die_left(last) + _COLUMN) / 2 for first, last in stretches]
        y = 1.5 * line * (level + 1) - 1
        for x in middles:  # A line of another group that is crossed has a gap there.
            pen.box((x - 1.5 * line, 1, x + 1.5 * line, y), 0, BOARD)
            pen.box((x - line / 2, 0, x + line / 2, y), 0, colour)
        pen.box((middles[0] - line / 2, y - line / 2, middles[-1] + line / 2, y + line / 2), line / 2, colour)
    return to_part(pen.finish())
