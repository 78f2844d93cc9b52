"""docs/rules.md as values: which rules there are, and the rows of its tables."""

import re
from pathlib import Path

_PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
_CHAPTERS = {chapter.partition(" ")[0]: chapter for chapter in re.split(r"^## (?=R\d )", _PAGE, flags=re.MULTILINE)[1:]}


def rules_of_page() -> set[str]:
    """Return each chapter, rule, and ``R3.4 ruling`` for a ruling that stands in a rule, or behind a chapter's last."""
    found = set[str]()
    for name, chapter in _CHAPTERS.items():
        found.add(name)
        for part in re.split(r"^(?=\d+\. )|\n\n", chapter, flags=re.MULTILINE):
            number = re.match(r"\d+(?=\. )", part)
            rule = f"{name}.{number[0]}" if number else name
            found |= {rule, f"{rule} ruling"} if "**Ruling**" in part else {rule}
    return found


def table_of(chapter: str) -> list[list[str]]:
    """Return the rows of a chapter's table without their marks, a minus sign as Python reads it."""
    rows = re.findall(r"^\|.+(?=\|$)", _CHAPTERS[chapter], re.MULTILINE)[2:]
    return [[cell.strip(" `").replace("\N{MINUS SIGN}", "-") for cell in row[1:].split("|")] for row in rows]
