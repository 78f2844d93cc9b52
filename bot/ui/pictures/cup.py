"""Draws a cup: its sign-up, its bracket or its table, without results of a leg that is still open.

Lines and bars fill whole pixels, so they need no pen. All other parts are cached, except names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain

import numpy as np
from PIL import Image

from bot.domain.cup import CupLeg, CupView
from bot.domain.cup_leg import Group, Leg, compare_attempts, count_points, decide_group
from bot.locales import format_number
from bot.ui.pictures import colours
from bot.ui.pictures.parts import Part, Placed, cut_out, to_part
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
from highscore.track import Chip

MOST_LINES = 16
"""The most people in one picture."""


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    """The name; empty if the user's data was deleted."""
    active: bool = True
    """False for an entrant who has left or is out."""
    won: bool = False
    own: bool = False
    """True for the user who looks at the picture."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A group of a knockout, or a single entrant with a bye. Entrants are given by their numbers."""

    leg: int
    entrants: tuple[int, ...]
    """All entrants of the group. Those who advance come first."""
    advancing: tuple[int, ...] = ()
    """The entrants who advance; empty while the leg is open."""
    score: str = ""
    """The score of the first entrant who played: the cards won and lost or, if more than two of the group played, the
    points. Empty if fewer than two played.
    """


@dataclass(frozen=True, slots=True)
class BracketView:
    """The bracket of a knockout, or its last legs."""

    lines: Mapping[int, Person] = field(hash=False)
    """The entrants by their numbers, in the order of their lines. The lines of a group of the first leg shown are next
    to each other. Each later meeting joins the lines of its entrants' earlier groups. The lines of the entrant who
    advanced, and of the group that they came from, are the first of these.
    """
    meetings: tuple[Meeting, ...]
    legs: tuple[int, ...]
    """The numbers of the legs that the bracket has."""
    open: bool
    """True if the last of these legs is open."""


@dataclass(frozen=True, slots=True)
class TableLine:
    person: Person
    place: int
    total: str
    shares: tuple[float, ...] = ()
    """The percentage in each leg, 0 to 100."""
    worst: int | None = None
    """The leg that does not count, from 0; None if all of them count."""
    moved: int = 0
    """The places won (or, below 0, lost) by the last leg, see ``cup_leg.Line``."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The table of a league, or its first lines."""

    lines: tuple[TableLine, ...]
    more: int
    """The number of entrants who are not listed."""


def bracket_view(view: CupView, own: int | None = None) -> BracketView | None:
    """Return the bracket, starting at the first leg with at most ``MOST_LINES`` entrants; None before such a leg."""
    rounds = [_make_meetings(each) for each in view.legs if _count_playing(each.leg) <= MOST_LINES]
    if not rounds:
        return None
    # A block is a list of entrants whose lines are neighbours. Each meeting joins the blocks of its entrants into one,
    # which begins with the block of the entrant who advances. The next leg finds the new block under that entrant.
    blocks = {one: [one] for each in rounds[0] for one in each.entrants}
    for each in chain(*rounds):
        blocks[each.entrants[0]] = [one for other in each.entrants for one in blocks.pop(other)]
    people = _people(view, chain(*blocks.values()), own)
    legs = tuple(leg.number for leg in view.legs[-len(rounds) :])
    return BracketView(people, tuple(chain(*rounds)), legs, view.open_leg is not None)


def _count_playing(leg: Leg) -> int:
    return len(leg.byes) + sum(len(group.entrants) for group in leg.groups)


def _make_meetings(opened: CupLeg) -> list[Meeting]:
    """Return the meetings of a leg, with their results once it is closed."""
    number, leg = opened.number, opened.leg
    byes = [Meeting(number, (bye,), (bye,)) for bye in leg.byes]
    if opened.closed_at is None:
        return [Meeting(number, group.entrants) for group in leg.groups] + byes
    return [_make_meeting(number, group, leg) for group in leg.groups] + byes


