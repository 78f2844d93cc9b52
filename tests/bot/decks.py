"""Decks for tests that need certain cards to turn up."""

from dataclasses import replace

from highscore import STANDARD_DECK, RollType
from highscore.deck import ROUNDS, Deck


def of_type(roll_type: RollType) -> Deck:
    """Make seven cards with one roll type and no vortex that freezes."""
    return only(next(card.id for card in STANDARD_DECK if card.roll_type is roll_type and not card.vortex.frozen))


def only(card_id: str) -> Deck:
    """Make seven cards like this one of the standard deck."""
    (like,) = [card for card in STANDARD_DECK if card.id == card_id]
    return Deck(card_id, tuple(replace(like, id=f"card-{number}") for number in range(ROUNDS)))
