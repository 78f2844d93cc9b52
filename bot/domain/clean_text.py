"""Text from people that every database can keep and every encoding can write."""

import unicodedata

_UNSTORABLE = frozenset({"Cc", "Cs"})
"""Control characters: PostgreSQL refuses NUL. Halves of characters, which have no bytes in UTF-8."""


def make_storable(text: str) -> str:
    """The text without what cannot be stored; anything that breaks a line becomes a space."""
    spaced = "".join(" " if character.isspace() else character for character in text)
    return "".join(character for character in spaced if unicodedata.category(character) not in _UNSTORABLE)
