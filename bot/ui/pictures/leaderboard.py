"""Draws a page of a leaderboard and, below it, the user who asks and the player just ahead of them.

All parts are cached except names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from bot.ui.pictures.colours import AMBER, CELL, CHIP_COLOURS, GOLD, INK, IVORY, MUTED, PALE, RIM, WELL
from bot.ui.pictures.dice import Look, draw_die
from bot.ui.pictures.parts import Part, Placed, cut_out
from bot.ui.pictures.pen import (
    GAP,
    LETTERING,
    ROW_WIDTH,
    SIDE,
    WIDTH,
    Pen,
    drawable_text,
    framed_png,
    label_part,
    lettering_part,
    text_width,
)
from highscore.dice import Face
from highscore.track import Chip

_ROW, _FIGURE = 84, 54
"""The height of a line, and the size of its figure."""
_LEADER_ROW, _LEADER_FIGURE, _LEADER_NAME = 150, 84, 62
"""The height and the size of figure and name for a leader who does not share the first place."""
_DOTS = 40
"""The height of the dots, which stand for the lines that are left out."""
_PLACE = 112
"""The width of the place, at the left of a line."""
_RADIUS = 28
_CHIP = 25
"""The radius of a chip."""
_MEDALS = dict(enumerate(Chip, 1))


@dataclass(frozen=True, slots=True)
class BoardLine:
    place: int | None
    """None for a user without a rank."""
    name: str
    figure: str
    """The figure by which the line is ranked or, without a rank, how much the user has of what a rank requires."""
    details: tuple[tuple[Chip | None, str], ...] = ()
    """Small figures left of the large one: chips, or a number of games, which has a die."""
    own: bool = False
    """True for the user who asks."""
    behind: str = ""
    """In the line of the user who asks, the distance to the player just ahead."""


def leaderboard_png(page: Sequence[BoardLine], further: Sequence[BoardLine]) -> bytes:
    """Draw the lines of a page and, below them, further lines from elsewhere, as a PNG 1040 pixels wide."""
    parts: list[Placed] = []
    lines = (*page, *further)
    one_leads = [line.place for line in lines].count(1) == 1
    sizes = [_LEADER_FIGURE if one_leads and line.place == 1 else _FIGURE for line in lines]
    figures = max(round(text_width(line.figure, size)) for line, size in zip(lines, sizes, strict=True))
    top = SIDE
    for at, (line, size) in enumerate(zip(lines, sizes, strict=True)):
        if at == len(page) and (line.place or 0) - (page[-1].place or 0) != 1:
            parts.append((_dots_part(), SIDE, top - GAP // 2))
            top += _DOTS
        height = _ROW if size == _FIGURE else _LEADER_ROW
        parts += _line_parts(line, top, height, size, WIDTH - SIDE - 24 - figures)
        top += height + GAP
    return framed_png(WIDTH, top - GAP + SIDE, parts)


def _line_parts(line: BoardLine, top: int, height: int, size: int, left: int) -> Iterator[Placed]:
    """Yield the parts of a line. ``left`` is the left edge of the column of figures, ``size`` that of its digits."""
    ground = GOLD if line.place == 1 else CELL if line.own else WELL
    ink, dark = (INK, INK) if line.place == 1 else (MUTED if line.place is None else PALE, MUTED)
    medal = line.place if line.place in _MEDALS else None
    yield _ground_part(medal, height, ground, own=line.own), SIDE, top
    middle, right = top + height / 2, WIDTH - SIDE - 24
    if medal is None:
        place = "–" if line.place is None else str(line.place)
        yield label_part((SIDE + _PLACE / 2, middle), place, LETTERING, dark, ground, _PLACE - 24)
    yield label_part((right - text_width(line.figure, size) / 2, middle), line.figure, size, ink, ground)
    x = left - 22 - sum(2 * _CHIP + 22 + text_width(text, LETTERING) for _kind, text in line.details)
    left = round(x)
    for kind, text in line.details:
        yield _symbol_part(kind, ground), round(x), round(middle) - _CHIP
        x += 2 * _CHIP + 6
        width = text_width(text, LETTERING)
        yield label_part((x + width / 2, middle), text, LETTERING, dark, ground)
        x += width + 16
    if line.behind:
        pill = _pill_part(line.behind)
        left -= pill.tones.shape[1] + 8
        yield pill, left, round(middle) - pill.tones.shape[0] // 2
    room, lettering = left - 8 - SIDE - _PLACE, LETTERING if size == _FIGURE else _LEADER_NAME
    name = lettering_part(drawable_text(line.name) or "–", room, height - 16, lettering, ink, ground, middle=False)
    yield cut_out(name), SIDE + _PLACE, top + 8


@lru_cache(maxsize=16)
def _ground_part(medal: int | None, height: int, ground: str, *, own: bool) -> Part:
    """Draw the ground of a line, with a crown for the first place and a medal for the next two."""
    pen = Pen(ROW_WIDTH, height)
    pen.box((0, 0, ROW_WIDTH, height), _RADIUS, ground)
    centre = (_PLACE / 2, height / 2)
    if medal == 1:
        if height > _ROW:
            pen.light(centre, height * 0.26, _RADIUS)
        pen.crown((centre[0], centre[1] + 2), height * 0.22)
    elif medal is not None:
        face, edge = CHIP_COLOURS[_MEDALS[medal]]
        pen.disc(centre, 34, edge)
        pen.disc(centre, 28, face)
        pen.text(centre, str(medal), 50, INK)
    if own:
        pen.box((0, 0, ROW_WIDTH, height), _RADIUS, None, IVORY if medal == 1 else AMBER, 5)
    return pen.to_part()


@lru_cache(maxsize=16)
def _symbol_part(kind: Chip | None, ground: str) -> Part:
    pen = Pen(2 * _CHIP, 2 * _CHIP, ground)
    if kind is None:
        draw_die(pen, (4, 4), 2 * _CHIP - 8, Face.FIVE, Look.FREE)
    else:
        pen.chip(kind, (_CHIP, _CHIP), _CHIP)
    return pen.to_part()


@lru_cache(maxsize=64)
def _pill_part(text: str) -> Part:
    """Draw the distance to the player ahead, in the line of the user who asks."""
    width = round(text_width(text, LETTERING)) + 36
    pen = Pen(width, 58, CELL)
    pen.box((0, 0, width, 58), 29, AMBER)
    pen.text((width / 2, 29), text, LETTERING, INK)
    return pen.to_part()


@cache
def _dots_part() -> Part:
    pen = Pen(ROW_WIDTH, _DOTS)
    for at in (-1, 0, 1):
        pen.disc((ROW_WIDTH / 2 + 34 * at, _DOTS / 2), 7, RIM)
    return pen.to_part()
