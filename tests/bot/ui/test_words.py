"""Cards and scores in words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui import guide as guide_view
from bot.ui import guide_pages as guide_pages
from bot.ui.text import signed
from bot.ui.words import (
    VORTEX,
    card_lines,
    card_name,
    explain,
    roll_type_name,
    roll_type_rule,
    scoring_name,
    scoring_rule,
    vortex_rule,
)
from highscore import STANDARD_DECK, Dice, Score, score
from highscore.cards import Card, RollType, Scoring, VortexValue
from highscore.dice import DICE, Face
from highscore.errors import CardError
from tests.bot.ui.limits import check_embeds

VORTEX_VALUES = (VortexValue.FROZEN, VortexValue.CHOICE, *map(VortexValue.fixed, (-30, -5, 0, 5, 6, 10, 30)))


def _cards() -> list[Card]:
    """Every kind of card there can be."""
    found = []
    for scoring in Scoring:
        for vortex in VORTEX_VALUES:
            for roll_type in RollType:
                try:
                    found.append(Card("any-card", scoring, vortex, roll_type))
                except CardError:
                    continue  # the rules leave it undefined, and no deck has it
    return found


CARDS = _cards()


@pytest.mark.parametrize("card", STANDARD_DECK.cards, ids=lambda card: card.id)
def test_every_card_of_the_deck_has_its_texts(card: Card) -> None:
    lines = card_lines(card)
    for text in (
        scoring_name(card.scoring),
        scoring_rule(card.scoring),
        vortex_rule(card),
        roll_type_name(card.roll_type),
        roll_type_rule(card.roll_type),
    ):
        assert text in lines
    assert ("🟥" if card.vortex_hurts else "🟩") in lines


def test_no_two_cards_of_the_deck_have_the_same_name() -> None:
    assert len({card_name(card) for card in STANDARD_DECK}) == len(STANDARD_DECK)


def test_every_kind_of_card_can_be_told() -> None:
    assert len(CARDS) > 200
    for card in CARDS:
        assert len(card_name(card)) <= 100
        check_embeds([guide_view.card_embed(card, "figures")])


@pytest.mark.parametrize("scoring", list(Scoring))
def test_what_is_subtracted_is_said(scoring: Scoring) -> None:
    assert ("subtracted" in scoring_rule(scoring)) is scoring.minus


@pytest.mark.parametrize("card", STANDARD_DECK.cards, ids=lambda card: card.id)
def test_the_example_of_a_card_has_dice_that_count(card: Card) -> None:
    dice, found = guide_view.example(card)
    assert found == score(card, dice)
    assert found.counted != 0
    assert str(found.total).replace("-", "−") in str(guide_view.card_embed(card, "figures").fields[0].value)


@pytest.mark.parametrize("card", STANDARD_DECK.cards, ids=lambda card: card.id)
def test_the_example_of_a_card_that_subtracts_shows_that(card: Card) -> None:
    _dice, found = guide_view.example(card)
    assert (found.subtracted != 0) is card.scoring.minus


def test_the_pages_of_the_guide_fit_into_discord() -> None:
    pages = [guide_pages.page(number, STANDARD_DECK) for number in range(20)]
    assert len({page.embeds[0].title for page in pages}) == 7
    for page in pages:
        check_embeds(page.embeds)
        assert page.picture is None or 0 < len(page.picture.alt) <= 1024
    check_embeds([guide_view.help_embed()])


_MINUS = re.compile(r"(?P<counting>.*) \((?P<sum>−?\d+)\) minus (?P<lost>.*) \((?P<remainder>−?\d+)\)")


def _numbers(text: str) -> list[int]:
    """The dice in a text such as ``5+5, 4+4 and 🌀6+🌀6``."""
    if "nothing" in text:
        return []
    words = re.split(r"\+|, | and ", text)
    return [int(word.removeprefix(VORTEX).strip("()").replace("−", "-")) for word in words]


def _check_explained(found: Score) -> None:
    text = explain(found)
    match = _MINUS.fullmatch(text)
    counting = _numbers(text if match is None else match["counting"])
    assert sum(counting) == found.counted
    if match is None:
        assert found.subtracted == 0
        assert found.total == sum(counting)
    else:
        lost = _numbers(match["lost"])
        assert sum(lost) == found.subtracted
        assert match["sum"] == signed(found.counted)
        assert match["remainder"] == signed(found.subtracted)
        assert found.total == sum(counting) - sum(lost)


@given(st.sampled_from(CARDS), st.lists(st.sampled_from(Face), min_size=DICE, max_size=DICE))
def test_the_explanation_of_a_score_adds_up(card: Card, faces: list[Face]) -> None:
    _check_explained(score(card, faces))


@pytest.mark.parametrize(
    ("card", "dice"),
    [
        ("tens-minus-ten", "V 5 5 3 1 1 1"),
        ("triples-minus-choice", "5 5 4 4 2 V V"),
        ("odd-frozen", "V V V V V V V"),
        ("same-minus-choice", "V V V V V V V"),
        ("total-minus5", "V V V V V V V"),
        ("ascending-ten", "2 3 4 5 V V V"),
    ],
)
def test_the_explanation_of_an_odd_score_adds_up(card: str, dice: str) -> None:
    _check_explained(score(STANDARD_DECK.card(card), Dice.parse(dice)))


def test_where_nothing_counts_it_is_said() -> None:
    assert "nothing counts" in explain(score(STANDARD_DECK.card("ascending-ten"), Dice.parse("2 2 3 3 4 4 5")))
