"""Challenge cards and their notation (rules R1, R4 ruling, R7)."""

import pytest
from hypothesis import given

from highscore import STANDARD_DECK, Card, RollType, Scoring, VortexKind, VortexValue, cards
from highscore.errors import CardError, NotationError
from tests.highscore import strategies


def test_r1_a_card_has_a_vortex_value_a_scoring_and_a_roll_type() -> None:
    card = Card.parse("same-frozen: SAME frozen ANY_THREE")
    assert card == Card("same-frozen", Scoring.SAME, VortexValue.FROZEN, RollType.ANY_THREE)
    assert str(card) == "same-frozen: SAME frozen ANY_THREE"
    assert cards.parse_name(Scoring, " same_minus ") is Scoring.SAME_MINUS
    assert cards.parse_name(RollType, "Four_Full") is RollType.FOUR_FULL


def test_r4_a_vortex_is_a_number_frozen_zero_or_a_choice_of_zero_to_six() -> None:
    for text, kind, values in (
        ("-5", VortexKind.FIXED, [-5]),
        ("frozen", VortexKind.FROZEN, [0]),
        ("choice", VortexKind.CHOICE, [0, 1, 2, 3, 4, 5, 6]),
    ):
        vortex = VortexValue.parse(text)
        assert (vortex.kind, list(vortex.values)) == (kind, values)
    assert VortexValue.parse("−5") == VortexValue.parse(" -5 ") == VortexValue.from_number(-5), (
        "the rulebook's minus sign"
    )
    assert VortexValue.parse("+5") == VortexValue.from_number(5)
    assert VortexValue.parse("FROZEN") == VortexValue.FROZEN


def test_r4_ruling_a_negative_vortex_is_refused_where_the_remainder_is_subtracted() -> None:
    minus = ["SAME_MINUS", "TENS_MINUS", "PAIRS_MINUS", "TRIPLES_MINUS", "ODD_MINUS", "VALUES_SHOWN_MINUS"]
    for scoring in Scoring:
        assert scoring.subtracts_rest is (scoring.value in minus)
        assert Card("a", scoring, VortexValue.from_number(0), RollType.FOUR_FULL).vortex.number == 0
        if scoring.subtracts_rest:
            with pytest.raises(CardError, match="what subtracting a vortex worth -1 means; use a vortex of 0 or more"):
                Card("a", scoring, VortexValue.from_number(-1), RollType.FOUR_FULL)
        else:
            assert Card("a", scoring, VortexValue.from_number(-30), RollType.SET_ASIDE).vortex.number == -30


def test_r4_ruling_a_choice_vortex_with_ascending_is_refused() -> None:
    with pytest.raises(CardError, match="a place of its own after the 5"):
        Card.parse("a: ASCENDING choice ANY_THREE")
    for scoring in set(Scoring) - {Scoring.ASCENDING}:
        assert Card("a", scoring, VortexValue.CHOICE, RollType.ANY_THREE).vortex is VortexValue.CHOICE


def test_a_vortex_value_is_bounded_and_only_a_fixed_one_has_a_number() -> None:
    for number in (cards.MAX_VORTEX + 1, -cards.MAX_VORTEX - 1, 10**6000):
        with pytest.raises(CardError, match="out of range; use -30 to 30"):
            VortexValue.from_number(number)
    with pytest.raises(CardError, match="a choice vortex has no number of its own"):
        VortexValue(VortexKind.CHOICE, 3)


def test_what_is_no_vortex_value_and_no_card_id_is_refused() -> None:
    for text in ("", "5.0", "five", "true", "--5", "5 5", "1_0", "٣", "0x5", "frozen 0", "99999"):
        with pytest.raises(NotationError, match="is no vortex value; write a whole number, frozen or choice"):
            VortexValue.parse(text)
    for identity in ("", "Same", "same frozen", "-same", "same-", "a--b", "ä", "a" * (cards.MAX_ID + 1), "a:b"):
        with pytest.raises(CardError, match="is no card id; use lower-case letters, digits and single hyphens"):
            Card(identity, Scoring.TOTAL, VortexValue.FROZEN, RollType.SET_ASIDE)


@given(strategies.cards(), strategies.vortex_values)
def test_cards_and_vortex_values_read_back_from_their_text(card: Card, vortex: VortexValue) -> None:
    assert Card.parse(str(card)) == card
    assert VortexValue.parse(str(vortex)) == vortex
    assert vortex.frozen == (str(vortex) == "frozen")


def test_r7_the_vortex_is_red_exactly_where_it_can_only_hurt() -> None:
    red = """total-minus5 total-frozen same-frozen same-minus10 same-minus-zero pairs-minus5 pairs-minus-zero
             odd-frozen odd-minus-ten odd-minus-zero values-minus-five values-minus-six"""
    assert {card.id for card in STANDARD_DECK if card.vortex_hurts} == set(red.split())
