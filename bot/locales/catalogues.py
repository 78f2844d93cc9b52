"""The catalogues of translations: text files (PO) in the repository. Each is read when its language is first needed.

Python's gettext reads only compiled catalogues (MO). They are compiled here, in memory, so nothing has to be built in a
clone of the repository or for a package. The format: https://www.gnu.org/software/gettext/manual/
"""

import gettext
import io
import logging
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

log = logging.getLogger(__name__)

DOMAIN = "highscore"
HERE = Path(__file__).parent


def catalogue_path(language: str) -> Path:
    """Return the path of a language's catalogue. The file may not exist."""
    return HERE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def catalogue_languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, in alphabetical order. Folders such as ``de.old`` are ignored."""
    names = (path.parent.parent.name for path in HERE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
    return tuple(sorted(filter(_is_language, names)))


def _is_language(name: str) -> bool:
    with suppress(ValueError, UnknownLocaleError):
        return Locale.parse(name).language == name.partition("_")[0]
    return False


def read_catalogue(language: str) -> Catalog:
    """Read the catalogue of a language. Raise OSError, or Babel's PoFileError if the file is damaged."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)


def read_translations(language: str) -> gettext.NullTranslations:
    """Read the translations into a language. If there is no readable catalogue, messages stay in English."""
    if language in catalogue_languages():
        try:
            write_mo(compiled := io.BytesIO(), read_catalogue(language))
            return gettext.GNUTranslations(io.BytesIO(compiled.getvalue()))
        except Exception:  # A damaged file can raise anything, and an answer in English is better than none.
            log.exception("%s cannot be read; what it translates stays in English", catalogue_path(language))
    return gettext.NullTranslations()


load_translations = cache(read_translations)
"""Return the translations into a language. They are read once, when they are first needed."""


# On import, Babel's dates look for this machine's time zone, and fail if they cannot read it.
_zone = os.environ.get("TZ")
os.environ["TZ"] = "UTC"
try:
    from babel.dates import format_date as format_date
    from babel.dates import format_skeleton as format_skeleton
finally:
    del os.environ["TZ"]
    if _zone is not None:
        os.environ["TZ"] = _zone
