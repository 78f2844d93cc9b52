"""The bracket and the table of a cup."""

from dataclasses import replace

import pytest

from bot.domain.cup_draw import Format
from bot.ui.pictures.colours import AMBER, CELL, GOLD, MINT, MUTED, PALE, RIM, ROSE, SET_EDGE
from bot.ui.pictures.cup import COLUMN, HEADER, NUMBERS, cup_png, row_height
from bot.ui.pictures.cup_views import BracketView, Person, TableLine, TableView
from bot.ui.pictures.frame import SIDE, WIDTH
from tests.bot.ui.pictures.cup_samples import bracket_of, drawn_cup, played_view, renamed
from tests.bot.ui.pictures.samples import opened, pixels
from tests.hostile import NAMES

Box = tuple[int, int, int, int]
ADA = TableLine(Person("Ada"), 1, "170", (80.0, 40.0, 90.0))
TOP = SIDE + HEADER


def drawn_line(line: TableLine) -> bytes:
    return cup_png("", 1, TableView((line,), 0))


def row_box(view: BracketView, at: int) -> Box:
    row = row_height(len(view.lines))
    top = TOP + NUMBERS + at * row
    return SIDE, top, WIDTH - SIDE - COLUMN * len(view.legs), top + row


def leg_box(view: BracketView, leg: int, height: int = 2000) -> Box:
    left = WIDTH - SIDE - COLUMN * (view.legs[-1] - leg + 1)
    return left, TOP + NUMBERS, left + COLUMN, height


@pytest.mark.parametrize(("entrants", "legs"), [(4, 9), (7, 9), (12, 0), (16, 2), (16, 9), (128, 9)])
def test_a_bracket_has_a_line_each_and_only_whoever_has_won_on_gold(entrants: int, legs: int) -> None:
    cup = played_view(entrants, legs=legs)
    view, png = bracket_of(cup, 1), drawn_cup(cup, 1)
    picture = opened(png)
    assert picture.width == WIDTH
    assert picture.height == TOP + NUMBERS + len(view.lines) * row_height(len(view.lines)) + SIDE <= 1250
    assert len(png) < 60_000
    for at, person in enumerate(view.lines.values()):
        assert (pixels(png, row_box(view, at), GOLD) > 5000) is person.won
        assert (pixels(png, row_box(view, at), CELL) > 5000) is (person.own and not person.won)


def test_the_open_leg_is_amber_and_has_no_scores() -> None:
    cup = played_view(16, legs=2)
    view, png = bracket_of(cup), drawn_cup(cup)
    assert pixels(png, leg_box(view, 3), AMBER) > 1000
    assert pixels(png, leg_box(view, 3), SET_EDGE) == pixels(png, leg_box(view, 3), PALE) == 0
    assert pixels(png, leg_box(view, 1), AMBER) == 0
    assert pixels(png, leg_box(view, 1), PALE) > 1000


def test_a_table_has_a_bar_a_leg_and_the_one_that_does_not_count_struck_out() -> None:
    line, where = replace(ADA, worst=1), (0, TOP, WIDTH, TOP + 200)
    png, counted = drawn_line(line), drawn_line(ADA)
    assert pixels(png, where, MINT) > 2000
    bars = (SIDE + 300, TOP + 8, WIDTH - SIDE - 110, TOP + 76)
    assert pixels(png, bars, RIM) > 300
    assert pixels(png, bars, PALE) > pixels(counted, bars, PALE) + 100
    assert pixels(counted, where, ROSE) > 100
    assert pixels(png, where, ROSE) == 0


def test_the_places_that_somebody_moved_stand_beside_their_place() -> None:
    where = (SIDE + 84, TOP, SIDE + 160, TOP + 80)
    moved = {number: pixels(drawn_line(replace(ADA, moved=number)), where, MUTED) for number in (-2, 0, 2)}
    assert min(moved[2], moved[-2]) > 100 > 10 > moved[0]


def test_whoever_is_out_or_has_left_is_dark_and_the_winner_stands_on_gold() -> None:
    where = (SIDE + 80, TOP, SIDE + 300, TOP + 80)
    out = drawn_line(replace(ADA, person=Person("Ada", there=False)))
    assert pixels(out, where, MUTED) > 100
    assert pixels(out, where, PALE) == 0
    assert pixels(drawn_line(ADA), where, PALE) > 100
    assert pixels(drawn_line(replace(ADA, person=Person("Ada", won=True))), where, GOLD) > 5000


def test_before_the_first_table_there_is_the_name_and_the_leg() -> None:
    png = drawn_cup(played_view(8, Format.LEAGUE, 0))
    assert opened(png).height == TOP + SIDE
    assert pixels(png, (WIDTH - SIDE - 100, SIDE, WIDTH - SIDE, TOP), AMBER) > 300
    assert pixels(png, (SIDE, SIDE, SIDE + 130, TOP), GOLD) > 3000


def test_names_that_make_trouble_are_drawn() -> None:
    names = dict(enumerate((*NAMES[:15], "")))
    for form in Format:
        assert opened(drawn_cup(renamed(played_view(16, form, 2), names))).width == WIDTH
