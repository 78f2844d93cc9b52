"""Parameters of tests of which README's command tries only some."""

from collections.abc import Iterable
from typing import Any

import pytest


def sample(values: Iterable[Any], step: int) -> list[Any]:
    """Return parameters of a test: the first of each ``step``; the others are marked as long."""
    return [value if not at % step else pytest.param(value, marks=pytest.mark.long) for at, value in enumerate(values)]
