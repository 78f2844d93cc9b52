"""The catalogues of all languages: complete, up to date, and not able to break a sentence."""

import re
import unicodedata
from functools import cache
from string import Formatter

import pytest
from babel.messages import Catalog
from babel.messages.catalog import Message as CatalogMessage

from bot.cli.extract_messages import Message, find_messages, is_translated, read_code, update_catalogue
from bot.locales import languages, load_translations, read_catalogue
from bot.locales.commands import COMMAND, OPTION

LANGUAGES = languages()[1:]
RUN = "run `python -m bot.cli.extract_messages`, then translate what is new"

_FIELD = re.compile(r"\{\w*\}")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_SYMBOL = re.compile("[0-9]\ufe0f\u20e3|[\u2000-\u27ff\u2b00-\u2bff\U0001f000-\U0001faff]")
"""Emoji, and pictographs, of which punctuation and signs of arithmetic are none."""

Key = tuple[str | None, str]
"""Context and English text; of a message with plural forms, the singular."""


found_in_the_code = cache(find_messages)


@cache
def in_the_code() -> dict[Key, Message]:
    return {(message.context, _singular(message.id)): message for _file, message in found_in_the_code()}


@cache
def in_the_catalogue(language: str) -> dict[Key, CatalogMessage]:
    found = read_catalogue(language)
    return {(message.context, _singular(message.id)): message for message in found if message.id}


def _singular(text: str | tuple[str, ...] | list[str]) -> str:
    return text if isinstance(text, str) else text[0]


def _forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


def pairs(language: str) -> list[tuple[str, str]]:
    """Return each translation with the English it stands for; every plural form with the English plural."""
    found = []
    for message in in_the_catalogue(language).values():
        english = _forms(message.id)
        for index, translation in enumerate(_forms(message.string)):
            found.append((english[min(index, len(english) - 1)], translation))
    return found


def symbols(text: str) -> set[str]:
    return {found for found in _SYMBOL.findall(text) if len(found) > 1 or unicodedata.category(found) == "So"}


def fields(text: str) -> list[str]:
    return sorted(name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_every_message_of_the_code_and_no_other(language: str) -> None:
    assert len(in_the_code()) > 400
    assert in_the_code().keys() - in_the_catalogue(language).keys() == set(), RUN
    assert in_the_catalogue(language).keys() - in_the_code().keys() == set(), RUN


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated_in_all_its_forms(language: str) -> None:
    forms = read_catalogue(language).num_plurals
    assert forms >= 1
    for key, message in in_the_catalogue(language).items():
        assert is_translated(message), key
        assert not message.fuzzy, key
        plural = isinstance(in_the_code()[key].id, tuple)
        assert message.pluralizable is plural, RUN
        assert len(_forms(message.string)) == (forms if plural else 1), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_fields_formatting_and_sentences_survive(language: str) -> None:
    for english, translation in pairs(language):
        assert fields(english) == fields(translation), translation
        assert symbols(english) == symbols(translation), translation
        for mark in ("**", "`", "<@", "@everyone"):
            assert english.count(mark) == translation.count(mark), (mark, translation)
        assert "\n" not in translation
        assert translation == translation.strip()
        # A link at the end of a sentence takes no full stop with it: Discord would make it a part of the address.
        assert not english.endswith(".") or translation.endswith((".", "}")), translation


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_sentences_name_commands_as_discord_shows_them(language: str) -> None:
    translate = load_translations(language)
    names, options = (
        {translate.pgettext(wanted, name) for context, name in in_the_code() if context == wanted}
        for wanted in (COMMAND, OPTION)
    )
    texts = [key[1] for key in in_the_code()] if language == "en" else [text for _english, text in pairs(language)]
    named = [match for text in texts for match in re.findall(r"/highscore (\w+)(?: (\w+):)?", text)]
    assert len(named) > 5
    assert {command for command, _option in named} <= names
    assert {option for _command, option in named if option} <= options


def _label(text: str) -> str:
    """Return what a sentence calls a button or a choice: its text without the value, or what stands before a colon."""
    return _FIELD.sub("", text.partition(":")[0] if not text.startswith("{") else text).strip(" ?:\u00a0")


def labels_of(bold: str, found: list[tuple[str, str]]) -> set[str]:
    """Return the translations of the buttons, options and choices that an English sentence may mean by a bold word."""
    labels: set[str] = set()
    for english, said in found:
        if len(english) > 60:
            continue
        if bold in (english, _label(english)):
            labels |= {said, _label(said)}
        fields = _FIELD.findall(english)
        if len(fields) == 1 and (
            match := re.fullmatch(re.escape(english).replace(re.escape(fields[0]), r"(\d+)"), bold)
        ):
            labels.add(said.replace(fields[0], match[1]))
    return labels


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_calls_a_button_as_it_is_called(language: str) -> None:
    named = 0
    for english, said in (found := pairs(language)):
        for bold in _BOLD.findall(english):
            if labels := labels_of(bold, found):
                named += 1
                assert labels & set(_BOLD.findall(said)), said
    assert named > 15


def test_a_new_message_is_left_open_and_a_changed_one_is_marked() -> None:
    before = Catalog(locale="de")
    before.add("The dice are cold now.", "Die Würfel sind jetzt kalt.")
    before.add("Nobody needs this any more.", "Das braucht niemand mehr.")
    found = [("a.py", Message("The dice are hot now.")), ("a.py", Message(("{n} cup", "{n} cups")))]
    after = update_catalogue("de", found, before)
    assert [message.id for message in after if message.id] == ["The dice are hot now.", ("{n} cup", "{n} cups")]
    assert after["The dice are hot now."].fuzzy
    assert not any(_forms(after["{n} cup"].string))


CODE = """
_("one")
ngettext("a {n}", "many {n}", count)
pgettext("place", "two")
lookup[key](_("three" " and four"))
f"{_('five')} and {other(_("six"))}"
_(variable)
def _(message): ...
raise errors.GameOver("seven")
raise ValueError("eight")
"""


def test_what_is_taken_from_the_code() -> None:
    code = CODE.replace('_("six")', "_('six')")
    assert list(read_code(code)) == [
        Message("one"),
        Message(("a {n}", "many {n}")),
        Message("two", "place"),
        Message("three and four"),
        Message("five"),
        Message("six"),
        Message("seven"),
    ]
