"""The contents of a cup's pictures, made of the legs that are closed; numbers as the current language writes them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction

from bot.domain.cup import CupLeg, CupView
from bot.domain.cup_draw import Format, make_table
from bot.domain.cup_leg import Group, Leg, Reason, decide_group, play_match, share_of
from bot.locales import format_number
from highscore.cards import Card

MOST_LINES = 16
"""The most people in one picture."""
_FIRST = 3
"""The lines at the top of a long table that are in every part of it."""

Spot = tuple[int, int]
"""A meeting of a leg, and the place of somebody in it."""


@dataclass(frozen=True, slots=True)
class Person:
    """An entrant in a picture."""

    name: str
    """Empty once their data is deleted."""
    left: bool = False
    there: bool = True
    """False for whoever has left or is out."""
    won: bool = False
    own: bool = False
    """True for the one around whom the picture is."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A group of a knockout, or somebody alone who has a bye."""

    leg: int
    who: tuple[int, ...]
    """Those who go on first. They are entrants, or in a view lines of it."""
    on: tuple[int, ...] = ()
    """Those who go on; nobody while the leg is open."""
    score: str = ""
    """The cards won and lost by whoever goes on, or their points of three; empty where nothing was compared."""
    why: Reason | None = None
    """None for a bye and while the leg is open."""

    @property
    def level(self) -> bool:
        """True if the points did not decide."""
        return bool(self.score) and self.why is not Reason.POINTS


@dataclass(frozen=True, slots=True)
class BracketView:
    """The bracket of a knockout, or a part of it."""

    people: tuple[Person, ...]
    """Those who met stand together, whoever went on first."""
    meetings: tuple[Meeting, ...]
    legs: tuple[int, ...]
    """The numbers of the legs in it."""
    open: bool
    """True if the last of them is open."""
    more: int
    """The number of those who are not in it; whoever left before the first leg is in none."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """Somebody's line in a league's table, or an opponent on the way to the title."""

    person: Person
    place: int = 0
    """The place, or the leg in which the opponent was met."""
    total: str = ""
    """The sum, or the score against the opponent."""
    shares: tuple[float, ...] = ()
    """The percent of each leg."""
    worst: int | None = None
    """The leg that does not count, from 0."""
    moved: int = 0
    """The places won or, below 0, lost with the newest leg."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The table of a league, or a part of it."""

    lines: tuple[TableLine | None, ...]
    """None stands for lines that are left out."""
    more: int
    """The number of entrants who are not in it."""


@dataclass(frozen=True, slots=True)
class LegView:
    """A leg that opens."""

    name: str
    """The cup's."""
    number: int
    legs: int
    hours: int
    people: int
    """Those who are compared, so without byes."""


@dataclass(frozen=True, slots=True)
class MatchColumn:
    """Somebody's results in a group."""

    person: Person
    results: tuple[int, ...]
    """The results of the finished cards, the first ones of the leg."""
    points: str
    """The cards won; of three the points; in a league the percent. Empty where nothing was compared."""
    best: bool
    """True for whoever goes on, or has the highest percent."""


@dataclass(frozen=True, slots=True)
class MatchView:
    """A group of a leg, card by card; without those who have not begun, and the best first."""

    leg: int
    cards: tuple[Card, ...]
    columns: tuple[MatchColumn, ...]

    def best_of(self, card: int) -> tuple[int, ...]:
        """Return the columns with the best result of a card, from 0; nobody where nobody has finished it."""
        counted = [max(each.results[card], 0) if card < len(each.results) else -1 for each in self.columns]
        return tuple(at for at, value in enumerate(counted) if value == max(counted) >= 0)


@dataclass(frozen=True, slots=True)
class WinnerView:
    """The winner of a cup, or those who share it, and the way to the title."""

    people: tuple[Person, ...]
    lines: tuple[TableLine | None, ...]
    """In a league the table; in a knockout the opponents of each, below their name where several share it."""


