"""The scorings as symbols: dice that count lie on green, subtracted dice on red behind a minus, others are outlined.

They have no words, so they read the same in every language.
"""

from dataclasses import dataclass

from bot.ui.pictures.colours import BAD, GOOD, IVORY
from bot.ui.pictures.dice import Look, draw_die
from bot.ui.pictures.pen import Pen, Point
from highscore.cards import Scoring
from highscore.dice import Face

_GAP = 0.09
"""The room between two dice, as a share of their size."""
_PAD = 0.15
"""The room around the dice of a group, as a share of their size."""
_LABELLED = 52
"""The smallest size of a die at which the sum of a group can be read on a phone."""


@dataclass(frozen=True, slots=True)
class _Example:
    """The dice of an example roll, by what becomes of them."""

    groups: tuple[str, ...]
    """The dice that count, by group."""
    rest: str = ""
    total: str = ""
    """The sum of each group, where the scoring asks for one."""


_EXAMPLES = {
    Scoring.SAME: _Example(("555", "22"), "14"),
    Scoring.SAME_MINUS: _Example(("555", "22"), "14"),
    Scoring.TENS_MINUS: _Example(("55", "1234"), "3", total="10"),
    Scoring.PAIRS: _Example(("44", "22"), "235"),
    Scoring.PAIRS_MINUS: _Example(("44", "22"), "235"),
    Scoring.TRIPLES_MINUS: _Example(("444",), "4122"),
    Scoring.ODD: _Example(("1", "3", "5"), "24"),
    Scoring.ODD_MINUS: _Example(("1", "3", "5"), "24"),
    Scoring.VALUES_SHOWN_MINUS: _Example(("1", "2", "3", "4"), "5"),
}


def draw_scoring_symbol(pen: Pen, centre: Point, scoring: Scoring, size: float) -> None:
    """Draw the symbol of a scoring around its centre, about 7 x 3 dice large; ``size`` is that of one die."""
    if scoring is Scoring.ASCENDING:
        _draw_staircase(pen, centre, size)
    elif scoring is Scoring.TOTAL:
        _draw_all_seven(pen, centre, size)
    else:
        _draw_example(pen, centre, _EXAMPLES[scoring], size, minus=scoring.minus)


def _draw_example(pen: Pen, centre: Point, example: _Example, size: float, *, minus: bool) -> None:
    x, y = centre
    total = example.total if size >= _LABELLED else ""
    if total:
        size *= 0.9
    height = size * (1 + 2 * _PAD)
    label = size * 0.80 if total else 0.0
    between = size * 0.26
    top = y - (height + label + between + height) / 2
    gap = size * (0.30 if len(example.groups) < 3 else 0.18)
    widths = [_group_width(len(group), size) for group in example.groups]
    left = x - (sum(widths) + gap * (len(widths) - 1)) / 2
    for group, width in zip(example.groups, widths, strict=True):
        pen.box((left, top, left + width, top + height + label), size * 0.34, GOOD)
        pen.text((left + width / 2, top + height + label / 2 - size * 0.08), total, size * 0.98, IVORY)
        _draw_row(pen, (left + size * _PAD, top + size * _PAD), group, size, Look.PRINTED)
        left += width + gap
    _draw_rest(pen, (x, top + height + label + between), example.rest, size, minus=minus)


def _draw_rest(pen: Pen, top: Point, rest: str, size: float, *, minus: bool) -> None:
    x, y = top
    width = _group_width(len(rest), size)
    if not minus:
        _draw_row(pen, (x - width / 2 + size * _PAD, y + size * _PAD), rest, size, Look.GHOST)
        return
    sign = size * 0.82
    left = x - (width + sign) / 2
    pen.box((left, y, left + sign + width, y + size * (1 + 2 * _PAD)), size * 0.34, BAD)
    middle = y + size * (0.5 + _PAD)
    pen.box((left + size * 0.24, middle - size * 0.075, left + size * 0.80, middle + size * 0.075), 2, IVORY)
    _draw_row(pen, (left + sign + size * _PAD, y + size * _PAD), rest, size, Look.PRINTED)


def _draw_row(pen: Pen, corner: Point, digits: str, size: float, look: Look) -> None:
    x, y = corner
    for digit in digits:
        draw_die(pen, (x, y), size, Face(int(digit)), look)
        x += size * (1 + _GAP)


def _group_width(dice: int, size: float) -> float:
    return size * (dice + (dice - 1) * _GAP + 2 * _PAD)


def _draw_all_seven(pen: Pen, centre: Point, size: float) -> None:
    x, y = centre
    size *= 1.12
    width = _group_width(4, size)
    height = size * (2 + _GAP + 2 * _PAD)
    left, top = x - width / 2, y - height / 2
    pen.box((left, top, left + width, top + height), size * 0.34, GOOD)
    _draw_row(pen, (left + size * _PAD, top + size * _PAD), "5134", size, Look.PRINTED)
    _draw_row(pen, (left + size * (_PAD + (1 + _GAP) / 2), top + size * (_PAD + 1 + _GAP)), "253", size, Look.PRINTED)


def _draw_staircase(pen: Pen, centre: Point, size: float) -> None:
    x, y = centre
    step = size * 0.32
    across = size * 1.20
    height = size * (1 + 2 * _PAD)
    left = x - across * 3
    bottom = y + (height + 5 * step) / 2
    for index, face in enumerate(Face):
        first, last = index == 0, index == 5
        at = left + index * across
        top = bottom - height - index * step
        corners = (True, last, last, first)
        pen.box((at, top, at + across + (0 if last else 1), bottom), size * 0.34, GOOD, corners=corners)
        draw_die(pen, (at + (across - size) / 2, top + size * _PAD), size, face, Look.PRINTED)
