from dataclasses import replace

import pytest

from bot.ui.pictures import colours, pen, results, views
from highscore.track import Chip
from tests.bot.ui.pictures.samples import full_results, opened, pixels
from tests.highscore.odds.settings import LARGE
from tests.hostile import NAMES

Box = tuple[int, int, int, int]


def line_box(lines: int, index: int) -> Box:
    top = results.HEIGHT - pen.SIDE - (lines - index) * results.LINE
    return pen.SIDE, top, pen.SIDE + results.LEFT_WIDTH, top + results.LINE


def won_by_first() -> views.ResultsView:
    gold, none = (views.RoundResult(20, 20, Chip.GOLD),) * 7, (views.RoundResult(-3),) * 7
    return views.ResultsView((gold, none), ((1, 0), (2, 1)), ("Ada", "Ben"))


def test_somebody_whom_all_have_left_has_the_sum_of_their_results() -> None:
    view = views.ResultsView(
        ((views.RoundResult(20, 20), views.RoundResult(-3), views.RoundResult(12, 12)),), ((1, 0),), ("Ada",)
    )
    assert (view.points(0), view.points_by_round(0), view.leaders, view.finished) == (32, (20, 20, 32), (), False)


def test_the_lead_is_that_over_the_second() -> None:
    assert full_results().margin == 2
    view = won_by_first()
    assert view.margin == 21
    assert replace(view, results=(view.results[0],) * 2, order=((1, 0), (1, 1))).margin == 0


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
    assert pen.drawable_text(name) == shown


def test_no_name_leaves_its_line() -> None:
    assert pen.cut_text("Ada", 40, 600) == "Ada"
    assert pen.cut_text("W" * 32, 40, 600).endswith("W…")
    view = won_by_first()
    plain = results.results_png(replace(view, names=("", "")))
    _left, top, right, bottom = line_box(1, 0)
    points = (right - 30, top, right, bottom)
    for name in [*{pen.drawable_text(name): name for name in NAMES}.values()][:: 1 if LARGE else 4]:
        png = results.results_png(replace(view, names=(name, name)))
        assert opened(png).size == opened(plain).size
        assert pixels(png, points, colours.PALE) == pixels(plain, points, colours.PALE)
        assert pixels(png, (results.RIGHT - pen.GAP, 0, results.RIGHT, results.HEIGHT), colours.PALE) == 0
        edge = (pen.SIDE, pen.SIDE + 400, pen.SIDE + 10, results.HEIGHT - pen.SIDE - results.LINE - 40)
        assert pixels(png, edge, colours.INK) == 0
