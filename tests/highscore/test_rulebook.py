"""Every rule and every ruling has a test that names it.

A test names rules by its own name (``test_r3_4_...`` for R3.4, ``test_r3_4_ruling_...`` for a ruling in it) or in its
docstring (``R3.4``).
"""

import ast
import re
from pathlib import Path

RULES = (
    ["R1", "R4", "R7", "R8"]
    + [f"R2.{part}" for part in range(1, 6)]
    + [f"R3.{part}" for part in range(1, 6)]
    + [f"R4.{part}" for part in range(1, 12)]
    + [f"R5.{part}" for part in range(1, 4)]
    + [f"R6.{part}" for part in range(1, 4)]
    + [f"R9.{part}" for part in range(1, 4)]
)
RULINGS = ["R2.4 ruling", "R3.4 ruling", "R4 ruling", "R4.4 ruling", "R5.2 ruling", "R5.3 ruling"]


def named_by(test: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The rules that a test names."""
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
    rules, chapters = {*RULES, *RULINGS}, {f"R{number}" for number in range(1, 10)}
    assert rules <= named <= rules | chapters
