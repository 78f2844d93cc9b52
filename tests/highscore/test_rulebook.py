"""Every rule and every ruling of docs/rules.md has a test that names it.

A test names rules by its own name (``test_r3_4_...`` for R3.4, ``test_r3_4_ruling_...`` for a ruling in it) or in its
docstring (``R3.4``).
"""

import ast
import re
from pathlib import Path

from tests.highscore.rules_page import rules_of_page

ROOT = Path(__file__).parents[2]
PLAYED_BY_THE_BOT = {f"R9.{part}" for part in range(4, 10)}
"""House options that are tested where they are decided, not in the engine alone."""


def named_by(test: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    found = set(re.findall(r"\bR\d+(?:\.\d+)?(?: ruling)?\b", ast.get_docstring(test) or ""))
    if match := re.match(r"test_r(?P<rule>\d+(?:_\d+)?)(?P<ruling>_ruling)?_", test.name):
        rule = "R" + match["rule"].replace("_", ".")
        found |= {rule, f"{rule} ruling"} if match["ruling"] else {rule}
    return found


def test_every_rule_is_named_by_a_test_and_none_that_does_not_exist() -> None:
    files = sorted(Path(__file__).parent.glob("test_*.py"))
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = {rule for test in functions if test.name.startswith("test_") for rule in named_by(test)}
    rules = rules_of_page()
    assert len(rules) >= 49
    assert rules - PLAYED_BY_THE_BOT - {"R2", "R3", "R5", "R6", "R9"} <= named <= rules


def test_every_number_that_is_cited_stands_on_the_page() -> None:
    texts = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    modules = [path for room in ("bot", "highscore", "tests", "benchmarks") for path in ROOT.glob(f"{room}/**/*.py")]
    cited = {
        (number, path.relative_to(ROOT).as_posix())
        for path in (*texts, *modules)
        for number in re.findall(r"\bR\d\.\d+\b", path.read_text("utf-8"))
    }
    assert len(cited) > 100
    assert sorted(place for place in cited if place[0] not in rules_of_page()) == []
