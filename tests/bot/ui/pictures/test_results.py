"""The standings and the pictures of the guide."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.ui.pictures import (
    ResultsView,
    card_png,
    colours,
    marker_png,
    results,
    results_png,
    roll_types_png,
    scoring_png,
    taken_png,
)
from highscore.cards import Scoring
from highscore.track import Chip
from tests.bot.ui.pictures.samples import CARDS, full_results, opened, pixels


def row_box(index: int) -> tuple[int, int, int, int]:
    top = results._HEADER + index * (results._ROW + results._GAP)
    return results._SIDE, top, results.WIDTH - results._SIDE, top + results._ROW


def test_a_row_a_player_in_the_order_of_the_standings() -> None:
    view = full_results()
    png = results_png(view)
    picture = opened(png)
    assert picture.mode == "P"
    assert picture.size == (1040, results.height(5))
    assert len(png) < 40_000
    for index, (_place, seat) in enumerate(view.order):
        left, top, _right, bottom = row_box(index)
        assert pixels(png, (left + 100, top, left + 190, bottom), colours.PIECES[seat]) > 1500


def test_a_chip_is_in_the_column_of_its_round() -> None:
    view = full_results()
    png = results_png(view)
    faces = {Chip.GOLD: colours.GOLD, Chip.SILVER: colours.SILVER, Chip.BRONZE: colours.BRONZE}
    for index, (_place, seat) in enumerate(view.order):
        left, top, _right, bottom = row_box(index)
        for number, chip in enumerate(view.chips[seat]):
            middle = left + round(results._column(number))
            box = (middle - 40, top + 10, middle + 40, bottom - 10)
            for kind, face in faces.items():
                assert (pixels(png, box, face) > 500) is (kind is chip)


def test_the_bar_grows_with_the_points() -> None:
    view = ResultsView(((Chip.GOLD, Chip.GOLD), (Chip.BRONZE, None), (None, None)), ((1, 0), (2, 1), (3, 2)))
    png = results_png(view)
    lengths = []
    for index, seat in enumerate(range(3)):
        left, top, right, bottom = row_box(index)
        lengths.append(pixels(png, (left + results._BAR_LEFT, top, right, bottom), colours.PIECES[seat]))
    assert lengths[0] > 5 * lengths[1] > 0
    assert lengths[2] == 0


def test_nobody_is_crowned_before_a_chip_is_won() -> None:
    png = results_png(ResultsView(((), ()), ((1, 0), (1, 1))))
    assert pixels(png, (0, 0, 1040, results.height(2)), colours.GOLD) == 0


def test_ties_for_the_first_place_are_all_crowned() -> None:
    png = results_png(ResultsView(((Chip.GOLD, None), (None, Chip.GOLD)), ((1, 0), (1, 1))))
    for index in range(2):
        left, top, _right, bottom = row_box(index)
        assert pixels(png, (left + 10, top + 10, left + 100, bottom - 10), colours.GOLD) > 500


@pytest.mark.parametrize(
    ("draw", "size"), [(roll_types_png, (1040, 592)), (taken_png, (640, 300)), (marker_png, (640, 300))]
)
def test_guide_pictures(draw: Callable[[], bytes], size: tuple[int, int]) -> None:
    png = draw()
    assert opened(png).size == size
    assert opened(png).mode == "P"
    assert len(png) < 30_000


def test_every_card_has_a_picture_of_its_own() -> None:
    found = {card_png(each) for each in CARDS}
    assert len(found) == 21
    assert {opened(png).size for png in found} == {(816, 244)}
    assert max(map(len, found)) < 15_000


def test_every_scoring_that_differs_has_a_symbol_that_does() -> None:
    found = {scoring_png(scoring) for scoring in Scoring}
    assert len(found) == len(Scoring)
    assert {opened(png).size for png in found} == {(480, 244)}
