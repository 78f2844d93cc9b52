"""Decks of challenge cards: the standard deck (rules R7) and deck files.

A deck file is TOML. It has a ``name``, and an id and the three parts for each card::

    name = "My own box"

    [[card]]
    id = "same-frozen"
    scoring = "SAME"
    vortex = "frozen"       # or "choice", or a whole number
    roll_type = "ANY_THREE"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from highscore.cards import Card, RollType, Scoring, VortexValue, parse_name
from highscore.errors import CardError, DeckError, NotationError

ROUNDS = 7
"""The rounds of a game. One card is drawn for each (R2.1)."""

MAX_CARDS = 200
"""The most cards in a deck: a limit for deck files, not a rule."""

MAX_NAME = 100
"""The longest name of a deck, in characters."""

MAX_SIZE = 100_000
"""The largest deck file, in bytes."""

_MOST_DOTS = 100
"""The most dots in a line of a deck file. tomllib nests one table per dot of a key, and needs memory that grows with
the square of the depth."""

_PARTS = ("id", "scoring", "vortex", "roll_type")


@dataclass(frozen=True, slots=True)
class Deck:
    """7 to 200 challenge cards with different ids, and a name of one line. Raises DeckError otherwise."""

    name: str
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise DeckError("the deck has no name; give it one")
        if len(self.name) > MAX_NAME or self.name.splitlines() != [self.name]:
            raise DeckError(f"the deck's name has to be one line of at most {MAX_NAME} characters")
        seen: set[str] = set()
        for card in self.cards:
            if card.id in seen:
                raise DeckError(f"card {card.id!r} comes twice in deck {self.name!r}; every id may come once")
            seen.add(card.id)
        if not ROUNDS <= len(self.cards) <= MAX_CARDS:
            raise DeckError(
                f"deck {self.name!r} has {len(self.cards)} cards; a game needs {ROUNDS} to {MAX_CARDS} different ones"
            )

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def find_card(self, card_id: str) -> Card:
        """Return the card with this id. Raises DeckError if the deck has none."""
        for card in self.cards:
            if card.id == card_id:
                return card
        raise DeckError(f"deck {self.name!r} has no card {card_id!r}")


def load_deck(content: bytes, source: str) -> Deck:
    """Read a deck file's content (TOML, UTF-8 with or without a byte order mark).

    ``source`` is the file's name, for error messages. Raises DeckError, which names the file, the card and the reason.
    """
    if len(content) > MAX_SIZE:
        raise DeckError(f"{source}: larger than {MAX_SIZE:,} bytes; a deck has at most {MAX_CARDS} cards")
    try:
        document = _parse_toml(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise DeckError(f"{source}: not UTF-8 text (byte {error.start}); save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise DeckError(f"{source}: not TOML: {error}") from error
    except (ValueError, RecursionError) as error:  # from _parse_toml, and from Python itself inside tomllib
        raise DeckError(f"{source}: not TOML that can be read: a number too long, or nested too deep") from error
    name = document.get("name")
    if not isinstance(name, str):
        raise DeckError(f'{source}: the deck has no name; begin the file with name = "..."')
    entries = document.get("card")
    if not isinstance(entries, list) or not entries:
        raise DeckError(f"{source}: no cards; write one [[card]] with {', '.join(_PARTS)} for each card")
    unknown = sorted(document.keys() - {"name", "card"})
    if unknown:
        raise DeckError(f"{source}: unknown entry {_shorten(unknown[0])}; a deck file has name and [[card]]")
    cards = tuple(_read_card(entry, number, source) for number, entry in enumerate(entries, start=1))
    try:
        return Deck(name, cards)
    except DeckError as error:
        raise DeckError(f"{source}: {error}") from None


def _parse_toml(text: str) -> dict[str, Any]:
    """Read TOML. Raises ValueError, before parsing anything, if a line that is no comment has too many dots."""
    if any(line.count(".") > _MOST_DOTS and not line.lstrip().startswith("#") for line in text.split("\n")):
        raise ValueError("a key is nested too deep")
    return tomllib.loads(text)


def _read_card(entry: Any, number: int, source: str) -> Card:
    label = f"{source}: card {number}"
    if not isinstance(entry, dict):
        raise DeckError(f"{label}: write it as a [[card]] table with {', '.join(_PARTS)}")
    identity = entry.get("id")
    if isinstance(identity, str):
        label = f"{source}: card {number} ({_shorten(identity)})"
    for part in _PARTS:
        if part not in entry:
            raise DeckError(f"{label}: {part} is missing")
    unknown = sorted(entry.keys() - set(_PARTS))
    if unknown:
        raise DeckError(f"{label}: unknown part {_shorten(unknown[0])}; a card has {', '.join(_PARTS)}")
    vortex = entry["vortex"]
    # bool is a subclass of int in Python, so true would pass as 1.
    if not isinstance(vortex, int | str) or isinstance(vortex, bool):
        raise DeckError(f'{label}: vortex is {_shorten(vortex)}; write a whole number, "frozen" or "choice"')
    for part in ("id", "scoring", "roll_type"):
        if not isinstance(entry[part], str):
            raise DeckError(f"{label}: {part} is {_shorten(entry[part])}; write it in quotes")
    try:
        return Card(
            entry["id"],
            parse_name(Scoring, entry["scoring"]),
            VortexValue.from_number(vortex) if isinstance(vortex, int) else VortexValue.parse(vortex),
            parse_name(RollType, entry["roll_type"]),
        )
    except (CardError, NotationError) as error:
        raise DeckError(f"{label}: {error}") from error


def _shorten(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str() | float():
            return repr(value)[:60]
        case int():
            return "a number"
        case _:
            return "a list, a table or a date"


STANDARD_DECK = Deck(
    "standard",
    tuple(
        map(
            Card.parse,
            (
                "total-minus5: TOTAL -5 FOUR_FULL",
                "total-frozen: TOTAL frozen SET_ASIDE",
                "same-frozen: SAME frozen ANY_THREE",
                "same-minus10: SAME -10 FOUR_FULL",
                "same-minus-zero: SAME_MINUS 0 FOUR_FULL",
                "same-minus-choice: SAME_MINUS choice SET_ASIDE",
                "tens-minus-six: TENS_MINUS 6 ANY_THREE",
                "tens-minus-ten: TENS_MINUS 10 FOUR_FULL",
                "pairs-six: PAIRS 6 FOUR_FULL",
                "pairs-minus5: PAIRS -5 SET_ASIDE",
                "pairs-minus-zero: PAIRS_MINUS 0 ANY_THREE",
                "pairs-minus-five: PAIRS_MINUS 5 SET_ASIDE",
                "triples-minus-choice: TRIPLES_MINUS choice ANY_THREE",
                "triples-minus-ten: TRIPLES_MINUS 10 SET_ASIDE",
                "odd-five: ODD 5 FOUR_FULL",
                "odd-frozen: ODD frozen SET_ASIDE",
                "odd-minus-ten: ODD_MINUS 10 SET_ASIDE",
                "odd-minus-zero: ODD_MINUS 0 FOUR_FULL",
                "values-minus-five: VALUES_SHOWN_MINUS 5 ANY_THREE",
                "values-minus-six: VALUES_SHOWN_MINUS 6 ANY_THREE",
                "ascending-ten: ASCENDING 10 ANY_THREE",
            ),
        )
    ),
)
"""The 21 cards of rules R7."""
