"""The words people see, in their language (gettext).

``_`` and ``ngettext`` look the language up at the moment of the call, in a context variable: a private answer is in
its reader's language, a table in the server's. Without a catalogue for a language the English text is used.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

DOMAIN = "highscore"
DEFAULT = "en"
_HERE = Path(__file__).parent

_language: ContextVar[str] = ContextVar("language", default=DEFAULT)


def languages() -> tuple[str, ...]:
    """The languages there are catalogues for, English first."""
    found = sorted(path.parent.parent.name for path in _HERE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return (DEFAULT, *(name for name in found if name != DEFAULT))


def language_for(locale: object) -> str:
    """The language to use for a Discord locale such as ``de`` or ``en-GB``; English when there is no catalogue."""
    language = str(locale).partition("-")[0].lower()
    return language if language in languages() else DEFAULT


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Everything translated inside is in this language."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def speak(language: str) -> None:
    """Use this language for the rest of the current task."""
    _language.set(language)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, _HERE, languages=[language], fallback=True)


def _(message: str) -> str:
    """The message in the current language."""
    return _catalogue(_language.get()).gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """The form of the message that goes with a number."""
    return _catalogue(_language.get()).ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """The message in the current language, where one English word needs several translations."""
    return _catalogue(_language.get()).pgettext(context, message)


def listed(items: Iterable[str]) -> str:
    """``a, b and c``."""
    *most, last = list(items) or [""]
    return _("{list} and {last}").format(list=", ".join(most), last=last) if most else last
