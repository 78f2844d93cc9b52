"""The bracket and the table of a cup."""

from dataclasses import replace

import pytest

from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Played
from bot.ui.pictures.colours import AMBER, CELL, GOLD, MINT, MUTED, PALE, RIM, ROSE, SET_EDGE
from bot.ui.pictures.cup import COLUMN, HEADER, row_height, standing_png
from bot.ui.pictures.cup_views import BracketView, Person, TableLine, TableView, bracket_view, table_view
from bot.ui.pictures.frame import SIDE, WIDTH
from tests.bot.ui.pictures.cup_samples import final_of, played_view, renamed
from tests.bot.ui.pictures.samples import opened, pixels
from tests.hostile import NAMES

Box = tuple[int, int, int, int]


def row_box(view: BracketView | TableView, at: int) -> Box:
    bracket = isinstance(view, BracketView)
    row = row_height(len(view.people if isinstance(view, BracketView) else view.lines))
    top = SIDE + (HEADER if bracket or view.more else 0) + at * row
    right = WIDTH - SIDE - (COLUMN * len(view.legs) if isinstance(view, BracketView) else 0)
    return SIDE, top, right, top + row


def leg_box(view: BracketView, leg: int, height: int = 2000) -> Box:
    left = WIDTH - SIDE - COLUMN * (view.legs[-1] - leg + 1)
    return left, SIDE + HEADER, left + COLUMN, height


@pytest.mark.parametrize(("entrants", "legs"), [(4, 9), (7, 9), (12, 0), (16, 2), (16, 9), (128, 9)])
def test_a_bracket_has_a_line_each_and_only_whoever_has_won_on_gold(entrants: int, legs: int) -> None:
    view = bracket_view(played_view(entrants, legs=legs), 1)
    png = standing_png(view)
    picture = opened(png)
    assert picture.width == WIDTH
    assert picture.height == 2 * SIDE + HEADER + len(view.people) * row_height(len(view.people)) <= 1100
    assert len(png) < 60_000
    for at, person in enumerate(view.people):
        assert (pixels(png, row_box(view, at), GOLD) > 5000) is person.won
        assert (pixels(png, row_box(view, at), CELL) > 5000) is (person.own and not person.won)


def test_the_open_leg_is_amber_and_has_no_scores() -> None:
    view = bracket_view(played_view(16, legs=2))
    png = standing_png(view)
    assert pixels(png, leg_box(view, 3), AMBER) > 1000
    assert pixels(png, leg_box(view, 3), SET_EDGE) == pixels(png, leg_box(view, 3), PALE) == 0
    assert pixels(png, leg_box(view, 1), AMBER) == 0
    assert pixels(png, leg_box(view, 1), PALE) > 1000


def test_a_level_match_has_its_score_on_amber() -> None:
    level, _pair = final_of(Played((7,) * 7), Played((7,) * 7))
    view = bracket_view(level)
    png = standing_png(view)
    assert pixels(png, leg_box(view, 2), AMBER) > 5000
    assert pixels(png, leg_box(view, 1), AMBER) == 0


def test_a_table_has_a_bar_a_leg_and_the_one_that_does_not_count_struck_out() -> None:
    line = TableLine(Person("Ada"), 1, "170", (80.0, 40.0, 90.0), 1, 0)
    png = standing_png(TableView((line,), 0))
    assert pixels(png, (0, 0, WIDTH, 200), MINT) > 2000
    bars = (SIDE + 300, SIDE + 8, WIDTH - SIDE - 110, SIDE + 76)
    assert pixels(png, bars, RIM) > 300
    counted = standing_png(TableView((replace(line, worst=None),), 0))
    assert pixels(png, bars, PALE) > pixels(counted, bars, PALE) + 100
    assert pixels(counted, (0, 0, WIDTH, 200), ROSE) > 100
    assert pixels(png, (0, 0, WIDTH, 200), ROSE) == 0


def test_an_arrow_says_who_went_up_or_down() -> None:
    line = TableLine(Person("Ada"), 1, "0")
    arrows = {moved: standing_png(TableView((replace(line, moved=moved),), 0)) for moved in (-2, 0, 3)}
    where = (SIDE + 80, SIDE, SIDE + 130, SIDE + 80)
    assert [[pixels(arrows[moved], where, colour) > 100 for colour in (ROSE, MINT)] for moved in (-2, 0, 3)] == [
        [True, False],
        [False, False],
        [False, True],
    ]


def test_whoever_has_left_is_dark_and_struck_out_and_the_winner_has_a_crown_for_a_place() -> None:
    line, where = TableLine(Person("Ada"), 3, "0"), (SIDE + 130, SIDE, 700, SIDE + 80)
    out = standing_png(TableView((replace(line, person=Person("Ada", there=False)),), 0))
    left = standing_png(TableView((replace(line, person=Person("Ada", left=True, there=False)),), 0))
    assert pixels(left, where, MUTED) > pixels(out, where, MUTED) + 100 > 200
    won = standing_png(TableView((replace(line, person=Person("Ada", won=True)),), 0))
    assert pixels(won, (SIDE, SIDE, SIDE + 80, SIDE + 80), GOLD) > 200


def test_lines_that_are_left_out_are_dots_and_a_number() -> None:
    view = played_view(40, Format.LEAGUE, 2)
    part = next(part for one in range(40) if None in (part := table_view(view, one)).lines)
    png = standing_png(part)
    gap = row_box(part, part.lines.index(None))
    assert 100 < pixels(png, gap, MUTED) < 500
    assert pixels(png, (SIDE, SIDE, 200, SIDE + HEADER), MUTED) > 200
    whole = table_view(played_view(16, Format.LEAGUE, 2))
    assert opened(png).height == opened(standing_png(whole)).height + HEADER


def test_names_that_make_trouble_are_drawn() -> None:
    names = dict(enumerate((*NAMES[:15], "")))
    for form in Format:
        view = renamed(played_view(16, form, 2), names)
        assert opened(standing_png((table_view if form is Format.LEAGUE else bracket_view)(view))).width == WIDTH
