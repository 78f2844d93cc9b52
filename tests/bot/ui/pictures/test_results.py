from dataclasses import replace

import pytest

from bot.ui.pictures import pen, views
from highscore.track import Chip
from tests.bot.ui.pictures.samples import full_results
from tests.hostile import NAMES


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


def test_no_name_is_drawn_wider_than_its_place() -> None:
    assert pen.cut_text("Ada", 40, 600) == "Ada"
    assert pen.cut_text("W" * 32, 40, 600).endswith("W…")
    for name in {pen.drawable_text(name) for name in NAMES}:
        assert pen._width(pen.cut_text(name, 40, 300), 40) <= 300