def _make_meeting(number: int, group: Group, leg: Leg) -> Meeting:
    advancing, begun, score = decide_group(group, leg).advancing, leg.attempts_in(group), ""
    entrants = tuple(sorted(group.entrants, key=lambda one: one not in advancing))
    first, *others = [one for one in entrants if one in begun] or entrants
    if len(begun) == 2:
        match = compare_attempts(begun[first], begun[others[0]])
        score = f"{match.won}:{match.lost}"
    elif len(begun) > 2:
        score = format_points(count_points(first, begun))
    return Meeting(number, entrants, advancing, score)


def format_points(value: Fraction) -> str:
    """Return points with a decimal only if they are not whole."""
    return format_number(float(value), 1) if value.denominator > 1 else str(value)


def _people(view: CupView, entrants: Iterable[int], own: int | None = None) -> dict[int, Person]:
    remaining, won = view.remaining, view.winners
    return {one: Person(view.cup.entrants[one].name, one in remaining, one in won, one == own) for one in entrants}


def table_view(view: CupView, own: int | None = None) -> TableView:
    """Return a league's table after the legs that are closed. Raise ValueError before the start.

    A long table is cut. ``own`` is the entrant who looks: if their line is further down, it replaces the last line
    shown.
    """
    table = view.league_table
    shown = [*table[:MOST_LINES]]
    shown[-1:] = [line for line in table[MOST_LINES:] if line.entrant == own] or shown[-1:]
    people = _people(view, (line.entrant for line in shown), own)
    digits = any(line.total.denominator > 1 for line in table)
    lines = []
    for line in shown:
        total = format_number(float(line.total), 1) if digits else str(line.total)
        shares = tuple(map(float, line.shares))
        lines.append(TableLine(people[line.entrant], line.place, total, shares, line.worst, line.moved))
    return TableView(tuple(lines), len(table) - len(lines))


HEADER = 150
NUMBERS = 58
"""The height of the numbers of the legs above a bracket."""
COLUMN = 146
_BEND = 30
"""The distance from the left of a leg's column to the line that joins the entrants who meet."""
_PLACE_COLUMN = 84
"""The width of the column for the place, left of the names in a table. If the last leg has changed anybody's place, a
second column of this width shows the places won or lost.
"""

Room = tuple[int, int, int, int]
"""Left, top, width and height, in pixels."""


def cup_png(name: str, leg: int, standing: BracketView | TableView) -> bytes:
    """Draw a cup's name, its newest leg and, below them, its bracket or table as a PNG 1040 pixels wide."""
    row, top = row_height(len(standing.lines)), SIDE + HEADER
    if isinstance(standing, BracketView):
        top += NUMBERS
        body = _bracket_parts(standing, top, row)
    else:
        body = _table_parts(standing, top, row)
    return framed_png(WIDTH, top + len(standing.lines) * row + SIDE, chain(_header_parts(name, f"#{leg}"), body))


