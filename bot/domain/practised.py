"""The scorings and roll types somebody has played: a card is explained until both of its are known."""

from collections.abc import Iterable

from highscore.cards import Card


def note_cards(cards: Iterable[Card], practised: str = "") -> str:
    """Return the names of the scorings and roll types that somebody has practised after turns on these cards.

    >>> from highscore import STANDARD_DECK
    >>> note_cards(STANDARD_DECK.cards[:1], "ODD")
    'FOUR_FULL ODD TOTAL'
    """
    return " ".join(sorted({*practised.split(), *(name for card in cards for name in _names(card))}))


def knows_card(practised: str, card: Card) -> bool:
    """Return whether somebody has finished a turn with this card's scoring, and one with its roll type."""
    return _names(card) <= set(practised.split())


def _names(card: Card) -> set[str]:
    return {card.scoring.value, card.roll_type.value}
