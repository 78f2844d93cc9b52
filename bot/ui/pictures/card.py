"""Draws the challenge card without words: the value of the vortex, the scoring, the roll type."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.ui.pictures.colours import BAD, CARD, CARD_EDGE, CARD_LINE, GOOD, GREY, ICE, INK, IVORY
from bot.ui.pictures.dice import Look, draw_die
from bot.ui.pictures.parts import Part, Placed
from bot.ui.pictures.pen import Pen, Point
from bot.ui.text import format_signed
from highscore.cards import Card, RollType, Scoring, VortexKind
from highscore.dice import Face

_GAP = 0.09
"""The room between two dice, as a share of their size."""
_PAD = 0.15
"""The room around the dice of a group, as a share of their size."""
_LABELLED = 52
"""The smallest size of a die at which the sum of a group can be read on a phone."""


@dataclass(frozen=True, slots=True)
class _Example:
    groups: tuple[str, ...]
    rest: str = ""
    total: str = ""
    """The sum that each group must have; empty if the scoring requires none."""


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
    """Draw the symbol of a scoring, about 7 x 3 dice large. ``size`` is the size of one die in pixels."""
    if scoring is Scoring.ASCENDING:
        _draw_staircase(pen, centre, size)
    elif scoring is Scoring.TOTAL:
        _draw_all_seven(pen, centre, size)
    else:
        _draw_example(pen, centre, _EXAMPLES[scoring], size, minus=scoring.subtracts_rest)


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


CARD_WIDTH, CARD_HEIGHT = 776, 204

_RADIUS = 26
_EDGE = 6
_BOTTOM = CARD_HEIGHT - _EDGE
DOTS_TOP, _DOTS_HEIGHT = _BOTTOM - 38, 24
"""The dots that show how many rolls are left: their upper edge on the card and their height, in pixels."""
_VORTEX_WIDTH = 172
_ROLL_WIDTH = 172
_DOTS_WIDTH = 148
"""The width of the dots in pixels: narrow enough to stay clear of the round corner."""
_LEFT_CORNERS = (True, False, False, True)


def _draw_vortex_panel(pen: Pen, card: Card) -> None:
    pen.box((0, 0, _VORTEX_WIDTH, _BOTTOM), _RADIUS, BAD if card.vortex_hurts else GOOD, corners=_LEFT_CORNERS)
    x, y = _VORTEX_WIDTH / 2, _BOTTOM - 42
    pen.vortex((54, 66), 46, IVORY)
    # A triangle points down if the vortex hurts and up otherwise, for people to whom red and green look alike.
    down = 1 if card.vortex_hurts else -1
    mark = _VORTEX_WIDTH - 40
    pen.shape([(mark - 33, 66 - 26 * down), (mark + 33, 66 - 26 * down), (mark, 66 + 32 * down)], IVORY)
    if card.vortex.kind is VortexKind.FROZEN:
        pen.snowflake((x - 30, y), 33, ICE, 6.5)
        x += 34
    pen.text((x, y), vortex_text(card), 66, IVORY, widest=_VORTEX_WIDTH - 28)


def vortex_text(card: Card) -> str:
    """Return the value of a card's vortex as the card shows it, such as ``+3``, ``−2``, ``0`` or ``0–6`` (chosen)."""
    if card.vortex.kind is VortexKind.CHOICE:
        return f"{card.vortex.values[0]}–{card.vortex.values[-1]}"
    worth = card.vortex_points
    return f"+{worth}" if worth > 0 else format_signed(worth)


_CLUSTER = ((-0.5, -1), (0.5, -1), (-1, 0), (0, 0), (1, 0), (-0.5, 1), (0.5, 1))
"""The centres of seven dice in a ring of arrows, in steps from its middle."""
_PICKED = (1, 3, 5)
"""The dice that are rolled again in the symbol of ``ANY_THREE``. Any other three would do."""


def draw_roll_symbol(pen: Pen, centre: Point, roll_type: RollType, radius: float, solid: str, faint: str) -> None:
    """Draw the symbol of a roll type: dice inside a turning arrow.

    For ``FOUR_FULL`` all dice are ``solid``. For ``ANY_THREE`` three are ``solid`` and the others are outlines in
    ``faint``. For ``SET_ASIDE`` some of the dice lie on a tray below.
    """
    x, y = centre
    if roll_type is RollType.SET_ASIDE:
        _draw_set_aside_symbol(pen, centre, radius, solid)
        return
    pen.turning_arrow(centre, radius, solid, radius * 0.17)
    size, step = radius * 0.34, radius * 0.45
    for index, (across, down) in enumerate(_CLUSTER):
        corner = (x + across * step - size / 2, y + down * step * 0.93 - size / 2)
        rolls = roll_type is RollType.FOUR_FULL or index in _PICKED
        _draw_small_die(pen, corner, size, solid if rolls else faint, hollow=not rolls)


