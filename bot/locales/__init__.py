"""Translations (gettext), and numbers and dates in the formats of a language.

``_`` and ``ngettext`` use the language that a context variable contains when they are called. A private answer is in
its reader's language, a table in the server's. The messages in the code are English and need no catalogue.
docs/translating.md explains how to add a language.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache

import babel
from babel.numbers import format_decimal, format_percent, get_decimal_symbol

from bot.locales.catalogues import format_date

# isort: split
# After the dates: Babel's catalogues import its dates too.
from bot.locales.catalogues import catalogue_languages, load_translations

DEFAULT = "en"
READ_BY_NATIVES = {DEFAULT, "de"}
"""The languages whose texts a native speaker has reviewed on the bot's screens. The setup marks the others."""

_language: ContextVar[str] = ContextVar("language", default=DEFAULT)


@cache
def languages() -> tuple[str, ...]:
    """Return all languages, English first."""
    return (DEFAULT, *(name for name in catalogue_languages() if name != DEFAULT))


def load_languages() -> None:
    """Read all catalogues in advance, so that no user has to wait for one."""
    for language in languages():
        load_translations(language)


def language_for(locale: object) -> str:
    """Return the language for a Discord locale such as ``de`` or ``pt-BR``; English if there is no catalogue for it."""
    exact = str(locale).replace("-", "_")
    language = exact.partition("_")[0]
    return next((name for name in (exact, language) if name in languages()), DEFAULT)


@cache
def language_name(language: str) -> str:
    """Return the name of a language in that language, for example Deutsch. The first call takes some milliseconds for
    each language."""
    name = babel.Locale.parse(language).get_display_name() or language
    return name[:1].upper() + name[1:]


def current_language() -> str:
    return _language.get()


@contextmanager
def speaking_in(language: str) -> Iterator[None]:
    """Translate into this language in the block. If it has no catalogue, for example any more, use English."""
    token = _language.set(language_for(language))
    try:
        yield
    finally:
        _language.reset(token)


def speak_language(language: str) -> None:
    """Use this language for the rest of the current task."""
    _language.set(language)


def _(message: str) -> str:
    """Translate a message into the current language."""
    return load_translations(_language.get()).gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Translate a message in the form for a number. The number's sign is ignored, because plural rules have no negative
    numbers."""
    return load_translations(_language.get()).ngettext(singular, plural, abs(number))


def pgettext(context: str, message: str) -> str:
    """Translate a message whose English text has several meanings. ``context`` says which one."""
    return load_translations(_language.get()).pgettext(context, message)


def format_list(items: Iterable[str], *, any_one: bool = False) -> str:
    """Join items as a list in the current language, with "or" before the last one if ``any_one``, otherwise with "and".

    >>> format_list("abc"), format_list("abc", any_one=True)
    ('a, b and c', 'a, b or c')
    """
    *most, last = list(items) or [""]
    joined = _("{list} or {last}") if any_one else _("{list} and {last}")
    return joined.format(list=", ".join(most), last=last) if most else last


def labelled(label: str, text: object) -> str:
    """Return a label, a colon and a text. The colon is written as in the current language."""
    return _("{label}: {text}").format(label=label, text=text)


def format_number(value: float, digits: int = 2) -> str:
    """Format a number with ``digits`` decimals and a typographic minus sign. Zero is never negative.

    >>> format_number(-1.2345)
    '−1.23'
    """
    pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
    text = format_decimal(abs(value), pattern, locale=current_language())
    return f"−{text}" if round(value, digits) < 0 else text


def format_gain(value: float, digits: int = 2) -> str:
    """Format a number like ``format_number``, with a plus sign unless it is negative."""
    text = format_number(value, digits)
    return text if text.startswith("−") else "+" + text


def decimal_mark() -> str:
    """Return the decimal mark of the current language, such as a point or a comma."""
    return get_decimal_symbol(current_language())


def format_percentage(share: float) -> str:
    """Format a share from 0 to 1 in whole percent."""
    return format_percent(share, locale=current_language())


def format_day(day: date) -> str:
    """Format a date in its short form, with the year."""
    return format_date(day, "medium", locale=current_language())
