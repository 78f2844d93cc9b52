"""Utilities: the value of each final result, for a goal of a turn.

A utility is a vector over every result there can be on any card. Everything the solver computes is the expectation of
such a vector, so values have its unit: points of the dice, a chance, or chip points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from highscore.odds.lattice import Floats
from highscore.odds.results import LIMIT, RESULTS


@dataclass(frozen=True, slots=True)
class Utility:
    """A value for each of RESULTS. Equal if all values are; ``name`` is for people only."""

    name: str = field(compare=False)
    _values: bytes = field(repr=False)

    @classmethod
    def from_vector(cls, name: str, values: Floats) -> Utility:
        """Return the utility with these values for RESULTS. Raises ValueError unless they are 421 finite numbers."""
        if values.shape != (len(RESULTS),) or not np.isfinite(values).all():
            raise ValueError(f"a utility is {len(RESULTS)} finite numbers, one a result from {-LIMIT} to {LIMIT}")
        return cls(name, values.astype(np.float64).tobytes())

    @property
    def values(self) -> Floats:
        """The values for RESULTS. Read-only."""
        return np.frombuffer(self._values)

    def __call__(self, result: int) -> float:
        return float(self.values[result + LIMIT])


POINTS = Utility.from_vector("points", np.arange(-LIMIT, LIMIT + 1, dtype=np.float64))
"""The result itself: playing for the highest average."""

COUNTED = Utility.from_vector("counted points", np.maximum(POINTS.values, 0.0))
"""The result, or 0 when it is negative: what a daily challenge counts (R9.4)."""


@lru_cache(maxsize=2 * len(RESULTS))
def aim_at_least(result: int) -> Utility:
    """Return the utility of reaching this result.

    >>> aim_at_least(20)(19), aim_at_least(20)(20), cap_at(20)(19), cap_at(20)(25)
    (0.0, 1.0, 19.0, 20.0)
    """
    return Utility.from_vector(f"at least {result}", (np.arange(-LIMIT, LIMIT + 1) >= result).astype(np.float64))


@lru_cache(maxsize=2 * len(RESULTS))
def cap_at(result: int) -> Utility:
    """Return the utility of the result, but at most this one."""
    return Utility.from_vector(f"up to {result}", np.minimum(POINTS.values, float(result)))
