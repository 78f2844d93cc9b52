"""Each catalogue against the rules of its language, and each rule against a sentence that breaks it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from bot.locales import language_name
from tests.bot.locales.rules_of_languages import (
    EVERYWHERE,
    LONGER,
    MOST_LETTERS,
    RULES,
    SAME_AS_ENGLISH,
    SPARE_LETTERS,
    Rule,
)
from tests.bot.locales.test_catalogues import LANGUAGES, pairs
from tests.bot.locales.test_screens import screens

MARKS = ("*", "`", "||", "__", "~~", "](", "> ", "#", "@", "\n")
NAMES = ("High Score", "Discord", "KOSMOS", "Reiner Knizia")
_FIELD = re.compile(r"\{\w*\}")
_BOLD = re.compile(r"\*\*(.+?)\*\*")

Pairs = Iterable[tuple[str, str]]
"""English texts, each with a translation."""


def broken(text: str, rules: Iterable[Rule]) -> list[str]:
    """Return why a translation is not as it should be."""
    prose = re.sub(r"`[^`]*`|https?://\S+", "…", text)
    return [rule.reason for rule in rules if re.search(rule.pattern, prose, re.IGNORECASE)]


def without_words(text: str) -> bool:
    """Return whether nothing of a text is to be translated: it has fields, numbers and names."""
    rest = _FIELD.sub("", text)
    for name in NAMES:
        rest = rest.replace(name, "")
    return not any(map(str.isalpha, rest))


def untranslated(found: Pairs, same: Iterable[str]) -> set[str]:
    return {english for english, said in found if english == said and not without_words(said)} - set(same)


def other_marks(found: Pairs) -> list[str]:
    """Return the translations that have another number of Discord's marks than the English text."""
    return [said for english, said in found if any(english.count(mark) != said.count(mark) for mark in MARKS)]


def _label(text: str) -> str:
    """Return what a sentence calls a button or a choice: its text without the value, or what stands before a colon."""
    return _FIELD.sub("", text.partition(":")[0] if not text.startswith("{") else text).strip(" ?:\u00a0")


def labels_of(bold: str, found: Pairs) -> set[str]:
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


def misnamed(found: Pairs) -> Iterator[tuple[str, set[str]]]:
    """Find the sentences in which a button has another name than on itself; with its names."""
    known = list(found)
    for english, said in known:
        spoken = set(_BOLD.findall(said))
        for bold in _BOLD.findall(english):
            if (labels := labels_of(bold, known)) and not labels & spoken:
                yield said, labels


def letters_of_screens(language: str) -> Counter[str]:
    """Count the letters of each screen."""
    found: Counter[str] = Counter()
    for screen in screens(language):
        found[screen.name] += sum(map(str.isalpha, screen.words))
    return found


def too_long(english: Counter[str], other: Counter[str], longer: dict[str, int]) -> dict[str, str]:
    return {
        name: f"{letters} of {english[name]} letters"
        for name, letters in other.items()
        if letters > english[name] * longer.get(name, MOST_LETTERS) / 100 + SPARE_LETTERS
    }


# ------------------------------------------------------------------------------------------------- the catalogues


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_that_the_language_does_not_say(language: str) -> None:
    rules = EVERYWHERE + RULES[language]
    found = [(reasons, said) for _english, said in pairs(language) if (reasons := broken(said, rules))]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_as_in_english_is_on_the_list(language: str) -> None:
    assert untranslated(pairs(language), SAME_AS_ENGLISH[language]) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_of_discord_are_as_many_as_in_english(language: str) -> None:
    assert other_marks(pairs(language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_calls_a_button_as_it_is_called(language: str) -> None:
    assert list(misnamed(pairs(language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_is_not_much_longer_than_in_english(language: str) -> None:
    found = too_long(letters_of_screens("en"), letters_of_screens(language), LONGER.get(language, {}))
    assert found == {}


# ------------------------------------------------------------------------------------------------------ the rules


@pytest.mark.parametrize("language", [*RULES, "every language"])
def test_each_rule_finds_what_is_wrong_and_leaves_what_is_right(language: str) -> None:
    for rule in RULES.get(language, EVERYWHERE):
        assert broken(rule.wrong, [rule]), rule
        assert not broken(rule.right, [rule]), rule
        assert not broken(f"`{rule.wrong}`", [rule]), rule


@pytest.mark.parametrize("language", RULES)
def test_what_is_right_by_one_rule_breaks_no_other(language: str) -> None:
    """A language's rules go together: each gives way only to a sentence that all of them allow."""
    for rule in RULES[language]:
        assert not broken(rule.right, EVERYWHERE + RULES[language]), rule


def test_a_catalogue_without_rules_is_noticed() -> None:
    assert set(RULES) == set(SAME_AS_ENGLISH) >= set(LANGUAGES)
    assert len({language_name(language) for language in RULES}) == len(RULES)


def test_an_english_text_in_a_catalogue_is_noticed() -> None:
    found = [("Join", "Join"), ("Start", "Start"), ("{player}: {chips}.", "{player}: {chips}."), ("Roll", "Würfeln")]
    assert untranslated(found, {"Start"}) == {"Join"}
    assert without_words("High Score #{number}")


def test_a_lost_mark_is_noticed() -> None:
    found = [("**Keep** it", "*Behalten*"), ("||{seal}||", "{seal}"), ("**Keep** it", "**Behalten**")]
    assert other_marks(found) == ["*Behalten*", "{seal}"]


def test_a_button_that_a_sentence_calls_otherwise_is_noticed() -> None:
    buttons = [
        ("Keep {result}", "Behalten: {result}"),
        ("Keep all: {result}", "Alle: {result}"),
        ("Roll {dice}", "{dice} Würfel"),
        ("remove: take a seat away", "entfernen: jemanden vom Tisch nehmen"),
        ("Join", "Mitspielen"),
    ]
    right = [
        ("**Keep** ends it.", "**Behalten** beendet ihn."),
        ("**Keep all**!", "**Alle** behalten!"),
        ("Press **Roll 7**.", "Drück **7 Würfel**."),
        ("**remove** does it.", "**entfernen** tut es."),
        ("**Luck** counts.", "**Dusel** zählt."),
    ]
    assert list(misnamed([*buttons, *right])) == []
    wrong = [
        ("**Keep** ends it.", "**Halten** beendet ihn."),
        ("Press **Roll 7**.", "Drück **7 würfeln**."),
        ("**Join** the table.", "**Setz** dich dazu."),
    ]
    assert [said for said, _labels in misnamed([*buttons, *right, *wrong])] == [said for _english, said in wrong]


def test_buttons_are_found_in_the_sentences_there_are() -> None:
    known = pairs("de")
    named = [bold for english, _said in known for bold in _BOLD.findall(english) if labels_of(bold, known)]
    assert len(named) > 15
    assert {"Keep", "Keep all", "Roll 7", "remove", "player"} <= set(named)


def test_a_screen_that_is_too_long_is_noticed() -> None:
    english = Counter({"help": 100, "story": 100})
    assert set(too_long(english, Counter({"help": 151, "story": 150}), {})) == {"help"}
    assert too_long(english, Counter({"help": 150, "story": 169}), {"story": 150}) == {}
