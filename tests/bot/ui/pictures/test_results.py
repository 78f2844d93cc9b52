"""The standings."""

import pytest

from bot.ui.pictures.colours import CHIP_COLOURS, GOLD, PALE, PIECES
from bot.ui.pictures.frame import GAP, SIDE, WIDTH
from bot.ui.pictures.lettering import drawable_text, fit_text, initials
from bot.ui.pictures.results import HEADER, LANES, PIECE, PITCH, POINTS_LEFT, ROUNDS_LEFT, ROW, TOP, results_png
from bot.ui.pictures.views import Mark, ResultsView
from highscore.track import Chip
from tests.bot.ui.pictures.samples import full_results, opened, pixels, results_of
from tests.highscore.odds.settings import LARGE
from tests.hostile import NAMES


def row_box(index: int) -> tuple[int, int, int, int]:
    top = TOP + index * (ROW + GAP)
    return SIDE, top, WIDTH - SIDE, top + ROW


def test_a_row_a_player_in_the_order_of_the_standings_and_each_chip_in_its_round() -> None:
    view = full_results()
    png = results_png(view)
    picture = opened(png)
    assert (picture.mode, picture.size) == ("P", (1040, TOP + 5 * (ROW + GAP) - GAP + HEADER + LANES + SIDE))
    assert len(png) < 60_000
    for index, (_place, seat) in enumerate(view.order):
        left, top, _right, bottom = row_box(index)
        assert pixels(png, (left + PIECE - 45, top, left + PIECE + 45, bottom), PIECES[seat]) > 1500
        for number, mark in enumerate(view.marks[seat]):
            column = left + ROUNDS_LEFT + number * PITCH
            box = (column, top + 66, column + 50, bottom - 6)
            for kind, (face, _edge) in CHIP_COLOURS.items():
                assert (pixels(png, box, face) > 300) is (kind is mark.chip)


def test_the_bar_grows_with_the_points() -> None:
    png = results_png(results_of(((Chip.GOLD, Chip.GOLD), (Chip.BRONZE, None), (None, None)), (0, 1, 2)))
    lengths = []
    for seat in range(3):
        left, top, right, bottom = row_box(seat)
        lengths.append(pixels(png, (left + POINTS_LEFT, top, right, bottom), PIECES[seat]))
    assert lengths[0] > 4 * lengths[1] > 0
    assert lengths[2] == 0


def test_all_who_share_the_first_place_are_crowned_but_nobody_before_a_chip_is_won_or_of_a_game_given_up() -> None:
    names = ("Ada", "Ben")
    none_yet = results_png(ResultsView(((), ()), ((1, 0), (1, 1)), names))
    assert pixels(none_yet, (0, 0, *opened(none_yet).size), GOLD) == 0
    gold = Mark(20, 20, Chip.GOLD)
    shared = results_png(ResultsView(((gold, Mark(1, 1)), (Mark(1, 1), gold)), ((1, 0), (1, 1)), names))
    for index in range(2):
        left, top, _right, bottom = row_box(index)
        assert pixels(shared, (left + 6, top + 10, left + 70, bottom - 10), GOLD) > 500
    given_up = results_png(ResultsView(((gold,), (Mark(1, 1),)), ((1, 0), (2, 1)), names, won=False))
    left, top, _right, bottom = row_box(0)
    assert pixels(given_up, (left, top, left + 90, bottom), GOLD) == 0


def test_a_lane_shows_how_far_each_piece_came() -> None:
    marks = ((Mark(30, 30, Chip.GOLD), Mark(0)), (Mark(10, 10), Mark(45, 45, Chip.GOLD)))
    png = results_png(ResultsView(marks, ((1, 0), (1, 1)), ("Ada", "Ben")))
    top = TOP + 2 * (ROW + GAP) - GAP + HEADER
    lanes = [SIDE + ROUNDS_LEFT + number * PITCH for number in range(2)]
    coloured = [[pixels(png, (left, top, left + 84, top + LANES), PIECES[seat]) for seat in (0, 1)] for left in lanes]
    assert coloured[0][0] > coloured[0][1]
    assert coloured[1][1] > coloured[0][0] > 4 * coloured[1][0] > 0


@pytest.mark.parametrize(
    ("name", "shown", "letters"),
    [
        ("Jürgen Größer", "Jürgen Größer", "JG"),
        ("ada", "ada", "A"),
        ("Мария-Луиза", "Мария-Луиза", "МЛ"),
        ("مريم الصغيرة", "مريم الصغيرة", "م"),
        ("Anna 🎲 B", "Anna B", "AB"),
        ("日本語", "", ""),
        ("_~*", "_~*", ""),
    ],
)
def test_of_a_name_is_drawn_what_the_font_has(name: str, shown: str, letters: str) -> None:
    assert drawable_text(name) == shown
    assert initials(name) == letters


def test_no_name_leaves_its_line() -> None:
    assert fit_text("Ada", 40, 600) == ("Ada", 40)
    text, size = fit_text("W" * 32, 40, 600)
    assert text.endswith("W…")
    assert 28 <= size <= 40
    gold = (Mark(20, 20, Chip.GOLD),)
    plain = results_png(ResultsView((gold, ()), ((1, 0), (2, 1)), ("", "")))
    for name in [*{drawable_text(name): name for name in NAMES}.values()][:: 1 if LARGE else 4]:
        png = results_png(ResultsView((gold, ()), ((1, 0), (2, 1)), (name, "Ben")))
        assert opened(png).size == opened(plain).size
        left, top, right, bottom = row_box(0)
        points = (left + POINTS_LEFT, top, right, bottom)
        assert pixels(png, points, PALE) == pixels(plain, points, PALE)
