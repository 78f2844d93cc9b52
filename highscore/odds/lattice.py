"""The lattice: all multisets of dice, with their neighbours (one die more or less). All odds are computed on it.

A *keep* is a multiset of at most seven faces; a *roll* is a keep of seven. The multisets are numbered, smaller ones
first. So "one die more" and "one die less" are table look-ups, and all multisets of one size (a *layer*) take one NumPy
operation. Seven dice have 1,716 keeps; 792 of them are rolls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from highscore.dice import DICE, FACES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Indices = NDArray[np.intp]

Array = TypeVar("Array", bound=NDArray[np.generic])


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """All multisets of up to ``size`` dice with ``faces`` faces. The arrays are read-only."""

    faces: int
    size: int
    counts: Ints
    """The number of dice with each face; one row for each multiset."""
    first: tuple[int, ...]
    """The number of the first multiset of each size, and at the end the number of all multisets."""
    add: Indices
    """``add[face, multiset]`` is the multiset with one more die of that face. Multisets of full size have no column."""
    remove: Indices
    """``remove[face, multiset]`` is the multiset with one die of that face less, or the same multiset if it has no such
    die."""
    parent: Indices
    """Like ``remove``. But if there is no such die, the number after the last multiset."""
    chance: Floats
    """The chance of each multiset when as many dice are rolled as it has."""
    numbers: dict[tuple[int, ...], int]
    """The number of each multiset, by its row of ``counts``."""

    def find_layer(self, size: int) -> slice:
        return slice(self.first[size], self.first[size + 1])

    def count_multisets(self, size: int) -> int:
        return self.first[size + 1] - self.first[size]


@lru_cache(maxsize=4)
def build_lattice(faces: int = len(FACES), size: int = DICE) -> Lattice:
    """Build the lattice of up to ``size`` dice. It is cached.

    ``faces`` is six for dice, and seven for the values of a choice vortex.
    """
    chosen = (some for dice in range(size + 1) for some in combinations_with_replacement(range(faces), dice))
    rows = [tuple(map(some.count, range(faces))) for some in chosen]
    numbers = {row: number for number, row in enumerate(rows)}
    first = [0] * (size + 2)
    for row in rows:
        first[sum(row) + 1] += 1
    for dice in range(size + 1):
        first[dice + 1] += first[dice]
    add = [[numbers[_change_count(row, face, 1)] for row in rows[: first[size]]] for face in range(faces)]
    remove = [
        [numbers[_change_count(row, face, -1)] if row[face] else number for number, row in enumerate(rows)]
        for face in range(faces)
    ]
    parent = [[len(rows) if before == number else before for number, before in enumerate(column)] for column in remove]
    chance = [factorial(sum(row)) / prod(map(factorial, row)) / faces ** sum(row) for row in rows]
    return Lattice(
        faces,
        size,
        freeze(np.array(rows, dtype=np.int64)),
        tuple(first),
        freeze(np.array(add, dtype=np.intp)),
        freeze(np.array(remove, dtype=np.intp)),
        freeze(np.array(parent, dtype=np.intp)),
        freeze(np.array(chance)),
        numbers,
    )


def _change_count(row: tuple[int, ...], face: int, by: int) -> tuple[int, ...]:
    return (*row[:face], row[face] + by, *row[face + 1 :])


def freeze(array: Array) -> Array:
    """Make an array read-only, so that threads can share it."""
    array.setflags(write=False)
    return array
