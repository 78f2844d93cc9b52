"""The pictures of the guide and of the cards."""

from bot.ui.pictures.guide import card_png, marker_png, roll_types_png, scoring_png, taken_png
from highscore.cards import Scoring
from tests.bot.ui.pictures.samples import CARDS, opened


def test_guide_pictures() -> None:
    for png, size in ((roll_types_png(), (1040, 592)), (taken_png(), (640, 300)), (marker_png(), (640, 300))):
        assert (opened(png).mode, opened(png).size) == ("P", size)
        assert len(png) < 40_000


def test_every_card_and_every_scoring_has_a_picture_of_its_own() -> None:
    cards = {card_png(each) for each in CARDS[::5]}
    assert len(cards) == 5
    assert {opened(png).size for png in cards} == {(816, 244)}
    assert max(map(len, cards)) < 15_000
    symbols = {scoring_png(scoring) for scoring in Scoring}
    assert len(symbols) == len(Scoring)
    assert {opened(png).size for png in symbols} == {(480, 244)}
