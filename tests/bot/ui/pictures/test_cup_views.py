"""The contents of the pictures of cups: the bracket and its parts, the table, a group, the winners."""

import random
from dataclasses import replace

import pytest

from bot.domain.cup import CupView
from bot.domain.cup_draw import Format, make_table
from bot.ui.pictures.cup import bracket_view, table_view
from tests.bot.domain.cups import Chance
from tests.bot.ui.pictures.cup_samples import bracket_of, played_view, renamed

LEAGUE = Format.LEAGUE


def opened(view: CupView) -> CupView:
    """Return a cup before its last closed leg was closed, but with what was played in it."""
    last = replace(view.legs[-1], closed_at=None)
    return replace(view, legs=(*view.legs[:-1], last))


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


@pytest.mark.parametrize("form", Format)
def test_nothing_of_an_open_leg_is_told_though_it_is_known(form: Format) -> None:
    known = opened(played_view(8, form, 2, length=3) if form is LEAGUE else played_view(8, form, 3))
    unplayed = replace(known.legs[-1], leg=replace(known.legs[-1].leg, played={}))
    unknown = replace(known, legs=(*known.legs[:-1], unplayed))
    view = table_view if form is LEAGUE else bracket_view
    assert view(known, 1) == view(unknown, 1)
    assert known.winners == ()


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


def test_whoever_has_left_a_league_has_the_place_of_their_closed_legs_and_is_marked() -> None:
    view = played_view(16, LEAGUE, 3, chance=Chance(random.Random(2), 1.0, 0.1, 30, 1.0))
    assert view.cup.gone
    left = [line.entrant in view.cup.gone for line in make_table(view.cup.contest, view.closed)]
    assert [not line.person.there for line in table_view(view).lines] == left
    assert left != sorted(left)


def test_a_deleted_person_has_no_name() -> None:
    view = renamed(played_view(13, legs=1), {0: ""})
    assert [person.name for person in bracket_of(view, 0).lines.values() if person.own] == [""]
