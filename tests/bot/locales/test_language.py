import asyncio
import doctest
from collections.abc import Iterator
from datetime import date
from logging import LogRecord
from pathlib import Path

import pytest

from bot import locales
from bot.domain.server_settings import ServerSettings
from bot.locales import (
    _,
    current_language,
    decimal_mark,
    format_day,
    format_gain,
    format_number,
    format_percentage,
    language_for,
    language_name,
    languages,
    load_translations,
    ngettext,
    speaking_in,
)
from bot.ui import setup
from bot.ui.setup import setup_steps


def test_the_examples_are_true() -> None:
    assert doctest.testmod(locales) == (0, 2)


@pytest.fixture
def other_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Look for catalogues elsewhere; what is known of the real ones is forgotten meanwhile."""
    monkeypatch.setattr(locales, "HERE", tmp_path)
    for known in (languages, load_translations):
        known.cache_clear()
    yield tmp_path
    for known in (languages, load_translations):
        known.cache_clear()


def add_language(folder: Path, name: str, *entries: tuple[str, str]) -> None:
    path = folder / name / "LC_MESSAGES" / "highscore.po"
    path.parent.mkdir(parents=True)
    body = "".join(f'\nmsgid "{english}"\nmsgstr "{translated}"\n' for english, translated in entries)
    path.write_text('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n' + body, "utf-8")


def test_the_language_of_a_discord_locale() -> None:
    assert language_for("de") == "de"
    assert {language_for(locale) for locale in ("en-US", "en-GB", None, "", "xx-YY")} == {"en"}


def test_the_setup_marks_a_language_until_a_native_has_read_it(
    other_languages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offered() -> list[str]:
        language = setup_steps(ServerSettings(), 1, ["UTC"])[0].settings[0]
        return [option.label.removeprefix("Language: ") for option in getattr(language.select.item, "options", ())]

    add_language(other_languages, "eo", ("Off", "For"))
    assert offered()[1:] == ["English", "Esperanto · not checked by a native speaker yet"]
    monkeypatch.setattr(setup, "READ_BY_NATIVES", {"en", "eo"})
    assert offered()[1:] == ["English", "Esperanto"]


def test_english_is_first_and_needs_no_catalogue() -> None:
    assert languages()[0] == "en"
    assert not locales.catalogue_path("en").exists()


def test_a_third_language_is_one_file(other_languages: Path) -> None:
    add_language(other_languages, "pt_BR", ("Start", "Começar"))
    add_language(other_languages, "es", ("Start", "Empezar"))
    assert languages() == ("en", "es", "pt_BR")
    assert [language_for(locale) for locale in ("pt-BR", "es-ES", "es-419", "de")] == ["pt_BR", "es", "es", "en"]
    with speaking_in("pt_BR"):
        assert _("Start") == "Começar"
        assert _("not in the catalogue") == "not in the catalogue"


@pytest.mark.parametrize(
    "damage",
    [
        b"nonsense\n",
        b"<<<<<<< HEAD\n",
        b"\xff\xfe",
        b'msgid ""\nmsgstr "Content-Type: text/plain; charset=morse\\n"\n',
        b'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != \\n"\n',
    ],
)
def test_a_damaged_catalogue_is_told_once_and_its_language_is_english(
    other_languages: Path, error_log: list[LogRecord], damage: bytes
) -> None:
    """Whoever plays gets an answer, and the commands of the other languages are registered."""
    add_language(other_languages, "nl", ("Start", "Begin"))
    locales.catalogue_path("nl").write_bytes(damage)
    with speaking_in("nl"):
        assert [_("Start"), _("Start"), ngettext("{number} day", "{number} days", 0)] == [
            "Start",
            "Start",
            "{number} days",
        ]
    assert str(locales.catalogue_path("nl")) in error_log.pop().getMessage()
    assert error_log == []


def test_a_language_whose_catalogue_is_gone_is_english_wholly(other_languages: Path) -> None:
    """A server may have chosen it by an older, or a newer, version."""
    for language in ("de", "tlh"):
        with speaking_in(language):
            assert (_("Off"), format_number(1.5), format_day(date(2026, 3, 9))) == ("Off", "1.50", "Mar 9, 2026")
            shown = setup_steps(ServerSettings(language=language), 1, ["UTC"])[0].settings[0]
        assert shown.value == language


def test_languages_are_named_in_themselves() -> None:
    assert [language_name(code) for code in ("en", "de", "fr", "pt_BR")] == [
        "English",
        "Deutsch",
        "Français",
        "Português (Brasil)",
    ]


def test_speaking_ends() -> None:
    assert current_language() == "en"
    with speaking_in("de"):
        assert (_("This game is over."), current_language()) == ("Dieses Spiel ist vorbei.", "de")
        with speaking_in("en"):
            assert _("This game is over.") == "This game is over."
    assert _("This game is over.") == "This game is over."


async def test_a_task_keeps_its_own_language() -> None:
    async def say(language: str) -> str:
        locales.speak_language(language)
        await asyncio.sleep(0)
        return await asyncio.to_thread(_, "This game is over.")

    texts = await asyncio.gather(*(asyncio.create_task(say(language)) for language in ("de", "en", "de")))
    assert texts == ["Dieses Spiel ist vorbei.", "This game is over.", "Dieses Spiel ist vorbei."]
    assert current_language() == "en"


@pytest.mark.parametrize(
    ("value", "digits", "english", "german"),
    [
        (1.73, 2, "1.73", "1,73"),
        (-0.5, 2, "−0.50", "−0,50"),
        (-0.001, 2, "0.00", "0,00"),
        (0.0, 1, "0.0", "0,0"),
        (1234.5, 1, "1,234.5", "1.234,5"),
        (-12.345, 3, "−12.345", "−12,345"),
        (7, 0, "7", "7"),
        (2200, 0, "2,200", "2.200"),
    ],
)
def test_numbers(value: float, digits: int, english: str, german: str) -> None:
    assert format_number(value, digits) == english
    with speaking_in("de"):
        assert format_number(value, digits) == german


def test_shares_gains_days_and_decimal_marks() -> None:
    day = date(2026, 3, 9)
    assert (format_percentage(0.256), format_gain(0.5), format_gain(-0.5)) == ("26%", "+0.50", "−0.50")
    assert (format_day(day), decimal_mark()) == ("Mar 9, 2026", ".")
    with speaking_in("de"):
        assert (format_percentage(0.256), format_gain(0.5)) == ("26\u00a0%", "+0,50")
        assert (format_day(day), decimal_mark()) == ("09.03.2026", ",")
