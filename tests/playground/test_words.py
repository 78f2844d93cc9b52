"""Sentences of the page: each is there in every language it speaks."""

import ast
import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from playground.world import CHANNELS

PACKAGE = resources.files("playground")
STATIC = PACKAGE / "static"
SAID = re.compile(r'\btr\(("(?:[^"\\]|\\.)+")')
WRITTEN = re.compile(r'data-(?:said|label)="([^"]+)"')
ENTRY = re.compile(r'^    ("(?:[^"\\]|\\.)+"): ("(?:[^"\\]|\\.)+"),$', re.MULTILINE)


def _refusals() -> Iterator[str]:
    """Yield the sentences of the playground's own code, which the page says in its reader's language."""
    for path in Path(str(PACKAGE)).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RefusedError":
                (said,) = node.args
                assert isinstance(said, ast.Constant), f"{path.name}:{node.lineno}: values have names of their own"
                yield str(said.value)


def test_everything_the_page_says_has_a_translation_and_no_other() -> None:
    files = {path.name: path.read_text("utf-8") for path in STATIC.iterdir() if path.name.endswith((".js", ".html"))}
    words = {json.loads(english): json.loads(other) for english, other in ENTRY.findall(files.pop("words.js"))}
    said = {json.loads(text) for source in files.values() for text in SAID.findall(source)}
    said |= {text for source in files.values() for text in WRITTEN.findall(source)}
    said |= {*_refusals(), *(topic for _name, topic in CHANNELS)}
    assert len(said) > 60
    assert said == set(words)
    for english, other in words.items():
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", other)), english
