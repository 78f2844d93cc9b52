"""Names that people have chosen: they format nothing, mention nobody and turn nothing around."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.text import (
    AWAY,
    BADGE,
    CHIPS,
    DOTS,
    END_ISOLATE,
    HOUSE,
    ISOLATE,
    MAX_NAME,
    MOST_MARKS,
    PIECES,
    TROPHY,
    clean_name,
    escape_lucky_word,
    escape_name,
    forget_names,
    format_signed,
    is_visible,
    shorten,
)
from tests import hostile

SPECIAL = "*_~|`<>[]()#:/"
SNIPPETS = (
    *SPECIAL,
    "\\",
    "@",
    "a",
    "1",
    " ",
    "-",
    ".",
    "everyone",
    "here",
    "https://a.b",
    "\u200b",
    "\u0301",
    "\u05d0",
)
MARKS = ("·", "•", "🤖", "⭐", "🥇", "🏆")
MARKDOWN = st.lists(st.sampled_from((*SNIPPETS, *MARKS)), max_size=60).map("".join)
ANYTHING = st.one_of(st.text(max_size=120), MARKDOWN, st.sampled_from(hostile.NAMES))


def _bared(text: str) -> str:
    """Return a text without the pair of characters that keeps its direction to itself."""
    if text.startswith(ISOLATE):
        assert text.endswith(END_ISOLATE)
        return text[1:-1]
    return text


def _unescaped(text: str) -> str:
    """Return what Discord shows of a text, of which nothing may be left that formats."""
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
    assert _unescaped(escape_name(name)).replace("\u200b", "") == clean_name(name)


@given(ANYTHING)
def test_a_name_begins_no_list(name: str) -> None:
    assert re.match(r"([-+*]|\d+[.)])", escape_name(name)) is None


@given(ANYTHING)
def test_a_name_mentions_nobody(name: str) -> None:
    text = escape_name(name)
    assert re.search(r"@(everyone|here)", text) is None
    assert re.search(r"(?<!\\)<(@|#|t:|/|id:|a?:\w)", text) is None
    assert re.search(r"https?://", text) is None
    assert re.search(r"discord(app)?\.(gg|com)/", text) is None


@given(ANYTHING)
def test_a_name_is_one_visible_line_of_bounded_length(name: str) -> None:
    text = _bared(clean_name(name))
    assert 1 <= len(text) <= MAX_NAME
    assert text == " ".join(text.split())
    assert not {unicodedata.category(character) for character in text} & {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
    assert len(escape_name(name)) <= 2 * MAX_NAME + MAX_NAME // 2


@given(ANYTHING)
def test_what_is_written_from_right_to_left_keeps_it_to_itself(name: str) -> None:
    for text in (escape_name(name), clean_name(name)):
        turns = {"R", "AL", "AN"} & {unicodedata.bidirectional(character) for character in text}
        assert bool(turns) == (text[0] == ISOLATE) == (text[-1] == END_ISOLATE)
        assert not set(_bared(text)) & set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(ANYTHING)
def test_accents_stay_on_their_letter(name: str) -> None:
    kinds = "".join(
        "m" if unicodedata.category(character) in ("Mn", "Me") else "c" for character in _bared(clean_name(name))
    )
    assert not kinds.startswith("m")
    assert "m" * (MOST_MARKS + 1) not in kinds


@given(ANYTHING)
def test_a_name_has_none_of_the_bots_own_marks(name: str) -> None:
    for text in (escape_name(name), clean_name(name)):
        assert not set(text) & {HOUSE, TROPHY, AWAY, BADGE[0], *PIECES, *CHIPS.values()}
        assert re.search(rf"[{DOTS}](?!\w)|(?<!\w)[{DOTS}]", text) is None


@pytest.mark.parametrize(
    ("word", "shown"), [("⭐", "⭐"), ("🥇🥇", "🥇🥇"), ("🤖 Abacus", "Abacus"), ("· host", "host"), ("\u200b", "?")]
)
def test_a_lucky_word_may_be_a_star_or_a_medal(word: str, shown: str) -> None:
    assert escape_lucky_word(word) == shown


@pytest.mark.parametrize("name", hostile.INVISIBLE)
def test_a_name_of_nothing_visible_is_a_question_mark(name: str) -> None:
    assert escape_name(name) == clean_name(name) == "?"
    assert not is_visible(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("some_body", r"some\_body"),
        ("  Ben \n Cem ", "Ben Cem"),
        ("مرحبا", "\u2068مرحبا\u2069"),
        ("Zoë", "Zoë"),
        ("e\u0301", "é"),
        ("e\u200d\u0301", "é"),
        ("\u202eevil", "evil"),
        ("x" * 40, "x" * 31 + "…"),
        ("🎲🎲", "🎲🎲"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("Mary-Jane", "Mary-Jane"),
        ("- Ada", r"\- Ada"),
        ("1. Ada", r"1\. Ada"),
        ("1) Ada", r"1\) Ada"),
        ("2 Fast", "2 Fast"),
        ("discord.gg/ada", r"discord.gg\/ada"),
        ("@everyone", "@\u200beveryone"),
        ("<@1> <#2>", r"\<@1\> \<\#2\>"),
        ("🤖 Abacus", "Abacus"),
        ("Ada · host", "Ada host"),
        ("Ada\u2009•\u2009host", "Ada host"),
        ("Ada·🤖·host", "Ada host"),
        ("·Ada·", "Ada"),
        ("🏆 Ada", "Ada"),
        ("Ada_·_host", r"Ada\_ \_host"),
        ("Marcel·la", "Marcel·la"),
        ("ジョン・スミス", "ジョン・スミス"),
        ("Ada, 🔷 Ben", "Ada, Ben"),
        ("💜⭐", "?"),
        ("Z\u0335\u0322\u031b\u0300\u0301\u0302algo", "Z\u0335\u0322\u031balgo"),
    ],
)
def test_names_are_shown(name: str, shown: str) -> None:
    assert escape_name(name) == shown


@given(ANYTHING)
def test_what_is_shown_is_visible(name: str) -> None:
    assert is_visible(name) or clean_name(name) == "?"
    assert is_visible(clean_name(name))


@given(st.lists(ANYTHING, max_size=6), st.integers(2, 100))
def test_a_line_of_names_is_as_long_as_it_may_be(names: list[str], longest: int) -> None:
    line = ", ".join(map(clean_name, names))
    short = shorten(line, longest)
    units = len(short.replace(END_ISOLATE, "").encode("utf-16-le")) // 2
    assert units <= longest
    assert short == line or short.replace(END_ISOLATE, "").endswith("…")
    assert short.count(ISOLATE) == short.count(END_ISOLATE)


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (7, "7"), (-5, "−5")])
def test_numbers_have_a_real_minus(number: int, text: str) -> None:
    assert format_signed(number) == text


def test_names_are_forgotten() -> None:
    """Names go when somebody has had their data deleted; until then each is made harmless once."""
    clean_name("Ada")
    escape_name("Ada")
    before = escape_name.cache_info().hits
    escape_name("Ada")
    assert escape_name.cache_info().hits == before + 1
    forget_names()
    assert escape_name.cache_info().currsize == clean_name.cache_info().currsize == 0