def bracket_view(view: CupView, around: int | None = None) -> BracketView:
    """Return the bracket from the first leg on or, of a large cup, from the first leg of which all have room.

    ``around`` somebody it is a part with the last leg that they were in. If not even the last leg has room, its first
    groups are shown. Raises ValueError before the first leg.
    """
    if not view.legs:
        raise ValueError("a cup that has not started has no bracket")
    rounds = [_meetings(each) for each in view.legs]
    ways = [_way_of(one, rounds) for one in range(len(view.cup.entrants))]
    first, last, people = _find_part(rounds, ways, around)
    legs = range(first, last + 1)
    order = sorted(people, key=lambda one: [(leg >= len(ways[one]), *ways[one][leg : leg + 1]) for leg in legs[::-1]])
    rows = {one: row for row, one in enumerate(order)}
    meetings = tuple(
        replace(each, who=tuple(rows[one] for one in each.who), on=tuple(rows[one] for one in each.on))
        for leg in legs
        for each in rounds[leg]
        if each.who[0] in rows
    )
    is_open, numbers = view.legs[last].closed_at is None, tuple(leg + 1 for leg in legs)
    return BracketView(_people(view, order, around), meetings, numbers, is_open, sum(map(bool, ways)) - len(order))


def _meetings(leg: CupLeg) -> list[Meeting]:
    """Return who meets in a leg, with what came of it once it is closed."""
    meetings = [_meet(group, leg) for group in leg.leg.groups]
    return meetings + [Meeting(leg.number, (bye,), (bye,)) for bye in leg.leg.byes]


def _meet(group: Group, leg: CupLeg) -> Meeting:
    if leg.closed_at is None:
        return Meeting(leg.number, group.entrants)
    on, why = decide_group(group, leg.leg)
    who = tuple(sorted(group.entrants, key=lambda one: one not in on))
    points = _count_points(group, leg.leg)
    scores = [points[one] for one in who if one in points]
    return Meeting(leg.number, who, on, ":".join(scores) if len(scores) == 2 else "".join(scores[:1]), why)


def _count_points(group: Group, leg: Leg) -> dict[int, str]:
    """Return the cards that each of two won, or the points of three; of those who have begun, if others have, too."""
    begun = {one: attempt for one in group.entrants if (attempt := leg.attempt_of(one)) is not None}
    matches = {
        one: [play_match(own, other) for rival, other in begun.items() if rival != one] for one, own in begun.items()
    }
    if len(begun) == 2:
        return {one: str(match.won) for one, (match,) in matches.items()}
    return {one: _number(sum((match.points for match in met), Fraction())) for one, met in matches.items() if met}


def _number(value: Fraction) -> str:
    return format_number(float(value), 1) if value.denominator > 1 else str(value)


def _way_of(entrant: int, rounds: Sequence[list[Meeting]]) -> list[Spot]:
    """Return somebody's spot in each leg and, once they are out, that of whoever went on in their place."""
    way: list[Spot] = []
    for meetings in rounds:
        met = next((at for at, each in enumerate(meetings) if entrant in each.who), None)
        if met is None:
            break
        way.append((met, meetings[met].who.index(entrant)))
        if entrant not in meetings[met].on:
            entrant = next(iter(meetings[met].on), -1)
    return way


