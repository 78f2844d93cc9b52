"""The morning's picture: its parts, and what its description says."""

from io import BytesIO

import pytest
from PIL import Image

from bot.domain.daily import Finisher, make_ranking
from bot.ui.daily import render_podium
from bot.ui.pictures.morning import MorningView, morning_png
from bot.ui.words import card_name
from highscore import STANDARD_DECK
from tests.bot.ui.tables import HOSTILE
from tests.bot.ui.test_daily import finished

FIRST = tuple((place, name, 100 - place) for place, name in enumerate(HOSTILE[:3], 1))


@pytest.mark.parametrize(("first", "cards", "height"), [(FIRST, 7, 852), (FIRST[:1], 0, 452), ((), 7, 442)])
def test_each_half_is_drawn_where_there_is_something_to_tell(
    first: tuple[tuple[int, str, int], ...], cards: int, height: int
) -> None:
    view = MorningView(82, first, 83, STANDARD_DECK.cards[:cards])
    assert Image.open(BytesIO(morning_png(view, "84.6"))).size == (1040, height)


def test_two_who_share_a_place_stand_on_steps_of_one_height() -> None:
    shared = MorningView(82, ((1, "", 90), (1, "", 90), (3, "", 80)))
    picture = Image.open(BytesIO(morning_png(shared, "84.6"))).convert("RGBA")
    columns = [[picture.getpixel((x, y)) for y in range(110, 420)] for x in (60, 390, 720)]
    assert columns[0] == columns[1] != columns[2]


def test_the_description_names_the_first_ones_and_todays_cards() -> None:
    daily = finished(1).challenge
    days = [Finisher(number, name, 90 - number, 1) for number, name in enumerate(("Ada", "Ben", "Cem", "Dot"), 1)]
    picture = render_podium(daily, make_ranking(days), today=daily, pictures=True).picture
    assert picture is not None
    assert "1. Ada: 89. 2. Ben: 88. 3. Cem: 87. " in picture.alt
    assert "Dot" not in picture.alt
    assert all(card_name(card) in picture.alt for card in daily.cards)
