"""Every screen in every language: nothing of another language on it, and nothing Discord would not take."""

import ast
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from bot.cli import extract_messages as extract
from bot.domain.table import Status
from bot.locales import decimal_mark, languages, speaking_in
from bot.ui.lobby import OptionsModal, WordModal
from bot.ui.table import render_screen, render_table
from highscore.turn_order import TurnOrder
from tests.bot.locales import leftovers, spoken
from tests.bot.locales.screens import Screen, all_screens, lobby
from tests.bot.ui import limits, tables

OTHERS = languages()[1:]


@cache
def screens(language: str) -> tuple[Screen, ...]:
    with speaking_in(language):
        return tuple(all_screens())


@pytest.mark.parametrize("language", spoken.EVERY_SCREEN[1:])
def test_no_english_is_left(language: str) -> None:
    assert len(leftovers.english_only(language)) > 300
    left = {(screen.name, part) for screen in screens(language) for part in leftovers.left_in(screen.words, language)}
    assert left == set()


@pytest.mark.parametrize("language", spoken.EVERY_SCREEN)
def test_every_screen_fits_into_discord_and_has_no_format_field_left(language: str) -> None:
    for screen in screens(language):
        assert not re.search(r"\|\||[\u2580-\u259f\u25a0\u2b1b]", screen.words), (screen.name, "a black bar")
        # A lucky word or a name may have braces; ours have none.
        assert not re.search(r"\{\w*\}", screen.words), (screen.name, screen.words)
        assert not re.search(r"(?m)^[,;:]", screen.words), (screen.name, "something is put in front of nobody")
        if screen.embeds:
            limits.check_embeds(screen.embeds)
        assert all(limits.length(text) <= 2000 for text in screen.texts)
        assert all(0 < limits.length(text) <= 1024 for text in screen.alts)
        for button in screen.buttons:
            assert limits.length(getattr(button.item, "label", None)) <= 80


@pytest.mark.parametrize("language", OTHERS)
def test_a_table_with_the_longest_names_fits_into_discord(language: str) -> None:
    """tests/bot/ui/test_table.py looks at English."""
    order = TurnOrder.OPEN
    with speaking_in(language):
        whole = lobby(5, order, names=tables.HOSTILE)
        named = tables.table_of(5, order)
    limits.check_message(render_table(whole))
    for table in tables.states(replace(named, locale=language), random.Random(language)):
        limits.check_message(render_table(replace(table, options=whole.options, timing=whole.timing)))
        if table.status is Status.FINISHED:
            for page in range(table.screen + 1):
                limits.check_message(render_screen(table, page))


@pytest.mark.parametrize("language", languages())
def test_the_dialogs_fit_into_discord(language: str) -> None:
    with speaking_in(language):
        modals = WordModal("0123456789ab", "x" * 32), OptionsModal(lobby(2, TurnOrder.OPEN))
    for modal in modals:
        assert 1 <= limits.length(str(modal.title)) <= 45
        parts = [child.to_component_dict() for child in modal.children]
        assert 1 <= len(parts) <= 5
        for part in parts:
            assert 1 <= limits.length(part["label"]) <= 45
            child = part["component"]
            texts = [
                child.get("placeholder"),
                *(one.get(name) for one in child.get("options", ()) for name in ("label", "description")),
            ]
            assert max(limits.length(text or "") for text in texts) <= 100


@pytest.mark.parametrize("language", spoken.EVERY_SCREEN[1:])
def test_figures_have_a_comma(language: str) -> None:
    with speaking_in(language):
        assert decimal_mark() == ","
    for screen in screens(language):
        assert not re.search(r"(?<![\w<:/.-])\d+\.(?!\d{3}\b)\d+(?![\w.])", screen.words), (screen.name, screen.words)


def test_the_code_has_no_other_way_to_say_something() -> None:
    """A sentence in a message that is not marked for translation would be English everywhere."""
    found: list[str] = []
    visible: Callable[[str], re.Match[str] | None] = re.compile(r"[A-Z][a-z]+ [a-z]+ ").search
    for path in sorted((extract.ROOT / "bot" / "ui").rglob("*.py")):
        texts = {message.id for message in extract.read_code(path.read_text("utf-8"))}
        flat = {part for text in texts for part in ((text,) if isinstance(text, str) else text)}
        found += [text for text in _constants(path.read_text("utf-8")) if visible(text) and text not in flat]
    assert found == []


def _constants(source: str) -> list[str]:
    """Return texts in the code that are neither documentation nor the message of an error."""
    tree = ast.parse(source)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.Raise):
            skipped.update(id(each) for each in ast.walk(node))
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped
    ]
