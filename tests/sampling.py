"""Parameters of tests of which README's command tries only some."""

from collections.abc import Iterable
from typing import Any

import pytest

_Parameters = type(pytest.param())


def sample(values: Iterable[Any], step: int) -> list[Any]:
    """Return parameters of a test: the first of each ``step``; the others are marked as long."""
    return [value if not at % step else _mark_as_long(value) for at, value in enumerate(values)]


def _mark_as_long(value: Any) -> Any:
    if isinstance(value, _Parameters):
        return pytest.param(*value.values, marks=[*value.marks, pytest.mark.long], id=value.id)
    return pytest.param(value, marks=pytest.mark.long)
