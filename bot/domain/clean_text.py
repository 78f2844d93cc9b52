"""Text from people that every database can keep and every encoding can write."""

import unicodedata

_UNSTORABLE = frozenset({"Cc", "Cs"})
"""Categories of control characters (PostgreSQL refuses NUL) and of surrogates, which have no bytes in UTF-8."""


def make_storable(text: str) -> str:
    r"""Drop characters that cannot be stored from a text, and replace line breaks by spaces.

    >>> make_storable("two\nlines\0")
    'two lines'
    """
    spaced = "".join(" " if character.isspace() else character for character in text)
    return "".join(character for character in spaced if unicodedata.category(character) not in _UNSTORABLE)
