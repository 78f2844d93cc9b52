"""The bracket and the table of a cup."""

import pytest

from bot.domain.cup_draw import Format
from bot.ui.pictures.cup import HEADER, NUMBERS, row_height
from bot.ui.pictures.pen import SIDE, WIDTH
from tests.bot.ui.pictures.cup_samples import bracket_of, drawn_cup, played_view, renamed
from tests.bot.ui.pictures.samples import opened
from tests.hostile import NAMES

TOP = SIDE + HEADER


@pytest.mark.parametrize(("entrants", "legs"), [(4, 9), (7, 9), (12, 0), (16, 2), (16, 9), (128, 9)])
def test_a_bracket_is_small_and_has_a_line_each(entrants: int, legs: int) -> None:
    cup = played_view(entrants, legs=legs)
    view, png = bracket_of(cup, 1), drawn_cup(cup, 1)
    picture = opened(png)
    assert picture.width == WIDTH
    assert picture.height == TOP + NUMBERS + len(view.lines) * row_height(len(view.lines)) + SIDE <= 1250
    assert len(png) < 60_000


def test_names_that_make_trouble_are_drawn() -> None:
    names = dict(enumerate((*NAMES[:15], "")))
    for form in Format:
        assert opened(drawn_cup(renamed(played_view(16, form, 2), names))).width == WIDTH
