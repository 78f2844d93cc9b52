"""The picture of a cup: its bracket or table.

Lines and bars lie along the pixels, so they are filled in without the pen; all else but the names are kept parts.
"""

from functools import cache, lru_cache

from PIL import Image

from bot.ui.pictures.colours import (
    AMBER,
    BOARD,
    CELL,
    CHIP_COLOURS,
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
from bot.ui.pictures.cup_views import BracketView, Person, TableView
from bot.ui.pictures.frame import GAP, ROW_WIDTH, SIDE, WIDTH, draw_panel
from bot.ui.pictures.label import LETTERING, label_part
from bot.ui.pictures.lettering import drawable_text, lettering_part
from bot.ui.pictures.parts import Part, Tones, paste
from bot.ui.pictures.pen import Pen, text_width
from bot.ui.pictures.png import picture_png
from highscore.track import Chip

HEADER = 150
"""The height of a cup's name."""
NUMBERS = 58
"""The height of the legs' numbers above a bracket."""
COLUMN = 146
"""The width of a leg in a bracket."""
_BEND = 30
"""The way in a leg to the line that joins those who meet."""
_NAME = 84
"""The room left of a name in a table, for the place; as much again where somebody has moved."""

Room = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""


def cup_png(name: str, leg: int, standing: BracketView | TableView) -> bytes:
    """Draw a cup's name, its newest leg and, below them, its bracket or table as a PNG 1040 pixels wide."""
    row, top = row_height(len(standing.lines)), SIDE + HEADER + (NUMBERS if isinstance(standing, BracketView) else 0)
    picture = draw_panel(WIDTH, top + len(standing.lines) * row + SIDE)
    paste(picture, _cup_part(), (SIDE, SIDE))
    left, width = SIDE + 150, round(text_width(f"#{leg}", 60))
    _draw_text(picture, name, (left, SIDE, WIDTH - SIDE - left - width - GAP, 130), PALE, BOARD, 60)
    _draw_label(picture, WIDTH - SIDE - width / 2, SIDE + 65, f"#{leg}", AMBER, BOARD, 60)
    if isinstance(standing, BracketView):
        _draw_bracket(picture, standing, top, row)
    else:
        _draw_table(picture, standing, top, row)
    return picture_png(picture)


def row_height(lines: int) -> int:
    return max(60, min(84, 700 // max(lines, 1)))


def _draw_bracket(picture: Tones, view: BracketView, top: int, row: int) -> None:
    """Draw a line for each person, joined leg by leg with the lines of those whom they meet.

    Whoever goes on has the score on theirs. The open leg is amber.
    """
    width, newest = ROW_WIDTH - len(view.legs) * COLUMN, view.legs[-1]
    lefts = {leg: SIDE + width + at * COLUMN for at, leg in enumerate(view.legs)}
    for leg, left in lefts.items():
        ink = AMBER if view.open and leg == newest else MUTED
        _draw_label(picture, left + (_BEND + COLUMN) / 2, top - NUMBERS / 2, str(leg), ink, BOARD)
    middles = {one: top + at * row + row // 2 for at, one in enumerate(view.lines)}
    for one, person in view.lines.items():
        _draw_person(picture, person, (SIDE, middles[one] - row // 2, width, row), (SIDE + 12, SIDE + width - 12))
    for meeting in view.meetings:
        left, heights = lefts[meeting.leg], [middles[one] for one in meeting.who]
        is_open = view.open and meeting.leg == newest and len(heights) > 1
        colour = AMBER if is_open else SET_EDGE
        for one in meeting.who:
            right = COLUMN if one in meeting.on and meeting.leg != newest else _BEND
            _fill(picture, (left, middles[one] - 3, left + right, middles[one] + 3), colour)
        _fill(picture, (left + _BEND - 3, min(heights) - 3, left + _BEND + 3, max(heights) + 3), colour)
        for one in meeting.on if len(heights) > 1 else ():
            text = meeting.score or "–"
            _draw_label(picture, left + (_BEND + COLUMN) / 2, middles[one], text, PALE, BOARD, halo=6)


def _draw_table(picture: Tones, view: TableView, top: int, row: int) -> None:
    """Draw lines with the place, the places won or lost, the name, the percent of each leg as a bar, and the sum.

    Half of the points or more is green; what does not count is grey and struck out.
    """
    legs = max((len(line.shares) for line in view.lines), default=0)
    pitch, right = min(46, 364 // max(legs, 1)), WIDTH - SIDE - 16
    bars = right - round(max((text_width(line.total, LETTERING) for line in view.lines), default=0)) - 20 - legs * pitch
    left = SIDE + (2 * _NAME if any(line.moved for line in view.lines) else _NAME)
    for at, line in enumerate(view.lines):
        person, y, middle = line.person, top + at * row, top + at * row + row // 2
        ground = _draw_person(picture, person, (SIDE, y, ROW_WIDTH, row), (left, bars - 10))
        ink = INK if person.won else MUTED
        _draw_label(picture, SIDE + _NAME / 2, middle, str(line.place), ink, ground)
        if line.moved:
            _draw_label(picture, SIDE + _NAME * 3 / 2 - 6, middle, f"{line.moved:+}", ink, ground)
        for leg, share in enumerate(line.shares):
            x, high, low = bars + leg * pitch, y + row - 11 - max(4, round((row - 22) * share / 100)), y + row - 11
            _fill(picture, (x - 3, y + 8, x + pitch - 3, y + row - 8), WELL)
            colour = RIM if leg == line.worst else MINT if share >= 50 else ROSE
            _fill(picture, (x, high, x + pitch - 6, low), colour)
            if leg == line.worst:
                _fill(picture, (x - 3, (high + low) // 2 - 2, x + pitch - 3, (high + low) // 2 + 2), PALE)
        ink = INK if person.won else PALE if person.there else MUTED
        _draw_label(picture, right - text_width(line.total, LETTERING) / 2, middle, line.total, ink, ground)


# ----------------------------------------------------------------------------------------------------------- parts


def _draw_person(picture: Tones, person: Person, box: Room, name: tuple[int, int]) -> str:
    """Draw the ground of a person's line and, between two places, their name. Return the colour of the ground.

    It is golden of a winner; the name is darker of whoever is out or has left.
    """
    left, top, width, height = box
    ground = GOLD if person.won else CELL if person.own else WELL
    ink = INK if person.won else PALE if person.there else MUTED
    paste(picture, _box_part(width, height - 4, ground, AMBER if person.own else ground), (left, top + 2))
    _draw_text(picture, person.name, (name[0], top, name[1] - name[0], height), ink, ground)
    return ground


def _draw_text(picture: Tones, text: str, room: Room, ink: str, ground: str, size: int = LETTERING) -> None:
    """Write a name from the left of its room; a dash for nobody's."""
    left, top, width, height = room
    line = lettering_part(drawable_text(text) or "–", width, height, size, ink, ground, middle=False)
    paste(picture, Part(line.tones, line.tones != line.tones[0, 0]), (left, top))


def _draw_label(
    picture: Tones, x: float, y: float, text: str, ink: str, ground: str, size: float = LETTERING, *, halo: int = 0
) -> None:
    part, left, top = label_part((x, y), text, size, ink, ground, halo=halo)
    paste(picture, part, (left, top))


def _fill(picture: Tones, box: Room, colour: str) -> None:
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
def _cup_part() -> Part:
    pen = Pen(130, 130, BOARD)
    edge = CHIP_COLOURS[Chip.GOLD][1]
    for x in (27, 103):
        pen.disc((x, 35), 22, None, GOLD, 8)
    pen.box((59, 65, 71, 115), 0, edge)
    pen.box((35, 110, 95, 126), 6, GOLD)
    pen.box((27, 6, 103, 87), 36, GOLD, corners=(False, False, True, True))
    pen.box((22, 3, 108, 16), 6, edge)
    return to_part(pen.finish())
