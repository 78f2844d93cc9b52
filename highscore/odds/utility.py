"""Utilities: the value of each final result, which is the goal a turn is played for.

A utility is a vector over every result there can be on any card. Everything the solver computes is the expectation of
such a vector, so values have its unit: points of the dice, a chance, or chip points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from highscore.odds.lattice import Floats, Ints
from highscore.odds.results import LIMIT, RESULTS


@dataclass(frozen=True, slots=True)
class Utility:
    """A value for each result from -210 to 210. Equal when all values are; ``name`` is for people only."""

    name: str = field(compare=False)
    _values: bytes = field(repr=False)

    @classmethod
    def from_function(cls, name: str, worth: Callable[[int], float]) -> Utility:
        """The utility that gives each result ``worth(result)``. Raises ValueError when a value is not finite."""
        return cls.from_vector(name, np.array([worth(result) for result in RESULTS], dtype=np.float64))

    @classmethod
    def from_vector(cls, name: str, values: Floats) -> Utility:
        """The utility with these values for the results -210 to 210. Raises ValueError unless 421 finite numbers."""
        if values.shape != (len(RESULTS),) or not np.isfinite(values).all():
            raise ValueError(f"a utility is {len(RESULTS)} finite numbers, one a result from {-LIMIT} to {LIMIT}")
        return cls(name, values.astype(np.float64).tobytes())

    @property
    def values(self) -> Floats:
        """The vector, for the results -210 to 210. Read-only."""
        return np.frombuffer(self._values)

    def evaluate_results(self, results: Ints) -> Floats:
        """The worth of each of these results."""
        return self.values[results + LIMIT]

    def __call__(self, result: int) -> float:
        """The worth of one result, -210 to 210."""
        return float(self.values[result + LIMIT])


POINTS = Utility.from_vector("points", np.arange(-LIMIT, LIMIT + 1, dtype=np.float64))
"""The result itself: playing for the highest average."""

COUNTED = Utility.from_vector("counted points", np.maximum(POINTS.values, 0.0))
"""The result, or 0 when it is negative: what a daily challenge counts (R9.4)."""


@lru_cache(maxsize=2 * len(RESULTS))
def aim_at_least(result: int) -> Utility:
    """1 for this result or more, else 0: playing for the chance to reach it."""
    return Utility.from_vector(f"at least {result}", (np.arange(-LIMIT, LIMIT + 1) >= result).astype(np.float64))


@lru_cache(maxsize=2 * len(RESULTS))
def cap_at(result: int) -> Utility:
    """The result, but at most this one: points above it count nothing."""
    return Utility.from_vector(f"up to {result}", np.minimum(POINTS.values, float(result)))
