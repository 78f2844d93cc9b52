"""The standings."""

from dataclasses import replace

import pytest

from bot.ui.pictures.colours import CHIP_COLOURS, GLOW, GOLD, INK, IVORY, PALE, PIECES, ROSE, WELL
from bot.ui.pictures.frame import GAP, SIDE
from bot.ui.pictures.lettering import cut_text, drawable_text
from bot.ui.pictures.results import (
    COLUMN_LEFT,
    HEADER,
    HEIGHT,
    LEFT_WIDTH,
    LINE,
    PITCH,
    RIGHT,
    RIGHT_WIDTH,
    results_png,
    row_height,
)
from bot.ui.pictures.views import Mark, ResultsView
from highscore.track import Chip
from tests.bot.ui.pictures.samples import full_results, opened, pixels, results_of
from tests.highscore.odds.settings import LARGE
from tests.hostile import NAMES

Box = tuple[int, int, int, int]


def cell_box(players: int, index: int, number: int) -> Box:
    """Return the box of a round, from 0, in a row of the table."""
    left, top = RIGHT + COLUMN_LEFT + number * PITCH, SIDE + HEADER + index * row_height(players)
    return left, top, left + PITCH, top + row_height(players) - 3


def hero_box(lines: int) -> Box:
    return SIDE, SIDE, SIDE + LEFT_WIDTH, HEIGHT - SIDE - lines * LINE - 12


def line_box(lines: int, index: int) -> Box:
    top = HEIGHT - SIDE - (lines - index) * LINE
    return SIDE, top, SIDE + LEFT_WIDTH, top + LINE


def race_box(players: int) -> Box:
    return RIGHT, SIDE + HEADER + players * row_height(players) + 22, RIGHT + RIGHT_WIDTH, HEIGHT - SIDE


def won_by_first(players: int = 2) -> ResultsView:
    gold, none = (Mark(20, 20, Chip.GOLD),) * 7, (Mark(-3),) * 7
    order = tuple((place, place - 1) for place in range(1, players + 1))
    return ResultsView((gold, *(none,) * (players - 1)), order, ("Ada", "Ben", "Cleo", "Dan", "Eve")[:players])


def test_a_row_a_player_in_the_order_of_the_standings_and_each_chip_below_its_result() -> None:
    view = full_results()
    png = results_png(view)
    picture = opened(png)
    assert (picture.mode, picture.size) == ("P", (1040, HEIGHT))
    assert len(png) < 65_000
    for index, (_place, seat) in enumerate(view.order):
        for number, mark in enumerate(view.marks[seat]):
            left, top, right, bottom = cell_box(5, index, number)
            low = top + 44
            for kind, (face, _edge) in CHIP_COLOURS.items():
                discs = pixels(png, (left, low, right, bottom), face)
                assert discs > kind.points * 120 if kind is mark.chip else discs < 20
            assert pixels(png, (left, top, right, low), ROSE if mark.result <= 0 else PALE) > 50


@pytest.mark.parametrize("players", range(2, 6))
def test_who_has_won_stands_large_on_gold_light_and_the_others_have_a_line_each(players: int) -> None:
    png = results_png(won_by_first(players))
    hero = hero_box(players - 1)
    assert pixels(png, hero, PIECES[0]) > 20_000
    assert pixels(png, hero, GOLD) > 20_000
    assert pixels(png, hero, IVORY) > 1500
    for index in range(players - 1):
        assert pixels(png, line_box(players - 1, index), PIECES[index + 1]) > 1000
        assert pixels(png, line_box(players - 1, index), PIECES[0]) == 0


def test_all_who_share_the_first_place_stand_on_gold_and_have_a_line_with_their_name() -> None:
    view = won_by_first(3)
    shared = results_png(replace(view, marks=(view.marks[0],) * 3, order=((1, 0), (1, 1), (1, 2))))
    for seat in range(3):
        assert pixels(shared, hero_box(3), PIECES[seat]) > 5000
        assert pixels(shared, line_box(3, seat), PIECES[seat]) > 1000


def test_there_is_no_gold_light_before_the_end_nor_without_a_winner() -> None:
    view = won_by_first()
    early = tuple(marks[:6] for marks in view.marks)
    alone = ResultsView(view.marks[1:], ((1, 0),), ("Ben",))
    for other in (
        replace(view, won=False),
        replace(view, marks=early),
        alone,
        ResultsView(((), ()), view.order, view.names),
    ):
        hero = hero_box(len(other.order) - 1)
        assert pixels(results_png(other), hero, GOLD) == 0
        assert pixels(results_png(other), hero, WELL) > 20_000


def test_the_race_has_gold_light_on_whoever_leads_and_a_piece_at_the_end_of_each_line() -> None:
    view = results_of(((Chip.GOLD, None), (None, Chip.GOLD), (None, None)), (0, 1, 2))
    assert view.leaders == ((0,), (0, 1))
    assert [view.points_by_round(seat) for seat in range(3)] == [(3, 3), (0, 3), (0, 0)]
    png = results_png(view)
    left, top, _right, bottom = race_box(3)
    last = left + COLUMN_LEFT + round(1.5 * PITCH)
    for seat in range(3):
        assert pixels(png, (last, top, last + 60, bottom), PIECES[seat]) > 700
    assert pixels(png, (left, top, last, bottom), GLOW) > 1000
    nobody = ResultsView(((Mark(-3),), (Mark(0),)), ((1, 0), (1, 1)), ("Ada", "Ben"))
    assert nobody.leaders == ((),)
    assert pixels(results_png(nobody), race_box(2), GLOW) == 0


def test_somebody_whom_all_have_left_has_the_sum_of_their_results() -> None:
    view = ResultsView(((Mark(20, 20), Mark(-3), Mark(12, 12)),), ((1, 0),), ("Ada",))
    assert (view.points(0), view.points_by_round(0), view.leaders, view.finished) == (32, (20, 20, 32), (), False)


def test_the_lead_is_that_over_the_second() -> None:
    assert full_results().margin == 2
    view = won_by_first()
    assert view.margin == 21
    assert replace(view, marks=(view.marks[0],) * 2, order=((1, 0), (1, 1))).margin == 0


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Jürgen Größer", "Jürgen Größer"),
        ("Мария-Луиза", "Мария-Луиза"),
        ("مريم الصغيرة", "مريم الصغيرة"),
        ("Anna 🎲 B", "Anna B"),
        ("日本語", ""),
        ("_~*", "_~*"),
    ],
)
def test_of_a_name_is_drawn_what_the_font_has(name: str, shown: str) -> None:
    assert drawable_text(name) == shown


def test_no_name_leaves_its_line() -> None:
    assert cut_text("Ada", 40, 600) == "Ada"
    assert cut_text("W" * 32, 40, 600).endswith("W…")
    view = won_by_first()
    plain = results_png(replace(view, names=("", "")))
    _left, top, right, bottom = line_box(1, 0)
    points = (right - 30, top, right, bottom)
    for name in [*{drawable_text(name): name for name in NAMES}.values()][:: 1 if LARGE else 4]:
        png = results_png(replace(view, names=(name, name)))
        assert opened(png).size == opened(plain).size
        assert pixels(png, points, PALE) == pixels(plain, points, PALE)
        assert pixels(png, (RIGHT - GAP, 0, RIGHT, HEIGHT), PALE) == 0
        edge = (SIDE, SIDE + 400, SIDE + 10, HEIGHT - SIDE - LINE - 40)
        assert pixels(png, edge, INK) == 0