def _draw_set_aside_symbol(pen: Pen, centre: Point, radius: float, solid: str) -> None:
    """Draw dice inside a turning arrow, an arrow down, and dice on a tray."""
    x, y = centre
    size = radius * 0.34
    ring = (x - radius * 0.42, y - radius * 0.34)
    pen.turning_arrow(ring, radius * 0.72, solid, radius * 0.15)
    for across, down in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        half = size * 0.60
        _draw_small_die(pen, (ring[0] + across * half - size / 2, ring[1] + down * half - size / 2), size, solid)
    tray = y + radius * 0.98
    far = x + radius * 1.12
    pen.stroke([(x - radius * 0.20, tray), (far, tray)], solid, radius * 0.10)
    for index in range(3):
        corner = (far - size * (1.05 + 1.22 * index), tray - radius * 0.10 - size)
        _draw_small_die(pen, corner, size, solid, hollow=True)
    down_x = x + radius * 0.72
    pen.stroke([(down_x, y - radius * 0.62), (down_x, y + radius * 0.08)], solid, radius * 0.15)
    tip, wide = y + radius * 0.40, radius * 0.26
    pen.shape([(down_x - wide, y + radius * 0.02), (down_x + wide, y + radius * 0.02), (down_x, tip)], solid)


def _draw_small_die(pen: Pen, corner: Point, size: float, colour: str, *, hollow: bool = False) -> None:
    x, y = corner
    pen.box((x, y, x + size, y + size), size * 0.24, None if hollow else colour, colour, max(2.0, size * 0.16))


def draw_roll_dots(pen: Pen, centre: Point, roll_type: RollType, left: int | None) -> None:
    """Draw a dot for each roll of a turn. It is hollow if the roll was made. ``left`` is None before the turn."""
    x, y = centre
    number = roll_type.max_rolls
    left = number if left is None else left
    pitch = 34 if number <= 4 else 21
    radius = 11 if number <= 4 else 7.5
    for index in range(number):
        where = (x + (index - (number - 1) / 2) * pitch, y)
        if index < number - left:
            pen.disc(where, radius, None, GREY, 3)
        else:
            pen.disc(where, radius, INK)


def card_parts(card: Card, rolls_left: int | None = None) -> Iterator[Placed]:
    """Yield the parts of the card on the board. ``rolls_left`` is 0 to 7, or None for a card as it was dealt."""
    yield _card_part(card), 0, 0
    yield _dots_part(card.roll_type, rolls_left), CARD_WIDTH - (_ROLL_WIDTH + _DOTS_WIDTH) // 2, DOTS_TOP


@lru_cache(maxsize=32)
def _card_part(card: Card) -> Part:
    pen = Pen(CARD_WIDTH, CARD_HEIGHT)
    pen.box((0, 0, CARD_WIDTH, CARD_HEIGHT), _RADIUS, CARD_EDGE)
    pen.box((0, 0, CARD_WIDTH, _BOTTOM), _RADIUS, CARD)
    _draw_vortex_panel(pen, card)
    roll_left = CARD_WIDTH - _ROLL_WIDTH
    pen.box((roll_left - 1, 20, roll_left + 2, _BOTTOM - 20), 1.5, CARD_LINE)
    draw_scoring_symbol(pen, ((_VORTEX_WIDTH + roll_left) / 2, _BOTTOM / 2), card.scoring, 52)
    draw_roll_symbol(pen, (roll_left + _ROLL_WIDTH / 2, 79), card.roll_type, 54, INK, GREY)
    return pen.to_part()


@lru_cache(maxsize=32)
def _dots_part(roll_type: RollType, rolls_left: int | None) -> Part:
    pen = Pen(_DOTS_WIDTH, _DOTS_HEIGHT, CARD)
    draw_roll_dots(pen, (_DOTS_WIDTH / 2, _DOTS_HEIGHT / 2), roll_type, rolls_left)
    return pen.to_part()
