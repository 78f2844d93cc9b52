"""The scorings and roll types that a person has played. A card is explained until the person knows both of its
parts."""

from collections.abc import Iterable

from highscore.cards import Card


def note_cards(cards: Iterable[Card], practised: str = "") -> str:
    """Add the scorings and roll types of finished cards to ``practised``, a text of sorted names.

    >>> from highscore import STANDARD_DECK
    >>> note_cards(STANDARD_DECK.cards[:1], "ODD")
    'FOUR_FULL ODD TOTAL'
    """
    return " ".join(sorted({*practised.split(), *(name for card in cards for name in _names(card))}))


def knows_card(practised: str, card: Card) -> bool:
    """Return whether ``practised`` contains both this card's scoring and its roll type."""
    return _names(card) <= set(practised.split())


def _names(card: Card) -> set[str]:
    return {card.scoring.value, card.roll_type.value}
