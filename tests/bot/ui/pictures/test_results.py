"""The standings."""

from __future__ import annotations

from bot.ui.pictures.colours import BRONZE, GOLD, PIECES, SILVER
from bot.ui.pictures.frame import GAP, HEADER, SIDE, WIDTH
from bot.ui.pictures.results import BAR_LEFT, PITCH, ROUNDS_LEFT, ROW, results_png
from bot.ui.pictures.views import ResultsView
from highscore.track import Chip
from tests.bot.ui.pictures.samples import full_results, opened, pixels


def row_box(index: int) -> tuple[int, int, int, int]:
    top = HEADER + index * (ROW + GAP)
    return SIDE, top, WIDTH - SIDE, top + ROW


def test_a_row_a_player_in_the_order_of_the_standings_and_each_chip_in_its_round() -> None:
    view = full_results()
    png = results_png(view)
    picture = opened(png)
    assert (picture.mode, picture.size) == ("P", (1040, HEADER + 5 * (ROW + GAP) - GAP + SIDE))
    assert len(png) < 40_000
    for index, (_place, seat) in enumerate(view.order):
        left, top, _right, bottom = row_box(index)
        assert pixels(png, (left + 100, top, left + 190, bottom), PIECES[seat]) > 1500
        for number, chip in enumerate(view.chips[seat]):
            middle = left + ROUNDS_LEFT + number * PITCH
            box = (middle - 40, top + 10, middle + 40, bottom - 10)
            for kind, face in ((Chip.GOLD, GOLD), (Chip.SILVER, SILVER), (Chip.BRONZE, BRONZE)):
                assert (pixels(png, box, face) > 500) is (kind is chip)


def test_the_bar_grows_with_the_points() -> None:
    png = results_png(
        ResultsView(((Chip.GOLD, Chip.GOLD), (Chip.BRONZE, None), (None, None)), ((1, 0), (2, 1), (3, 2)))
    )
    lengths = []
    for seat in range(3):
        left, top, right, bottom = row_box(seat)
        lengths.append(pixels(png, (left + BAR_LEFT, top, right, bottom), PIECES[seat]))
    assert lengths[0] > 5 * lengths[1] > 0
    assert lengths[2] == 0


def test_all_who_share_the_first_place_are_crowned_but_nobody_before_a_chip_is_won() -> None:
    none_yet = results_png(ResultsView(((), ()), ((1, 0), (1, 1))))
    assert pixels(none_yet, (0, 0, *opened(none_yet).size), GOLD) == 0
    shared = results_png(ResultsView(((Chip.GOLD, None), (None, Chip.GOLD)), ((1, 0), (1, 1))))
    for index in range(2):
        left, top, _right, bottom = row_box(index)
        assert pixels(shared, (left + 10, top + 10, left + 100, bottom - 10), GOLD) > 500
