import pytest

from bot.locales import languages

QUICK = ("en", "de")
"""Those that are looked at by default; the others are marked as long."""
EVERY_SCREEN = [
    pytest.param(language, marks=() if language in QUICK else pytest.mark.long, id=language) for language in languages()
]
