"""The contents of the pictures of cups: the bracket and its parts, the table, a group, the winners."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.domain.cup import CupView
from bot.domain.cup_draw import Format, make_table
from bot.domain.cup_leg import Played, Reason
from bot.ui.pictures.cup_views import (
    MOST_LINES,
    bracket_view,
    leg_view,
    match_view,
    table_view,
    winner_view,
)
from tests.bot.domain.cups import Chance, cup_of
from tests.bot.ui.pictures.cup_samples import final_of, played_view, renamed, view_of

LEAGUE = Format.LEAGUE


def opened(view: CupView) -> CupView:
    """Return a cup before its last closed leg was closed, but with what was played in it."""
    last = replace(view.legs[-1], closed_at=None)
    return replace(view, legs=(*view.legs[:-1], last))


@pytest.mark.parametrize("number", range(40))
def test_who_meets_stands_together_whoever_comes_leaves_or_has_a_bye(number: int) -> None:
    chance = Chance.seeded(number)
    entrants = 3 + chance.chance.randrange(14)
    for legs in range(5):
        view = played_view(entrants, legs=legs, chance=replace(chance, chance=random.Random(number)))
        bracket = bracket_view(view)
        assert len(bracket.people) + bracket.more == entrants
        drawn = view.legs[0].leg
        assert len(bracket.people) == sum(len(group.entrants) for group in drawn.groups) + len(drawn.byes)
        for leg in bracket.legs:
            spans = sorted((min(each.who), max(each.who)) for each in bracket.meetings if each.leg == leg)
            assert all(before[1] < after[0] for before, after in pairwise(spans)), "lines would cross"
        assert bracket.open is (view.open_leg is not None)
        to_come = [each for each in bracket.meetings if bracket.open and each.leg == len(view.legs)]
        assert all(each.score == "" and each.why is None for each in to_come)
        assert all(each.on == () for each in to_come if len(each.who) > 1)


def test_a_meeting_says_who_went_on_by_how_much_and_whether_it_was_level() -> None:
    view = bracket_view(played_view(16))
    assert view.legs == (1, 2, 3, 4)
    final = view.meetings[-1]
    assert final.who == (0, 8)
    assert final.on == (0,)
    assert view.people[0].won
    assert not any(person.won or person.there for person in view.people[1:])
    assert {each.score for each in view.meetings if each.level} == {"3:3"}
    three = bracket_view(played_view(6)).meetings[0]
    assert len(three.who) == 3
    assert three.score == "10"
    bye = next(each for each in bracket_view(played_view(7)).meetings if len(each.who) == 1)
    assert (bye.on, bye.score, bye.why) == (bye.who, "", None)


@pytest.mark.parametrize("entrants", [17, 40, 128])
@pytest.mark.parametrize("legs", [0, 1, 2, 3, 7])
def test_a_large_bracket_is_shown_by_part_with_the_last_leg_of_the_one_around_whom_it_is(
    entrants: int, legs: int
) -> None:
    view = played_view(entrants, legs=legs)
    whole = bracket_view(view)
    assert len(whole.people) <= MOST_LINES
    assert whole.legs[-1] == len(view.legs)
    for one in range(0, entrants, 3):
        part = bracket_view(view, one)
        assert len(part.people) <= MOST_LINES
        (own,) = (row for row, person in enumerate(part.people) if person.own)
        last = max(leg.number for leg in view.legs if any(one in each.entrants for each in leg.leg.groups))
        assert any(own in each.who for each in part.meetings if each.leg == last)
        assert part.more == entrants - len(part.people)


@pytest.mark.parametrize("form", Format)
def test_nothing_of_an_open_leg_is_told_though_it_is_known(form: Format) -> None:
    known = opened(played_view(8, form, 2, length=3) if form is LEAGUE else played_view(8, form, 3))
    unplayed = replace(known.legs[-1], leg=replace(known.legs[-1].leg, played={}))
    unknown = replace(known, legs=(*known.legs[:-1], unplayed))
    assert leg_view(known) == leg_view(unknown)
    view = table_view if form is LEAGUE else bracket_view
    assert view(known, 1) == view(unknown, 1)
    assert winner_view(known) is None
    with pytest.raises(ValueError, match="open"):
        match_view(known, len(known.legs), 0)


def test_nothing_is_shown_of_a_cup_that_has_not_started() -> None:
    empty = replace(played_view(8, legs=0), legs=())
    with pytest.raises(ValueError, match="not started"):
        bracket_view(empty)


def test_the_table_has_sums_the_worst_leg_and_how_far_everybody_moved() -> None:
    view = played_view(12, LEAGUE, 5)
    table = make_table(view.cup.contest, view.closed)
    before = {line.entrant: line.place for line in make_table(view.cup.contest, view.closed[:-1])}
    shown = table_view(view).lines
    for line, told in zip(table, shown, strict=True):
        assert told is not None
        assert (told.place, told.worst) == (line.place, line.worst)
        assert told.total == f"{float(line.total):.1f}"
        assert told.moved == before[line.entrant] - line.place
    assert all(line is not None and line.moved == 0 for line in table_view(played_view(12, LEAGUE, 1)).lines)


def test_a_long_table_is_shown_by_part() -> None:
    view = played_view(40, LEAGUE, 2)
    assert len(table_view(view).lines) == MOST_LINES
    order = [line.entrant for line in make_table(view.cup.contest, view.closed)]
    for at, one in enumerate(order):
        part = table_view(view, one)
        assert len(part.lines) == MOST_LINES
        assert part.more == 40 - sum(line is not None for line in part.lines)
        assert [line.person.own for line in part.lines if line is not None].count(True) == 1
        assert (None in part.lines) is (at >= MOST_LINES)


def test_whoever_has_left_a_league_is_last_and_marked() -> None:
    view = played_view(16, LEAGUE, 3, chance=Chance(random.Random(3), 1.0, 0.1, 30, 1.0))
    assert view.cup.gone
    left = [line.person.left for line in table_view(view).lines if line is not None]
    assert left == sorted(left)
    assert sum(left) == len(view.cup.gone)


def test_whoever_left_before_the_first_leg_is_in_no_table_and_in_no_bracket() -> None:
    contests = [cup_of(6), cup_of(6, LEAGUE, 3)]
    bracket, table = (view_of(contest, [], {2: 0}) for contest in contests)
    assert [person.name for person in bracket_view(bracket).people if person.name == "Cleo Day"] == []
    assert bracket_view(bracket).more == 0
    assert len(table_view(table).lines) == 5


def test_a_group_has_those_who_have_begun_and_who_won_each_card() -> None:
    knockout, (one, other) = final_of(Played((9, 0, 5, 3)), Played((4, -5, 7)))
    match = match_view(knockout, 2, 0)
    assert [(each.points, each.best) for each in match.columns] == [("2", True), ("1", False)]
    assert [match.best_of(card) for card in range(5)] == [(0,), (0, 1), (1,), (0,), ()]
    assert [each.person.name for each in match.columns] == [knockout.cup.entrants[at].name for at in (one, other)]
    alone, (one, _absent) = final_of(Played((9,)), None)
    (column,) = match_view(alone, 2, 0).columns
    assert (column.points, column.best) == ("", True)
    assert column.person.name == alone.cup.entrants[one].name
    league = match_view(played_view(4, LEAGUE, 1, length=3), 1, 0)
    assert all(float(each.points) <= 100 for each in league.columns)
    assert [each.best for each in league.columns].count(True) == 1


def test_the_way_to_the_title_has_every_opponent() -> None:
    view = played_view(6)
    winner = winner_view(view)
    assert winner is not None
    (won,) = view.winners
    met = [
        view.cup.entrants[one].name
        for leg in view.closed
        for group in leg.groups
        if won in group.entrants
        for one in group.entrants
        if one != won
    ]
    assert [line.person.name for line in winner.lines if line is not None] == met
    league = winner_view(played_view(5, LEAGUE))
    assert league is not None
    assert [line.person.won for line in league.lines if line is not None] == [True, False, False, False, False]


def test_a_final_that_is_level_is_shared() -> None:
    view, pair = final_of(Played((7,) * 7), Played((7,) * 7))
    winner = winner_view(view)
    assert winner is not None
    assert [person.name for person in winner.people] == [view.cup.entrants[one].name for one in sorted(pair)]
    final = bracket_view(view).meetings[-1]
    assert (final.why, final.level, len(final.on)) == (Reason.SHARED, True, 2)
    nobody, _pair = final_of(None, None)
    assert winner_view(nobody) is None


def test_a_deleted_person_has_no_name_and_a_leg_says_how_long_it_is_open() -> None:
    view = renamed(played_view(13, legs=1), {0: ""})
    assert [person.name for person in bracket_view(view, 0).people if person.own] == [""]
    leg = leg_view(view)
    assert (leg.number, leg.legs, leg.hours, leg.people) == (2, 4, 48, 8)
    assert [leg_view(played_view(13, legs=legs)).legs for legs in range(5)] == [4] * 5
    assert leg_view(played_view(9, LEAGUE, 2, length=3)).legs == 3
