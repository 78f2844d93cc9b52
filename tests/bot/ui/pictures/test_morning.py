"""The morning's picture: its parts, and what its description says."""

from bot.domain.daily import Finisher, make_ranking
from bot.ui.daily import render_podium
from bot.ui.words import card_name
from tests.bot.ui.test_daily import finished


def test_the_description_names_the_first_ones_and_todays_cards() -> None:
    daily = finished(1).challenge
    days = [Finisher(number, name, 90 - number, 1) for number, name in enumerate(("Ada", "Ben", "Cem", "Dot"), 1)]
    picture = render_podium(daily, make_ranking(days), today=daily).picture
    assert picture is not None
    assert "1. Ada: 89. 2. Ben: 88. 3. Cem: 87. " in picture.alt
    assert "Dot" not in picture.alt
    assert all(card_name(card) in picture.alt for card in daily.cards)
