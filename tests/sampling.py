"""Which tests are run, and how far they go."""

import os
from collections.abc import Iterable
from typing import Any, NoReturn

import pytest

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
"""True if thousands of kills, faults and examples are wanted."""

_Parameters = type(pytest.param())


def lack(what: str) -> NoReturn:
    """Skip a test for something that this machine lacks; fail it if nothing may be skipped, as in .ci/run."""
    if os.environ.get("HIGHSCORE_REQUIRE_ALL") == "1":
        pytest.fail(what)
    pytest.skip(what)


def sample(values: Iterable[Any], step: int) -> list[Any]:
    """Return parameters of a test: the first of each ``step``; the others are marked as long."""
    return [value if not at % step else _mark_as_long(value) for at, value in enumerate(values)]


def _mark_as_long(value: Any) -> Any:
    if isinstance(value, _Parameters):
        return pytest.param(*value.values, marks=[*value.marks, pytest.mark.long], id=value.id)
    return pytest.param(value, marks=pytest.mark.long)