def row_height(lines: int) -> int:
    return max(60, min(84, 700 // max(lines, 1)))


def _header_parts(name: str, label: str) -> Iterator[Placed]:
    """Yield the parts of the header: a cup, its name and, on the right, a label of digits."""
    left, width = SIDE + 150, round(text_width(label, 60))
    yield _cup_part(), SIDE, SIDE
    room = WIDTH - SIDE - left - width - GAP
    yield lettering_part(drawable_text(name) or "–", room, 130, 60, colours.PALE, middle=False), left, SIDE
    yield label_part((WIDTH - SIDE - width / 2, SIDE + 65), label, 60, colours.AMBER)


def _bracket_parts(view: BracketView, top: int, row: int) -> Iterator[Placed]:
    """Yield a line for each entrant. In each leg, the lines of the entrants who meet are joined.

    The score stands on the lines of the entrants who advance. The open leg is amber.
    """
    width, newest = ROW_WIDTH - len(view.legs) * COLUMN, view.legs[-1]
    lefts = {leg: SIDE + width + at * COLUMN for at, leg in enumerate(view.legs)}
    for leg, left in lefts.items():
        ink = colours.AMBER if view.open and leg == newest else colours.MUTED
        yield label_part((left + (_BEND + COLUMN) / 2, top - NUMBERS / 2), str(leg), LETTERING, ink)
    middles = {one: top + at * row + row // 2 for at, one in enumerate(view.lines)}
    for one, person in view.lines.items():
        yield from _person_parts(person, (SIDE, middles[one] - row // 2, width, row), (SIDE + 12, SIDE + width - 12))
    for meeting in view.meetings:
        left, heights = lefts[meeting.leg], [middles[one] for one in meeting.entrants]
        is_open = view.open and meeting.leg == newest and len(heights) > 1
        colour = colours.AMBER if is_open else colours.SET_EDGE
        for one in meeting.entrants:
            right = COLUMN if one in meeting.advancing and meeting.leg != newest else _BEND
            yield _bar((left, middles[one] - 3, left + right, middles[one] + 3), colour)
        yield _bar((left + _BEND - 3, min(heights) - 3, left + _BEND + 3, max(heights) + 3), colour)
        for one in meeting.advancing if len(heights) > 1 else ():
            centre = left + (_BEND + COLUMN) / 2, middles[one]
            yield label_part(centre, meeting.score or "–", LETTERING, colours.PALE, halo=6)


def _table_parts(view: TableView, top: int, row: int) -> Iterator[Placed]:
    """Yield lines with place, places won or lost, name, a bar for the percentage in each leg, and total.

    A bar is green from 50 % on. The bar of the leg that does not count is grey and struck out.
    """
    legs = max((len(line.shares) for line in view.lines), default=0)
    pitch, right = min(46, 364 // max(legs, 1)), WIDTH - SIDE - 16
    bars = right - round(max((text_width(line.total, LETTERING) for line in view.lines), default=0)) - 20 - legs * pitch
    left = SIDE + (2 * _PLACE_COLUMN if any(line.moved for line in view.lines) else _PLACE_COLUMN)
    for at, line in enumerate(view.lines):
        person, y, middle = line.person, top + at * row, top + at * row + row // 2
        ground, ink = _colours_of(person)
        yield from _person_parts(person, (SIDE, y, ROW_WIDTH, row), (left, bars - 10))
        dark = colours.INK if person.won else colours.MUTED
        yield label_part((SIDE + _PLACE_COLUMN / 2, middle), str(line.place), LETTERING, dark, ground)
        if line.moved:
            yield label_part((SIDE + _PLACE_COLUMN * 3 / 2 - 6, middle), f"{line.moved:+}", LETTERING, dark, ground)
        for leg, share in enumerate(line.shares):
            x, high, low = bars + leg * pitch, y + row - 11 - max(4, round((row - 22) * share / 100)), y + row - 11
            yield _bar((x - 3, y + 8, x + pitch - 3, y + row - 8), colours.WELL)
            yield _bar(
                (x, high, x + pitch - 6, low),
                colours.RIM if leg == line.worst else colours.MINT if share >= 50 else colours.ROSE,
            )
            if leg == line.worst:
                yield _bar((x - 3, (high + low) // 2 - 2, x + pitch - 3, (high + low) // 2 + 2), colours.PALE)
        yield label_part((right - text_width(line.total, LETTERING) / 2, middle), line.total, LETTERING, ink, ground)


def _person_parts(person: Person, box: Room, name: tuple[int, int]) -> Iterator[Placed]:
    """Yield the ground of an entrant's line and, between the left and right edge in ``name``, the name.

    The name is a dash if none of its characters can be drawn.
    """
    (left, top, width, height), (ground, ink) = box, _colours_of(person)
    yield _box_part(width, height - 4, ground, colours.AMBER if person.own else ground), left, top + 2
    text, room = drawable_text(person.name) or "–", name[1] - name[0]
    yield cut_out(lettering_part(text, room, height, LETTERING, ink, ground, middle=False)), name[0], top


def _colours_of(person: Person) -> tuple[str, str]:
    """Return the colours of ground and name: golden for a winner, a darker name for an entrant who left or is out."""
    ground = colours.GOLD if person.won else colours.CELL if person.own else colours.WELL
    return ground, colours.INK if person.won else colours.PALE if person.active else colours.MUTED


def _bar(box: Room, colour: str) -> Placed:
    left, top, right, bottom = box
    return Part(np.full((bottom - top, right - left), _find_tone(colour))), left, top


@cache
def _find_tone(colour: str) -> np.uint8:
    return np.uint8(to_part(Image.new("RGB", (1, 1), colour)).tones[0, 0])


@lru_cache(maxsize=64)
def _box_part(width: int, height: int, ground: str, edge: str) -> Part:
    pen = Pen(width, height)
    pen.box((0, 0, width, height), 16, ground, edge, 4)
    return pen.to_part()


@cache
def _cup_part() -> Part:
    pen = Pen(130, 130)
    edge = colours.CHIP_COLOURS[Chip.GOLD][1]
    for x in (27, 103):
        pen.disc((x, 35), 22, None, colours.GOLD, 8)
    pen.box((59, 65, 71, 115), 0, edge)
    pen.box((35, 110, 95, 126), 6, colours.GOLD)
    pen.box((27, 6, 103, 87), 36, colours.GOLD, corners=(False, False, True, True))
    pen.box((22, 3, 108, 16), 6, edge)
    return pen.to_part()


MOST_NAMED = 24
"""If more than this number have entered a cup, the picture of its sign-up has no names."""
_SEATS_IN_ROW = 32
_WIDEST_SEAT = 84
_ENTRANT_WIDTH, _ENTRANT_HEIGHT = (ROW_WIDTH - GAP) // 2, 66
_ENTRANT_NAME = 52
"""The height of the line with an entrant's name."""


def sign_up_png(name: str, most: int, entrants: Sequence[tuple[int, str]]) -> bytes:
    """Draw a cup's name, the number of its entrants, and its ``most`` seats as a PNG 1040 pixels wide.

    Small seats stand in rows, with a piece for each entrant. Below them are the names, two in a row, unless there are
    more than ``MOST_NAMED``. An entrant's number decides the piece, so it stays the same when others withdraw.
    """
    parts, top = list(_header_parts(name, f"{len(entrants)}/{most}")), SIDE + HEADER
    columns = min(most, _SEATS_IN_ROW)
    pitch = min(ROW_WIDTH // columns, _WIDEST_SEAT)
    left = (WIDTH - columns * pitch) // 2
    for at in range(most):
        piece = entrants[at][0] % len(colours.PIECES) if at < len(entrants) else None
        parts.append((_small_seat_part(piece, pitch), left + at % columns * pitch, top + at // columns * pitch))
    top += -(-most // columns) * pitch
    named = entrants if len(entrants) <= MOST_NAMED else ()
    for at, (number, entrant) in enumerate(named):
        x, y = SIDE + at % 2 * (_ENTRANT_WIDTH + GAP), top + GAP + at // 2 * (_ENTRANT_HEIGHT + GAP)
        parts.append((_entrant_part(number % len(colours.PIECES)), x, y))
        text, room = drawable_text(entrant) or "–", _ENTRANT_WIDTH - _ENTRANT_HEIGHT - 12
        line = lettering_part(text, room, _ENTRANT_NAME, LETTERING, colours.PALE, colours.WELL, middle=False)
        parts.append((line, x + _ENTRANT_HEIGHT, y + (_ENTRANT_HEIGHT - _ENTRANT_NAME) // 2))
    return framed_png(WIDTH, top + -(-len(named) // 2) * (_ENTRANT_HEIGHT + GAP) + SIDE, parts)


@lru_cache(maxsize=256)
def _small_seat_part(piece: int | None, pitch: int) -> Part:
    pen = Pen(pitch, pitch)
    centre = (pitch / 2, pitch / 2)
    if piece is None:
        pen.disc(centre, pitch * 0.32, colours.WELL, colours.RIM, max(2, pitch * 0.04))
    else:
        pen.piece(piece, centre, pitch * 0.42)
    return pen.to_part()


@lru_cache(maxsize=8)
def _entrant_part(piece: int) -> Part:
    pen = Pen(_ENTRANT_WIDTH, _ENTRANT_HEIGHT)
    pen.box((0, 0, _ENTRANT_WIDTH, _ENTRANT_HEIGHT), 18, colours.WELL)
    pen.piece(piece, (_ENTRANT_HEIGHT / 2, _ENTRANT_HEIGHT / 2), 23)
    return pen.to_part()
