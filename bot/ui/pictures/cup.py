"""The bracket of a knockout and the table of a league.

Lines and bars lie along the pixels, so they are filled in without the pen; all else but the names are kept parts.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from PIL import Image

from bot.ui.pictures.colours import (
    AMBER,
    BOARD,
    CELL,
    GOLD,
    INK,
    MINT,
    MUTED,
    PALE,
    RIM,
    ROSE,
    SET_EDGE,
    WELL,
    to_part,
)
from bot.ui.pictures.cup_views import BracketView, Meeting, Person, TableLine, TableView
from bot.ui.pictures.frame import ROW_WIDTH, SIDE, WIDTH, draw_panel
from bot.ui.pictures.label import LETTERING, label_part
from bot.ui.pictures.lettering import drawable_text, lettering_part
from bot.ui.pictures.parts import Part, Tones, paste
from bot.ui.pictures.pen import Pen, Point, text_width
from bot.ui.pictures.png import picture_png
from bot.ui.pictures.shapes import draw_crown

LINE = 62
"""The height of a line in a picture that has not only lines."""
HEADER = 66
"""The height of what is above the lines."""
COLUMN = 146
"""The width of a leg in a bracket."""
_BEND = 30
"""The way in a leg to the line that joins those who meet."""
_NUMBER = SIDE + 44
"""The middle of the places in a table."""

Room = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""


def standing_png(view: BracketView | TableView) -> bytes:
    """Draw a bracket or a table as a PNG 1040 pixels wide."""
    picture = draw_panel(WIDTH, 2 * SIDE + standing_height(view))
    draw_standing(picture, view, SIDE)
    return picture_png(picture)


def standing_height(view: BracketView | TableView) -> int:
    if isinstance(view, BracketView):
        return HEADER + len(view.people) * row_height(len(view.people))
    return (HEADER if view.more else 0) + len(view.lines) * row_height(len(view.lines))


def row_height(lines: int) -> int:
    return max(60, min(84, 700 // lines))


def draw_standing(picture: Tones, view: BracketView | TableView, top: int) -> None:
    """Draw a bracket or a table on a picture from ``top`` on, below the number of those who are not in it."""
    if view.more:
        text = f"+{view.more}"
        draw_label(picture, (SIDE + 16 + text_width(text, LETTERING) / 2, top + 28), text, MUTED, BOARD)
    if isinstance(view, BracketView):
        _draw_bracket(picture, view, top)
    else:
        draw_lines(picture, view.lines, top + (HEADER if view.more else 0), row_height(len(view.lines)))


def _draw_bracket(picture: Tones, view: BracketView, top: int) -> None:
    """Draw a line for each person, joined leg by leg with the lines of those whom they meet."""
    row, names = row_height(len(view.people)), ROW_WIDTH - len(view.legs) * COLUMN
    for at, leg in enumerate(view.legs):
        middle = (SIDE + names + at * COLUMN + (_BEND + COLUMN) / 2, top + 28)
        if is_open := view.open and leg == view.legs[-1]:
            paste_middle(picture, _disc_part(28, AMBER), middle)
        draw_label(picture, middle, str(leg), INK if is_open else MUTED, AMBER if is_open else BOARD)
    top += HEADER
    for at, person in enumerate(view.people):
        ground = GOLD if person.won else CELL if person.own else WELL
        left, y = SIDE, top + at * row + 2
        paste(picture, _box_part(names, row - 4, ground, AMBER if person.own else ground), (left, y))
        _draw_name(picture, person, (left + 12, y, names - 24, row - 4), ground)
    for meeting in view.meetings:
        left = SIDE + names + (meeting.leg - view.legs[0]) * COLUMN
        heights = {at: top + at * row + row // 2 for at in meeting.who}
        _draw_meeting(picture, meeting, left, heights, last=meeting.leg == view.legs[-1])


def _draw_meeting(picture: Tones, meeting: Meeting, left: int, heights: dict[int, int], *, last: bool) -> None:
    """Join the lines of those who meet; whoever goes on has the score on theirs, on amber if the points were level."""
    bye = len(heights) == 1
    colour = SET_EDGE if bye or meeting.why is not None else AMBER
    for at, y in heights.items():
        _fill(picture, (left, y - 3, left + (COLUMN if at in meeting.on and not last else _BEND), y + 3), colour)
    top, bottom = min(heights.values()) - 3, max(heights.values()) + 3
    _fill(picture, (left + _BEND - 3, top, left + _BEND + 3, bottom), colour)
    ink, ground = (INK, AMBER) if meeting.level else (PALE, BOARD)
    for at in meeting.on:
        middle = (left + (_BEND + COLUMN) / 2, heights[at])
        if bye:
            paste_middle(picture, _disc_part(13, BOARD, SET_EDGE), middle)
        else:
            paste_middle(picture, _box_part(COLUMN - _BEND - 24, 52, ground, ground), middle)
            draw_label(picture, middle, meeting.score or "–", ink, ground)


def draw_lines(picture: Tones, lines: Sequence[TableLine | None], top: int, row: int) -> None:
    """Draw lines of a table: place or crown, the way they went, name, a bar a leg, sum; dots for what is left out."""
    shown = [line for line in lines if line is not None]
    legs = max((len(line.shares) for line in shown), default=0)
    pitch, right = min(46, 364 // max(legs, 1)), WIDTH - SIDE - 16
    bars = right - round(max((text_width(line.total, LETTERING) for line in shown), default=0)) - 20 - legs * pitch
    for at, line in enumerate(lines):
        y, middle = top + at * row + 2, top + (at + 0.5) * row
        if line is None:
            for dot in (-30, 0, 30):
                paste_middle(picture, _disc_part(6, MUTED), (WIDTH / 2 + dot, middle))
            continue
        person = line.person
        ground = CELL if person.own else WELL
        paste(picture, _box_part(ROW_WIDTH, row - 4, ground, AMBER if person.own else ground), (SIDE, y))
        if person.won:
            paste_middle(picture, _crown_part(ground), (_NUMBER, middle))
        elif line.place:
            draw_label(picture, (_NUMBER, middle), str(line.place), MUTED, ground)
        if line.moved:
            paste_middle(picture, _arrow_part(ground, up=line.moved > 0), (_NUMBER + 60, middle))
        _draw_name(picture, person, (_NUMBER + 80, y, bars - _NUMBER - 90, row - 4), ground)
        for leg, share in enumerate(line.shares):
            box = (bars + leg * pitch, y + 9, bars + (leg + 1) * pitch - 6, y + row - 13)
            _draw_bar(picture, box, share, worst=leg == line.worst)
        ink = GOLD if person.won else PALE if person.there else MUTED
        draw_label(picture, (right - text_width(line.total, LETTERING) / 2, middle), line.total, ink, ground)


def _draw_bar(picture: Tones, box: tuple[int, int, int, int], share: float, *, worst: bool) -> None:
    """Draw the percent of a leg: half of the points or more is green, what does not count is grey and struck out."""
    left, top, right, bottom = box
    high = bottom - max(4, round((bottom - top) * share / 100))
    _fill(picture, (left, high, right, bottom), RIM if worst else MINT if share >= 50 else ROSE)
    if worst:
        _fill(picture, (left - 3, (high + bottom) // 2 - 2, right + 3, (high + bottom) // 2 + 2), PALE)


def _draw_name(picture: Tones, person: Person, room: Room, ground: str) -> None:
    """Write a name: golden of a winner, darker of whoever is out, struck out of whoever has left."""
    left, top, _width, height = room
    ink = (INK if ground == GOLD else GOLD) if person.won else PALE if person.there else MUTED
    line = draw_text(picture, person.name, room, ink, ground)
    if person.left:
        _fill(picture, (left, top + height // 2 - 2, left + line.tones.shape[1], top + height // 2 + 3), ink)


# ----------------------------------------------------------------------------------------------------------- parts


def draw_text(
    picture: Tones, text: str, room: Room, ink: str, ground: str, size: int = LETTERING, *, middle: bool = False
) -> Part:
    """Write a name from the left or in the middle of its room, and return what was pasted; a dash for nobody's."""
    left, top, width, height = room
    line = lettering_part(drawable_text(text) or "–", width, height, size, ink, ground, middle=middle)
    paste(picture, Part(line.tones, line.tones != _find_tone(ground)), (left, top))
    return line


