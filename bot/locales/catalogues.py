"""The catalogues of translations: text files (PO) in the repository, read when a language is needed first.

GNU gettext wants them compiled (MO). That is done here, in memory, so that a clone of the repository and an installed
package work the same way and nothing has to be built. The format: https://www.gnu.org/software/gettext/manual/
"""

import gettext
import hashlib
import io
from functools import cache
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

DOMAIN = "highscore"
HERE = Path(__file__).parent


def catalogue_path(language: str) -> Path:
    """Return the path of a language's catalogue, one text file that need not exist."""
    return HERE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def catalogue_languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, in alphabetical order."""
    return tuple(sorted(path.parent.parent.name for path in HERE.glob(f"*/LC_MESSAGES/{DOMAIN}.po")))


def read_catalogue(language: str) -> Catalog:
    """Read the catalogue of a language. Raise OSError, or babel's PoFileError where the file is damaged."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)


def digest_catalogues() -> str:
    """Return a digest of all catalogues as they are stored, which takes no reading of what is in them."""
    languages = catalogue_languages()
    files = b"".join(hashlib.sha256(catalogue_path(language).read_bytes()).digest() for language in languages)
    return hashlib.sha256(repr(languages).encode() + files).hexdigest()


def read_translations(language: str) -> gettext.NullTranslations:
    """Read the translations into a language. Without a catalogue messages stay as they are, in English."""
    if language not in catalogue_languages():
        return gettext.NullTranslations()
    compiled = io.BytesIO()
    write_mo(compiled, read_catalogue(language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


load_translations = cache(read_translations)
"""Read the translations into a language when they are needed first, and keep them."""
