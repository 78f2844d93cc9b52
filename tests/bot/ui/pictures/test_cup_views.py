"""The contents of the pictures of cups: the bracket and its parts, the table, a group, the winners."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.domain.cup import CupView
from bot.domain.cup_draw import Format, make_table
from bot.domain.cup_leg import Played
from bot.ui.pictures.cup import MOST_LINES, bracket_view, table_view
from tests.bot.domain.cups import Chance, cup_of
from tests.bot.ui.pictures.cup_samples import bracket_of, final_of, played_view, renamed, view_of

LEAGUE = Format.LEAGUE


def opened(view: CupView) -> CupView:
    """Return a cup before its last closed leg was closed, but with what was played in it."""
    last = replace(view.legs[-1], closed_at=None)
    return replace(view, legs=(*view.legs[:-1], last))


@pytest.mark.parametrize("number", range(10))
def test_who_meets_stands_together_whoever_comes_leaves_or_has_a_bye(number: int) -> None:
    chance = Chance.seeded(number)
    entrants = 3 + chance.chance.randrange(14)
    for legs in range(5):
        view = played_view(entrants, legs=legs, chance=replace(chance, chance=random.Random(number)))
        bracket = bracket_of(view)
        drawn = view.legs[0].leg
        assert {*bracket.lines} == {*drawn.byes}.union(*(group.entrants for group in drawn.groups))
        rows = {one: row for row, one in enumerate(bracket.lines)}
        for leg in bracket.legs:
            met = [[rows[one] for one in each.who] for each in bracket.meetings if each.leg == leg]
            spans = sorted((min(each), max(each)) for each in met)
            assert all(before[1] < after[0] for before, after in pairwise(spans)), "lines would cross"
        assert bracket.open is (view.open_leg is not None)
        to_come = [each for each in bracket.meetings if bracket.open and each.leg == len(view.legs)]
        assert all(each.score == "" for each in to_come)
        assert all(each.on == () for each in to_come if len(each.who) > 1)


def test_a_meeting_says_who_went_on_and_by_how_much() -> None:
    view = bracket_of(played_view(16))
    assert view.legs == (1, 2, 3, 4)
    assert view.meetings[-1].on == view.meetings[-1].who[:1]
    first, *others = view.lines
    assert (first,) == view.meetings[-1].on
    assert view.lines[first].won
    assert not any(view.lines[one].won or view.lines[one].there for one in others)
    three = bracket_of(played_view(6)).meetings[0]
    assert len(three.who) == 3
    assert three.score == "8.5"
    bye = next(each for each in bracket_of(played_view(7)).meetings if len(each.who) == 1)
    assert (bye.on, bye.score) == (bye.who, "")


@pytest.mark.parametrize("entrants", [17, 40, 128])
def test_a_large_cup_has_a_bracket_from_the_leg_on_in_which_all_have_room(entrants: int) -> None:
    for legs in range(8):
        view = played_view(entrants, legs=legs)
        playing = {
            leg.number: sum(len(each.entrants) for each in leg.leg.groups) + len(leg.leg.byes) for leg in view.legs
        }
        fitting = [number for number, people in playing.items() if people <= MOST_LINES]
        bracket = bracket_view(view)
        assert (() if bracket is None else bracket.legs) == tuple(fitting)
        assert bracket is None or len(bracket.lines) == playing[bracket.legs[0]]


@pytest.mark.parametrize("form", Format)
def test_nothing_of_an_open_leg_is_told_though_it_is_known(form: Format) -> None:
    known = opened(played_view(8, form, 2, length=3) if form is LEAGUE else played_view(8, form, 3))
    unplayed = replace(known.legs[-1], leg=replace(known.legs[-1].leg, played={}))
    unknown = replace(known, legs=(*known.legs[:-1], unplayed))
    view = table_view if form is LEAGUE else bracket_view
    assert view(known, 1) == view(unknown, 1)
    assert known.winners == ()


def test_nothing_is_shown_of_a_cup_that_has_not_started() -> None:
    started = played_view(8, LEAGUE, 0)
    empty = CupView(replace(started.cup, opening=None), ())
    assert bracket_view(empty) is None
    with pytest.raises(ValueError, match="not started"):
        table_view(empty)


def test_the_table_has_sums_the_worst_leg_and_how_far_everybody_moved() -> None:
    view = played_view(12, LEAGUE, 5)
    table = make_table(view.cup.contest, view.closed)
    before = {line.entrant: line.place for line in make_table(view.cup.contest, view.closed[:-1])}
    shown = table_view(view).lines
    for line, told in zip(table, shown, strict=True):
        assert (told.place, told.worst) == (line.place, line.worst)
        assert told.total == f"{float(line.total):.1f}"
        assert told.moved == before[line.entrant] - line.place
    assert all(line.moved == 0 for line in table_view(played_view(12, LEAGUE, 1)).lines)


def test_a_long_table_has_its_first_lines_and_ones_own() -> None:
    view = played_view(40, LEAGUE, 2)
    order = [line.entrant for line in make_table(view.cup.contest, view.closed)]
    first = table_view(view).lines
    for at, one in enumerate(order):
        part = table_view(view, one)
        assert (len(part.lines), part.more) == (MOST_LINES, 40 - MOST_LINES)
        assert part.lines[min(at, MOST_LINES - 1)].person.own
        assert [replace(line, person=replace(line.person, own=False)) for line in part.lines[:-1]] == [*first[:-1]]


def test_whoever_has_left_a_league_has_the_place_of_their_closed_legs_and_is_marked() -> None:
    view = played_view(16, LEAGUE, 3, chance=Chance(random.Random(2), 1.0, 0.1, 30, 1.0))
    assert view.cup.gone
    left = [line.entrant in view.cup.gone for line in make_table(view.cup.contest, view.closed)]
    assert [not line.person.there for line in table_view(view).lines] == left
    assert left != sorted(left)


def test_whoever_left_before_the_first_leg_is_in_no_table_and_in_no_bracket() -> None:
    contests = [cup_of(6), cup_of(6, LEAGUE, 3)]
    bracket, table = (view_of(contest, [], {2: 0}) for contest in contests)
    assert 2 not in bracket_of(bracket).lines
    assert len(table_view(table).lines) == 5


def test_a_final_that_is_level_is_shared() -> None:
    view, pair = final_of(Played((7,) * 7), Played((7,) * 7))
    bracket = bracket_of(view)
    assert {one for one, person in bracket.lines.items() if person.won} == {*pair}
    assert {*bracket.meetings[-1].on} == {*pair}
    nobody, _pair = final_of(None, None)
    assert not any(person.won for person in bracket_of(nobody).lines.values())


def test_a_deleted_person_has_no_name() -> None:
    view = renamed(played_view(13, legs=1), {0: ""})
    assert [person.name for person in bracket_of(view, 0).lines.values() if person.own] == [""]
