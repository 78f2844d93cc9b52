"""Decks for tests that need certain cards to turn up."""

from dataclasses import replace
from pathlib import Path

from bot.config import Settings
from highscore import STANDARD_DECK, Card, RollType
from highscore.deck import ROUNDS, Deck


def of_type(roll_type: RollType) -> Deck:
    """Make seven cards with one roll type and no vortex that freezes."""
    return only(next(card.id for card in STANDARD_DECK if card.roll_type is roll_type and not card.vortex.frozen))


def only(card_id: str) -> Deck:
    """Make seven cards like this one of the standard deck."""
    (like,) = [card for card in STANDARD_DECK if card.id == card_id]
    return Deck(card_id, tuple(replace(like, id=f"card-{number}") for number in range(ROUNDS)))


def with_deck_file(settings: Settings, folder: Path, cards: tuple[Card, ...]) -> Settings:
    file = folder / "deck.toml"
    entries = (
        f'[[card]]\nid = "{card.id}"\nscoring = "{card.scoring.value}"\nvortex = "{card.vortex}"\n'
        f'roll_type = "{card.roll_type.value}"\n'
        for card in cards
    )
    file.write_text('name = "A third of the box"\n' + "\n".join(entries), encoding="utf-8")
    return settings.model_copy(update={"deck_file": file})
