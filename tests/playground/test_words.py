import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from playground.world import CHANNELS

PACKAGE = resources.files("playground")
STATIC = PACKAGE / "static"
SAID = re.compile(r'\btr\(("(?:[^"\\]|\\.)+")')
WRITTEN = re.compile(r'data-(?:said|label)="([^"]+)"')
LANGUAGES = sorted(
    path.name[len("words-") : -len(".js")] for path in STATIC.iterdir() if path.name.startswith("words-")
)
ENTRY = re.compile(r'^  ("(?:[^"\\]|\\.)+"): ("(?:[^"\\]|\\.)+"),$', re.MULTILINE)


def _refusals() -> Iterator[str]:
    """Yield the sentences of the playground's own code, which the page says in its reader's language."""
    for path in Path(str(PACKAGE)).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RefusedError":
                (said,) = node.args
                assert isinstance(said, ast.Constant), f"{path.name}:{node.lineno}: values have names of their own"
                yield str(said.value)


@cache
def said() -> frozenset[str]:
    sources = [path.read_text("utf-8") for path in STATIC.iterdir() if path.name.endswith((".js", ".html"))]
    found = {json.loads(text) for source in sources for text in SAID.findall(source)}
    found |= {text for source in sources for text in WRITTEN.findall(source)}
    return frozenset({*found, *_refusals(), *(topic for _name, topic in CHANNELS)})


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_the_page_says_has_a_translation_and_no_other(language: str) -> None:
    entries = ENTRY.findall((STATIC / f"words-{language}.js").read_text("utf-8"))
    words = {json.loads(english): json.loads(other) for english, other in entries}
    assert len(entries) == len(words), "none twice"
    assert len(said()) > 60
    assert said() == set(words)
    for english, other in words.items():
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", other)), english


def test_every_language_that_has_words_is_spoken() -> None:
    source = (STATIC / "words.js").read_text("utf-8")
    assert LANGUAGES
    assert re.findall(r'import (\w+) from "\./words-(\w+)\.js"', source) == [(name, name) for name in LANGUAGES]
    assert f"WORDS = {{ {', '.join(LANGUAGES)} }}" in source
