"""The contents of a cup's pictures, made of the legs that are closed; numbers as the current language writes them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from bot.domain.cup import CupLeg, CupView
from bot.domain.cup_draw import Format, make_table
from bot.domain.cup_leg import Group, Leg, count_points, decide_group, play_match, share_of
from bot.locales import format_number
from highscore.cards import Card

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

    lines: Mapping[int, Person]
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
    """The places won or, below 0, lost with the newest leg."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The table of a league, or its first lines."""

    lines: tuple[TableLine, ...]
    more: int
    """The number of entrants who are not in it."""


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


def bracket_view(view: CupView, own: int | None = None) -> BracketView | None:
    """Return the bracket from the first leg on of which all have room; None while there is none."""
    rounds = [_meet(leg) for leg in view.legs]
    while rounds and sum(len(each.who) for each in rounds[0]) > MOST_LINES:
        del rounds[0]
    if not rounds:
        return None
    blocks = {one: [one] for each in rounds[0] for one in each.who}
    for each in chain(*rounds):
        blocks[each.who[0]] = [one for other in each.who for one in blocks.pop(other)]
    people = _people(view, chain(*blocks.values()), own)
    legs = tuple(leg.number for leg in view.legs[-len(rounds) :])
    return BracketView(people, tuple(chain(*rounds)), legs, view.open_leg is not None)


def _meet(opened: CupLeg) -> list[Meeting]:
    """Return who meets in a leg, with what came of it once it is closed."""
    number, leg = opened.number, opened.leg
    byes = [Meeting(number, (bye,), (bye,)) for bye in leg.byes]
    if opened.closed_at is None:
        return [Meeting(number, group.entrants) for group in leg.groups] + byes
    return [_meet_group(number, group, leg) for group in leg.groups] + byes


def _meet_group(number: int, group: Group, leg: Leg) -> Meeting:
    on, points = decide_group(group, leg).on, _tell_points(group, leg)
    who = tuple(sorted(group.entrants, key=lambda one: one not in on))
    scores = [points[one] for one in who if one in points]
    return Meeting(number, who, on, ":".join(scores if len(scores) == 2 else scores[:1]))


def _tell_points(group: Group, leg: Leg) -> dict[int, str]:
    """Return the cards that each of two won, or the points of three; of those who have begun, if others have, too."""
    begun = leg.attempts_in(group)
    if len(begun) == 2:
        one, other = begun
        match = play_match(begun[one], begun[other])
        return {one: str(match.won), other: str(match.lost)}
    return {one: _number(count_points(one, begun)) for one in begun if len(begun) > 1}


def _number(value: Fraction) -> str:
    return format_number(float(value), 1) if value.denominator > 1 else str(value)


def _people(view: CupView, entrants: Iterable[int], own: int | None = None) -> dict[int, Person]:
    there, won = view.remaining, view.winners
    return {one: Person(view.cup.entrants[one].name, one in there, one in won, one == own) for one in entrants}


def table_view(view: CupView, own: int | None = None) -> TableView:
    """Return a league's table after the legs that are closed, of a long one the first lines and one's own.

    Raises ValueError before the start.
    """
    cup, closed = view.cup, view.closed
    table = [line for line in make_table(cup.contest, closed, cup.gone) if cup.entrants[line.entrant].left != 0]
    earlier = make_table(cup.contest, closed[:-1], closed[-2].left) if len(closed) > 1 else table
    places = {line.entrant: line.place for line in earlier}
    people = _people(view, places, own)
    digits = any(line.total.denominator > 1 for line in table)
    lines = []
    for line in table:
        total = format_number(float(line.total), 1) if digits else str(line.total)
        moved = 0 if line.left else places[line.entrant] - line.place
        shares = tuple(map(float, line.shares))
        lines.append(TableLine(people[line.entrant], line.place, total, shares, line.worst, moved))
    shown = lines[:MOST_LINES]
    shown[-1:] = [line for line in lines[MOST_LINES:] if line.person.own] or shown[-1:]
    return TableView(tuple(shown), len(lines) - len(shown))


def match_view(view: CupView, leg: int, at: int) -> MatchView:
    """Return a group of a leg, the leg from 1 and the group from 0. Raises ValueError for a leg that is open."""
    opened = view.legs[leg - 1]
    if opened.closed_at is None:
        raise ValueError("nobody sees anything of a leg that is open")
    group = opened.leg.groups[at]
    begun = opened.leg.attempts_in(group)
    if view.cup.format is Format.LEAGUE:
        shares = {one: share_of(one, opened.leg) for one in begun}
        points = {one: _number(share) for one, share in shares.items()}
        best = tuple(one for one, share in shares.items() if share == max(shares.values()) > 0)
        order = sorted(begun, key=lambda one: -shares[one])
    else:
        points, best = _tell_points(group, opened.leg), decide_group(group, opened.leg).on
        order = sorted(begun, key=lambda one: one not in best)
    people = _people(view, order)
    columns = (MatchColumn(people[one], begun[one].results, points.get(one, ""), one in best) for one in order)
    return MatchView(leg, group.source.draw_cards(view.cup.deck), tuple(columns))
