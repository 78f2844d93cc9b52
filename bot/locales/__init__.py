"""Translations (gettext), and numbers and dates in the formats of a language.

``_`` and ``ngettext`` use the language that a context variable contains when they are called. A private answer is in
its reader's language, a table in the server's. The messages in the code are English and need no catalogue.
docs/translating.md explains how to add a language.

A catalogue is a text file (PO) in this folder, read when its language is first needed. Python's gettext reads only
compiled catalogues (MO). They are compiled here, in memory, so nothing has to be built in a clone of the repository or
for a package. The format: https://www.gnu.org/software/gettext/manual/
"""

import gettext
import io
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache
from pathlib import Path

from babel import Locale
from babel.dates import format_date
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent, get_decimal_symbol

log = logging.getLogger(__name__)

DOMAIN = "highscore"
HERE = Path(__file__).parent
DEFAULT = "en"
READ_BY_NATIVES = {DEFAULT, "de"}
"""The languages whose texts a native speaker has reviewed on the bot's screens. The setup marks the others."""

_language: ContextVar[str] = ContextVar("language", default=DEFAULT)


def catalogue_path(language: str) -> Path:
    """Return the path of a language's catalogue. The file may not exist."""
    return HERE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def languages() -> tuple[str, ...]:
    """Return all languages: English first, then those with a catalogue in alphabetical order."""
    return (DEFAULT, *sorted(path.parent.parent.name for path in HERE.glob(f"*/LC_MESSAGES/{DOMAIN}.po")))


def read_catalogue(language: str) -> Catalog:
    """Read the catalogue of a language. Raise OSError, or Babel's PoFileError if the file is damaged."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)


@cache
def load_translations(language: str) -> gettext.NullTranslations:
    """Return the translations into a language. If there is no readable catalogue, messages stay in English.

    The catalogue is read once, when it is first needed.
    """
    if catalogue_path(language).exists():
        try:
            write_mo(compiled := io.BytesIO(), read_catalogue(language))
            return gettext.GNUTranslations(io.BytesIO(compiled.getvalue()))
        except Exception:  # A damaged file can raise anything, and an answer in English is better than none.
            log.exception("%s cannot be read; what it translates stays in English", catalogue_path(language))
    return gettext.NullTranslations()


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
    name = Locale.parse(language).get_display_name() or language
    return name[:1].upper() + name[1:]


def current_language() -> str:
    return _language.get()


@contextmanager
def speaking_in(language: str) -> Iterator[None]:
    """Translate into this language in the block, or into English if there is no catalogue of the language any more."""
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
