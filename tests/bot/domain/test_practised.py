import pytest

from bot.domain.table import knows_card, note_cards
from highscore import STANDARD_DECK, Card


@pytest.mark.parametrize("card", STANDARD_DECK.cards, ids=lambda card: card.id)
def test_a_card_is_known_once_both_its_scoring_and_its_roll_type_were_played(card: Card) -> None:
    same_scoring = [each for each in STANDARD_DECK.cards if each.scoring is card.scoring]
    same_roll_type = [each for each in STANDARD_DECK.cards if each.roll_type is card.roll_type]
    others = [each for each in STANDARD_DECK.cards if each not in (*same_scoring, *same_roll_type)]
    assert knows_card(note_cards([card]), card)
    assert knows_card(note_cards(same_roll_type, note_cards(same_scoring)), card)
    assert not knows_card(note_cards(others), card)
    assert not knows_card("", card)
