"""The pieces in front on the track, for many rounds at once (rules R5, R6).

Only the FRONT pieces furthest ahead can win a chip, so a round is described by their positions, highest first. The
first piece that waits below space 1 (R5.3) stands on 0, the next one on -1, and so on, which is their order of play.
NOBODY fills up where fewer players have a positive result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from highscore.odds.lattice import Floats, Ints
from highscore.track import Chip, Placement

FRONT = len(Chip)
"""The pieces that can still win a chip."""

NOBODY = -10
"""The position of a piece that is not there; at most five pieces wait, so real pieces are at -4 or above."""

_CODE_BITS = 10
_SHIFTS = _CODE_BITS * np.arange(FRONT)[::-1]


def find_front(placements: Iterable[Placement]) -> tuple[int, ...]:
    """Return the positions of the pieces in front, highest first, from placements in order of play."""
    positions: list[int] = []
    below = 0
    for placement in placements:
        if placement.position is not None:
            positions.append(placement.position)
        elif placement.waiting:
            positions.append(below)
            below -= 1
    return tuple(sorted(positions, reverse=True)[:FRONT])


def make_chip_table(chips: Sequence[Chip]) -> Floats:
    """Return the chip (column, in the order of Chip) of each rank (row); the last row is for all other pieces."""
    won = np.zeros((FRONT + 1, len(Chip)))
    for rank, chip in enumerate(chips):
        won[rank, list(Chip).index(chip)] = 1.0
    return won


def make_rows(fronts: Sequence[Sequence[int]]) -> Ints:
    return np.array([[*some, *[NOBODY] * (FRONT - len(some))] for some in fronts], dtype=np.int64)


def encode_rows(rows: Ints) -> Ints:
    """Return a whole number for each row of positions; equal rows have equal numbers."""
    shifted = rows - NOBODY
    codes: Ints = shifted[..., 0]
    for piece in range(1, FRONT):
        codes = codes << _CODE_BITS | shifted[..., piece]
    return codes


def decode_rows(codes: Ints) -> Ints:
    """Return the rows that ``encode_rows`` made the numbers of."""
    decoded: Ints = (codes[..., None] >> _SHIFTS & (1 << _CODE_BITS) - 1) + NOBODY
    return decoded


def sort_distinct(codes: Ints) -> Ints:
    ordered = np.sort(codes, axis=None)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]


class AddedPiece(NamedTuple):
    """One more piece in each front (first axis) with each result (second axis): NOBODY, of rank FRONT, if below 1."""

    fronts: Ints
    rank: Ints
    position: Ints


def add_piece(rows: Ints, results: Ints) -> AddedPiece:
    """Place one more piece with each of ``results`` in each front."""
    position = np.broadcast_to(results, (len(rows), len(results))).copy()
    for piece in range(FRONT):
        # R5.3: a taken result goes to the next lower one; positions are descending, so one look at each is enough.
        position -= position == rows[:, piece, None]
    position[:, results <= 0] = NOBODY
    rank = (rows[:, None, :] > position[:, :, None]).sum(axis=2)
    rank[:, results <= 0] = FRONT
    before = np.broadcast_to(rows[:, None, :], (*position.shape, FRONT))
    together = np.sort(np.concatenate((before, position[:, :, None]), axis=2), axis=2)
    return AddedPiece(together[:, :, :0:-1], rank, position)


def find_free_above(rows: Ints, piece: int) -> Ints:
    """Return the lowest result, at least 1, that gets ahead of this piece (by rank) of each front."""
    above = rows[:, piece] + 1
    for ahead in reversed(range(piece)):
        above = above + (above == rows[:, ahead])
    return np.maximum(above, 1)
