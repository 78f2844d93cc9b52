"""One symbol, one meaning: the table of docs/pictures.md has every symbol that a text or a button may have."""

import ast
import re
import unicodedata
from collections.abc import Iterator, Sequence

from bot.cli.extract_messages import ROOT
from bot.locales import catalogues

SYMBOL = re.compile("[0-9]\ufe0f\u20e3|[\u2000-\u27ff\u2b00-\u2bff\U0001f000-\U0001faff]")


def symbols_in(text: str) -> Iterator[str]:
    """Yield emoji and other pictographs; punctuation, arrows of a sentence and signs of arithmetic are none."""
    for found in SYMBOL.findall(text):
        if len(found) > 1 or unicodedata.category(found) == "So":
            yield found


def table() -> list[tuple[str, str]]:
    """Return the symbols of the table and their meanings, which stand in turn in its columns."""
    part = (ROOT / "docs" / "pictures.md").read_text("utf-8").split("\n## Symbols\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split("|") for line in part.splitlines() if line.startswith("|")]
    cells = [cell.strip() for row in rows[2:] for cell in row]
    assert [*map(len, map(list, map(symbols_in, cells[::2])))] == [1] * (len(cells) // 2)
    return [(next(symbols_in(cell)), meaning) for cell, meaning in zip(cells[::2], cells[1::2], strict=True)]


def in_code() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "bot").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.update(symbols_in(node.value))
    return found


def test_every_symbol_is_in_the_table_once_and_has_a_meaning_of_its_own() -> None:
    symbols, meanings = zip(*table(), strict=True)
    assert len(set(symbols)) == len(symbols)
    assert len(set(meanings)) == len(meanings)
    assert set(symbols) == in_code()


def test_a_translation_has_the_symbols_of_its_message() -> None:
    def symbols_of(texts: str | Sequence[str]) -> set[str]:
        return set(symbols_in("".join(texts)))

    for language in catalogues.catalogue_languages():
        for message in catalogues.read_catalogue(language):
            if message.id and message.string:
                assert symbols_of(message.string) == symbols_of(message.id), message.id
