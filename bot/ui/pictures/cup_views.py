"""The contents of a cup's pictures, made of the legs that are closed; numbers as the current language writes them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain

from bot.domain.cup import CupLeg, CupView
from bot.domain.cup_leg import Group, Leg, count_points, decide_group, play_match
from bot.locales import format_number

MOST_LINES = 16
"""The most people in one picture."""


@dataclass(frozen=True, slots=True)
class Person:
    """An entrant in a picture."""

    name: str
    """Empty once their data is deleted."""
    there: bool = True
    """False for whoever has left or is out."""
    won: bool = False
    own: bool = False
    """True for the one who looks at it."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A group of a knockout, or somebody alone who has a bye; entrants by their numbers."""

    leg: int
    who: tuple[int, ...]
    """Those who go on first."""
    on: tuple[int, ...] = ()
    """Those who go on; nobody while the leg is open."""
    score: str = ""
    """The cards won and lost by whoever goes on, or their points of three; empty where nothing was compared."""


@dataclass(frozen=True, slots=True)
class BracketView:
    """The bracket of a knockout, or its last legs."""

    lines: Mapping[int, Person] = field(hash=False)
    """The entrants by their numbers. Those who met stand together, whoever went on first."""
    meetings: tuple[Meeting, ...]
    legs: tuple[int, ...]
    """The numbers of the legs in it."""
    open: bool
    """True if the last of them is open."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """Somebody's line in a league's table."""

    person: Person
    place: int
    total: str
    shares: tuple[float, ...] = ()
    """The percent of each leg."""
    worst: int | None = None
    """The leg that does not count, from 0."""
    moved: int = 0
    """As in ``cup_draw.Line``."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The table of a league, or its first lines."""

    lines: tuple[TableLine, ...]
    more: int
    """The number of entrants who are not in it."""


def bracket_view(view: CupView, own: int | None = None) -> BracketView | None:
    """Return the bracket from the first leg on of which all have room; None while there is none."""
    rounds = [_meet(each) for each in view.legs if _count_playing(each.leg) <= MOST_LINES]
    if not rounds:
        return None
    blocks = {one: [one] for each in rounds[0] for one in each.who}
    for each in chain(*rounds):
        blocks[each.who[0]] = [one for other in each.who for one in blocks.pop(other)]
    people = _people(view, chain(*blocks.values()), own)
    legs = tuple(leg.number for leg in view.legs[-len(rounds) :])
    return BracketView(people, tuple(chain(*rounds)), legs, view.open_leg is not None)


def _count_playing(leg: Leg) -> int:
    return len(leg.byes) + sum(len(group.entrants) for group in leg.groups)


def _meet(opened: CupLeg) -> list[Meeting]:
    """Return who meets in a leg, with what came of it once it is closed."""
    number, leg = opened.number, opened.leg
    byes = [Meeting(number, (bye,), (bye,)) for bye in leg.byes]
    if opened.closed_at is None:
        return [Meeting(number, group.entrants) for group in leg.groups] + byes
    return [_meet_group(number, group, leg) for group in leg.groups] + byes


def _meet_group(number: int, group: Group, leg: Leg) -> Meeting:
    on, begun, score = decide_group(group, leg).on, leg.attempts_in(group), ""
    who = tuple(sorted(group.entrants, key=lambda one: one not in on))
    first, *others = [one for one in who if one in begun] or who
    if len(begun) == 2:
        match = play_match(begun[first], begun[others[0]])
        score = f"{match.won}:{match.lost}"
    elif len(begun) > 2:
        score = format_points(count_points(first, begun))
    return Meeting(number, who, on, score)


def format_points(value: Fraction) -> str:
    """Return points or a percent, with a decimal only if there is one."""
    return format_number(float(value), 1) if value.denominator > 1 else str(value)


def _people(view: CupView, entrants: Iterable[int], own: int | None = None) -> dict[int, Person]:
    there, won = view.remaining, view.winners
    return {one: Person(view.cup.entrants[one].name, one in there, one in won, one == own) for one in entrants}


def table_view(view: CupView, own: int | None = None) -> TableView:
    """Return a league's table after the legs that are closed, of a long one the first lines and one's own.

    Raises ValueError before the start.
    """
    table = view.standing
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