def draw_label(picture: Tones, middle: Point, text: str, ink: str, ground: str, size: float = LETTERING) -> None:
    part, left, top = label_part(middle, text, size, ink, ground)
    paste(picture, part, (left, top))


def paste_middle(picture: Tones, part: Part, middle: Point) -> None:
    height, width = part.tones.shape
    paste(picture, part, (round(middle[0] - width / 2), round(middle[1] - height / 2)))


def _fill(picture: Tones, box: tuple[int, int, int, int], colour: str) -> None:
    left, top, right, bottom = box
    picture[top:bottom, left:right] = _find_tone(colour)


@cache
def _find_tone(colour: str) -> int:
    return int(to_part(Image.new("RGB", (1, 1), colour)).tones[0, 0])


@lru_cache(maxsize=64)
def _box_part(width: int, height: int, ground: str, edge: str) -> Part:
    pen = Pen(width, height, BOARD)
    pen.box((0, 0, width, height), 16, ground, edge, 4)
    return to_part(pen.finish())


@cache
def _disc_part(radius: int, fill: str, line: str | None = None) -> Part:
    pen = Pen(2 * radius, 2 * radius, BOARD)
    pen.disc((radius, radius), radius, fill, line, 5)
    return to_part(pen.finish())


@cache
def _crown_part(ground: str) -> Part:
    pen = Pen(60, 46, ground)
    draw_crown(pen, (30, 25), 24, GOLD)
    return to_part(pen.finish())


@cache
def _arrow_part(ground: str, *, up: bool) -> Part:
    pen = Pen(32, 28, ground)
    base, tip = (26, 2) if up else (2, 26)
    pen.shape([(2, base), (30, base), (16, tip)], MINT if up else ROSE)
    return to_part(pen.finish())
