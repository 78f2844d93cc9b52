"""Finding English in a text that should have none."""

import re
from functools import cache
from string import Formatter

from bot.locales import read_catalogue

SHORTEST = 4
"""Fewer letters may be a word of another language, or a part of one."""
_WORD = re.compile(r"\w")


def parts(text: str) -> list[str]:
    """Return the parts of a message between its format fields, which are read wherever it is shown."""
    found = (part.strip() for part, *_field in Formatter().parse(text))
    return [part for part in found if sum(map(str.isalpha, part)) >= SHORTEST]


@cache
def english_only(language: str) -> frozenset[str]:
    """Find the parts of English messages that this language says in another way."""
    english: set[str] = set()
    said: set[str] = set()
    for message in read_catalogue(language):
        for text in (message.id,) if isinstance(message.id, str) else message.id:
            english.update(parts(text))
        for text in (message.string,) if isinstance(message.string, str) else message.string or ():
            said.update(parts(text))
    spoken = "\n".join(said)
    return frozenset(part for part in english if not _has(spoken, part))


def left_in(text: str, language: str) -> set[str]:
    return {part for part in english_only(language) if _has(text, part)}


def _has(text: str, part: str) -> bool:
    """Return whether a part is in a text as whole words; a regular expression takes ten times as long."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if not _WORD.match(text[at - 1 : at]) and not _WORD.match(text[end : end + 1]):
            return True
        at = text.find(part, at + 1)
    return False
