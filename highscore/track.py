"""The track: where the results of a round put the pieces, and which chips they win (rules R5, R6).

>>> pieces = place_pieces({0: 26, 1: 37, 2: 26, 3: -5})
>>> [(piece.space, piece.markers) for piece in pieces]
[(26, 0), (7, 1), (25, 0), (None, 0)]
>>> {seat: chip.name for seat, chip in award_chips(pieces, players=4).items()}
{1: 'GOLD', 0: 'SILVER', 2: 'BRONZE'}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

LAP = 30
"""The number of spaces (R1). A piece that goes beyond starts over with its 30+ marker turned (R5.2)."""


class Chip(Enum):
    """A chip, with its points (R1) and the numbers of players with which it is in the game (R6.2). The best is first.

    >>> [chip.name for chip in list_chips(players=2)]
    ['GOLD', 'BRONZE']
    """

    GOLD = 3, range(2, 6)
    SILVER = 2, range(3, 6)
    BRONZE = 1, range(2, 6)

    def __init__(self, points: int, players: range) -> None:
        self.points = points
        self.players = players


def list_chips(players: int) -> tuple[Chip, ...]:
    """Return the chips of a round, the best first (R6). There are none for a single player."""
    return tuple(chip for chip in Chip if players in chip.players)


@dataclass(frozen=True, slots=True)
class Placement:
    """One player's piece in a round."""

    seat: int
    result: int
    """The result of the dice, any whole number."""
    position: int | None
    """The number of the piece's space, continuing past 30: 31 is space 1 with the 30+ marker turned.

    It is the result, or the next lower number that was free. None if the piece is on no space (R5.1, R5.3).
    """

    @property
    def space(self) -> int | None:
        """The space of the track that the piece stands on, 1 to 30, or None."""
        return None if self.position is None else (self.position - 1) % LAP + 1

    @property
    def markers(self) -> int:
        """The number of laps that the piece has completed: 1 if its 30+ marker is turned, and so on (R5.2)."""
        return 0 if self.position is None else (self.position - 1) // LAP

    @property
    def waiting(self) -> bool:
        """True if the result is positive but no space was free, so that the piece waits below space 1 (ruling in
        R5.3)."""
        return self.position is None and self.result > 0


def place_pieces(results: Mapping[int, int]) -> tuple[Placement, ...]:
    """Place a piece for each result (R5). ``results`` are by seat, in the order of play (R5.3)."""
    taken: set[int] = set()
    placed: list[Placement] = []
    for seat, result in results.items():
        position: int | None = result
        while position in taken:
            position -= 1
        if position is None or position < 1:
            position = None
        else:
            taken.add(position)
        placed.append(Placement(seat, result, position))
    return tuple(placed)


def find_position(result: int, placements: Sequence[Placement]) -> int | None:
    """Return the position of one more piece with this result, or None if the piece is not placed (R5.1, R5.3).

    >>> find_position(26, place_pieces({0: 26, 1: 25}))
    24
    """
    earlier = {placement.seat: placement.result for placement in placements}
    return place_pieces({**earlier, -1: result})[-1].position


def find_chip(result: int, placements: Sequence[Placement], players: int) -> Chip | None:
    """Return the chip that one more piece with this result would win if the round ended with it.

    >>> before = place_pieces({0: 26, 1: 25})
    >>> find_chip(30, before, 3), find_chip(26, before, 3), find_chip(0, before, 3)
    (<Chip.GOLD: (3, range(2, 6))>, <Chip.BRONZE: (1, range(2, 6))>, None)
    """
    earlier = {placement.seat: placement.result for placement in placements}
    return award_chips(place_pieces({**earlier, -1: result}), players).get(-1)


def rank_placements(placements: Sequence[Placement]) -> tuple[Placement, ...]:
    """Return the pieces with a positive result, furthest ahead first. Pieces that wait below space 1 are last, in order
    of play."""
    positive = [placement for placement in placements if placement.result > 0]
    return tuple(sorted(positive, key=lambda placement: -(placement.position or 0)))


def award_chips(placements: Sequence[Placement], players: int) -> Mapping[int, Chip]:
    """Return the chip of each seat that wins one (R6). ``players`` is the number of players in the game."""
    ahead = rank_placements(placements)
    return {placement.seat: chip for placement, chip in zip(ahead, list_chips(players), strict=False)}
