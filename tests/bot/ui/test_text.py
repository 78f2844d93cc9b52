"""Names that people have chosen format nothing, mention nobody and turn nothing around."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.text import MAX_NAME, bare, plain, signed
from tests.bot.ui.tables import HOSTILE

SPECIAL = "*_~|`<>[]()#:"
PIECES = (*SPECIAL, "\\", "@", "a", "1", " ", "/", "everyone", "here", "https://a.b", "\u200b")
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
ANYTHING = st.one_of(st.text(max_size=120), MARKDOWN, st.sampled_from(HOSTILE))


def _unescaped(text: str) -> str:
    """What Discord shows of it, and nothing of it left that formats."""
    shown, at = [], 0
    while at < len(text):
        if text[at] == "\\":
            assert at + 1 < len(text), "a backslash at the end would escape what comes after the name"
            assert not text[at + 1].isalnum()
            at += 1
        else:
            assert text[at] not in SPECIAL, f"{text[at]} formats in {text!r}"
        shown.append(text[at])
        at += 1
    return "".join(shown)


@given(ANYTHING)
def test_a_name_formats_nothing_and_reads_as_it_is(name: str) -> None:
    assert _unescaped(plain(name)).replace("\u200b", "") == bare(name).replace("\u200b", "")


@given(ANYTHING)
def test_a_name_mentions_nobody(name: str) -> None:
    text = plain(name)
    assert re.search(r"@(everyone|here)", text) is None
    assert re.search(r"(?<!\\)<(@|#|t:|/|id:|a?:\w)", text) is None
    assert re.search(r"https?://", text) is None


@given(ANYTHING)
def test_a_name_is_one_visible_line_of_bounded_length(name: str) -> None:
    text = bare(name)
    assert 1 <= len(text) <= MAX_NAME
    assert text == " ".join(text.split())
    assert not {unicodedata.category(character) for character in text} & {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
    assert len(plain(name)) <= 2 * MAX_NAME + MAX_NAME // 2


@given(ANYTHING)
def test_a_harmless_name_stays_harmless(name: str) -> None:
    assert bare(bare(name)) == bare(name)


@pytest.mark.parametrize(
    "name", ["", " ", "\n\t", "\u200b\u200d\u2060", "\u202e\u202c", "\u3164", "\u2800\u2800", "\u00ad"]
)
def test_a_name_of_nothing_visible_is_a_question_mark(name: str) -> None:
    assert plain(name) == bare(name) == "?"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("some_body", r"some\_body"),
        ("  Ben \n Cem ", "Ben Cem"),
        ("مرحبا", "مرحبا"),
        ("Zoë", "Zoë"),
        ("e\u0301", "é"),
        ("\u202eevil", "evil"),
        ("x" * 40, "x" * 31 + "…"),
        ("🎲🎲", "🎲🎲"),
    ],
)
def test_names_are_shown(name: str, shown: str) -> None:
    assert plain(name) == shown


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (7, "7"), (-5, "−5")])
def test_numbers_have_a_real_minus(number: int, text: str) -> None:
    assert signed(number) == text
