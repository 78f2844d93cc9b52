"""The English sentences: nothing in them makes a language guess a gender, a case or a form."""

import ast
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from bot.cli import extract_messages as extract
from bot.locales import _, ngettext
from tests.bot.locales.screens import all_screens
from tests.bot.locales.sources import (
    VALUES,
    Marking,
    agrees_with_a_person,
    begins_in_lower_case,
    has_name_within,
    has_number_without_plural,
)

COMMANDS = "bot/cogs"
"""The file of names, options and choices: Discord wants the former in lower case, and the latter look like them."""
UNITS = "is an abbreviation, with one form for all numbers"

REASONS: dict[Callable[[str], bool], dict[str, str]] = {
    begins_in_lower_case: {},
    has_name_within: {
        "{place}. {player}: {number} point": "begins with the place, as a line of a list",
    },
    has_number_without_plural: {
        "{number} h": UNITS,
        "{number} min": UNITS,
        "{number} s": UNITS,
    },
    agrees_with_a_person: {},
}
"""The checks, each with the messages it finds, and why these may stay."""
EXAMPLES: dict[Callable[[str], bool], tuple[tuple[str, ...], tuple[str, ...]]] = {
    begins_in_lower_case: (("away until {day}", "on"), ("{number} days", "**Play**", "Away")),
    has_name_within: (
        ("Won by {player}", "{winner} beats {other}", "The turn of {player}: 3", "{player}, {players} and you"),
        ("{player}, your turn.", "Win: {players}", "**{player}** wins", "By chips: **{winner}**", "Take {number}"),
    ),
    has_number_without_plural: (
        ("{number} games", "Up to {days} days", "**{number}** points", "{place}. {player} has {points} points"),
        ("Round {number} of {rounds}", "{players} may play", "Points: {number}", "{number}", "{link} is open"),
    ),
    agrees_with_a_person: (
        ("{player} won.", "{player} has left.", "You have not finished.", "What you did", "You are called here."),
        ("{player} wins.", "{player} has exactly 30 points.", "You have a seat.", "The seed was sealed."),
    ),
}
"""Texts that each check finds, and texts that it does not."""


@cache
def messages() -> dict[str | tuple[str, str], set[str]]:
    """Return the messages without their contexts, each with the files that say it."""
    found: dict[str | tuple[str, str], set[str]] = {}
    for file, message in extract.find_messages():
        found.setdefault(message.id, set()).add(file)
    return {text: files for text, files in found.items() if files != {COMMANDS}}


def _found_by(check: Callable[[str], bool]) -> set[str]:
    """Return the messages that a check finds; a plural has each number beside its noun by right."""
    texts = (text for text in messages() if isinstance(text, str) or check is not has_number_without_plural)
    return {text if isinstance(text, str) else text[0] for text in texts if any(map(check, _forms(text)))}


def _forms(text: str | tuple[str, str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


@pytest.mark.parametrize("check", REASONS, ids=lambda check: check.__name__)
def test_a_message_can_be_said_without_guessing(check: Callable[[str], bool]) -> None:
    assert len(messages()) > 600
    assert _found_by(check) == REASONS[check].keys()


@pytest.mark.parametrize("check", EXAMPLES, ids=lambda check: check.__name__)
def test_each_check_finds_what_would_be_guessed_and_nothing_else(check: Callable[[str], bool]) -> None:
    wrong, right = EXAMPLES[check]
    assert [text for text in wrong if not check(text)] == []
    assert [text for text in right if check(text)] == []


@pytest.fixture
def marking(monkeypatch: pytest.MonkeyPatch) -> Marking:
    """Speak English in which each message is marked."""
    marks = Marking()
    monkeypatch.setattr("bot.locales.load_translations", lambda _language: marks)
    return marks


def test_no_message_is_put_into_another_one_on_any_screen(marking: Marking) -> None:
    """Only names and measures are, first or after a colon, where no language has to change them."""
    nested = {each for screen in all_screens() for each in marking.find_nested(screen.words)}
    assert len(set(marking.known)) > 500
    checked = {_forms(text)[0] for text in messages()}
    wrong = {(outer, inner) for outer, inner, within in nested if within or inner not in VALUES}
    assert {(outer, inner) for outer, inner in wrong if outer in checked} == set()
    assert VALUES - {inner for _outer, inner, _within in nested} == set(), "named for nothing"


def test_a_message_in_another_one_is_found(marking: Marking) -> None:
    seat, chips = _("Seat reserved"), ngettext("{number} gold chip", "{number} gold chips", 2).format(number=2)
    text = _("{player}: {chips}.").format(player=seat, chips=f"1, {chips}")
    text += _("The piece of {player}").format(player=_("Deleted account"))
    assert list(marking.find_nested(text)) == [
        ("{player}: {chips}.", "Seat reserved", False),
        ("{player}: {chips}.", "{number} gold chip", False),
        ("The piece of {player}", "Deleted account", True),
    ]


def test_the_code_puts_no_message_into_another_one() -> None:
    """Not all that is said is on a screen of ``all_screens``: refusals are not."""
    paths = sorted((extract.ROOT / "bot").rglob("*.py"))
    found = {path.name: lines for path in paths if (lines := list(_messages_in_formats(path.read_text("utf-8"))))}
    assert found == {}
    sample = '_("{a}").format(a=_("b"))\n_("{a}").format(a=f(1))\nx.format(", ".join([_("c")]))'
    assert list(_messages_in_formats(sample)) == [1, 3]


def _messages_in_formats(source: str) -> Iterator[int]:
    """Yield the lines of calls of ``format`` in whose values a message is."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "format":
            values = [*call.args, *(keyword.value for keyword in call.keywords)]
            inside = (each.func for value in values for each in ast.walk(value) if isinstance(each, ast.Call))
            if any(isinstance(each, ast.Name) and each.id in ("_", "ngettext", "pgettext") for each in inside):
                yield call.lineno