def _find_part(
    rounds: Sequence[list[Meeting]], ways: Sequence[list[Spot]], around: int | None
) -> tuple[int, int, set[int]]:
    """Return the first and the last leg of a part that has room, from 0, and the people in it."""
    playing = [{one for each in meetings for one in each.who} for meetings in rounds]
    own = last = len(rounds) - 1
    parts = [(last, playing[0])]
    if around is not None and (way := ways[around]):
        own = max(leg for leg in range(len(way)) if around in playing[leg])
        for leg in reversed(range(own, len(way))):
            met = way[leg][0]
            parts += [(leg, {one for one in playing[0] if any(spot[0] == met for spot in ways[one][leg : leg + 1])})]
    for end, part in parts:
        for first in range(own + 1):
            if len(people := playing[first] & part) <= MOST_LINES:
                return first, end, people
    groups = rounds[last][: MOST_LINES // max(len(each.who) for each in rounds[last])]
    return last, last, {one for each in groups for one in each.who}


def _people(view: CupView, entrants: Iterable[int], around: int | None = None) -> tuple[Person, ...]:
    remaining, winners = view.remaining, view.winners
    each = ((one, view.cup.entrants[one]) for one in entrants)
    return tuple(
        Person(
            entrant.name,
            entrant.left is not None,
            one in remaining,
            one in winners,
            one == around,
        )
        for one, entrant in each
    )


def table_view(view: CupView, around: int | None = None) -> TableView:
    """Return a league's table after the legs that are closed: all of it, its first lines, or the part around somebody.

    Raises ValueError before the start.
    """
    lines = _table_lines(view, around)
    at = next((at for at, line in enumerate(lines) if line.person.own), 0)
    shown: list[TableLine | None] = [*lines[:MOST_LINES]]
    if at >= MOST_LINES:
        room = MOST_LINES - _FIRST - 1
        first = min(at - room // 2, len(lines) - room)
        shown = [*lines[:_FIRST], None, *lines[first : first + room]]
    return TableView(tuple(shown), len(lines) - sum(line is not None for line in shown))


def _table_lines(view: CupView, around: int | None = None) -> list[TableLine]:
    contest, closed = view.cup.contest, view.closed
    entrants = view.cup.entrants
    table = [line for line in make_table(contest, closed, view.cup.gone) if entrants[line.entrant].left != 0]
    earlier = make_table(contest, closed[:-1], closed[-2].left) if len(closed) > 1 else table
    places = {line.entrant: line.place for line in earlier}
    people = _people(view, (line.entrant for line in table), around)
    digits = any(line.total.denominator > 1 for line in table)
    lines = []
    for person, line in zip(people, table, strict=True):
        total = format_number(float(line.total), 1) if digits else str(line.total)
        moved = 0 if line.left else places[line.entrant] - line.place
        lines.append(TableLine(person, line.place, total, tuple(map(float, line.shares)), line.worst, moved))
    return lines


def leg_view(view: CupView) -> LegView:
    """Return the leg that was opened last. Raises IndexError before the first leg."""
    opened, league = view.legs[-1], view.cup.format is Format.LEAGUE
    groups, byes = opened.leg.groups, opened.leg.byes
    legs = view.cup.length if league else opened.number + (len(groups) + len(byes) - 1).bit_length()
    hours = round((opened.ends_at - opened.began_at) / timedelta(hours=1))
    people = sum(len(group.entrants) for group in groups)
    return LegView(view.cup.name, opened.number, legs, hours, people)


def match_view(view: CupView, leg: int, at: int) -> MatchView:
    """Return a group of a leg, the leg from 1 and the group from 0. Raises ValueError for a leg that is open."""
    opened = view.legs[leg - 1]
    if opened.closed_at is None:
        raise ValueError("nobody sees anything of a leg that is open")
    group = opened.leg.groups[at]
    begun = {one: attempt for one in group.entrants if (attempt := opened.leg.attempt_of(one)) is not None}
    if view.cup.format is Format.LEAGUE:
        shares = {one: share_of(one, opened.leg) for one in begun}
        points = {one: _number(share) for one, share in shares.items()}
        best = tuple(one for one, share in shares.items() if share == max(shares.values()) > 0)
        order = sorted(begun, key=lambda one: -shares[one])
    else:
        points, best = _count_points(group, opened.leg), decide_group(group, opened.leg).on
        order = sorted(begun, key=lambda one: one not in best)
    columns = (
        MatchColumn(person, begun[one].results, points.get(one, ""), one in best)
        for one, person in zip(order, _people(view, order), strict=True)
    )
    return MatchView(leg, group.source.draw_cards(view.cup.deck), tuple(columns))


def winner_view(view: CupView) -> WinnerView | None:
    """Return who has won, and how; None where nobody has, or not yet."""
    won = view.winners
    if not won:
        return None
    people = _people(view, won)
    if view.cup.format is Format.LEAGUE:
        return WinnerView(people, table_view(view).lines)
    met = [each for leg in view.legs for each in _meetings(leg) if len(each.who) > 1]
    lines: list[TableLine | None] = []
    for one, person in zip(won, people, strict=True):
        lines += [TableLine(person)] if len(won) > 1 else ()
        for each in met:
            if one in each.who:
                others = _people(view, (other for other in each.who if other != one))
                lines += [TableLine(Person(other.name), each.leg, each.score or "–") for other in others]
    return WinnerView(people, tuple(lines))
