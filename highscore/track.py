"""The track of a round: the pieces that results put on it, and the chips that they win (rules R5, R6).

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
"""The spaces of the track (R1); a piece beyond starts over with the 30+ marker turned (R5.2)."""


class Chip(Enum):
    """A point chip: its points (R1), and the numbers of players it is handed out to (R6.2). The best chip comes first.

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
    """Return the chips of a round, that of the piece furthest ahead first (R6); one player alone gets none."""
    return tuple(chip for chip in Chip if players in chip.players)


@dataclass(frozen=True, slots=True)
class Placement:
    """The piece of one player, as this round's result has placed it."""

    seat: int
    result: int
    """The result of the dice, any whole number."""
    position: int | None
    """The result the piece stands for, 1 or more (31 is space 1 with the marker); None: not on a space (R5.1, R5.3)."""

    @property
    def space(self) -> int | None:
        """The space of the track that the piece stands on, 1 to 30, or None."""
        return None if self.position is None else (self.position - 1) % LAP + 1

    @property
    def markers(self) -> int:
        """The laps behind the piece: 1 when its 30+ marker is turned, and so on (R5.2)."""
        return 0 if self.position is None else (self.position - 1) // LAP

    @property
    def waiting(self) -> bool:
        """True if a positive result found no free space, so that its piece waits below space 1 (ruling in R5.3)."""
        return self.position is None and self.result > 0


def place_pieces(results: Mapping[int, int]) -> tuple[Placement, ...]:
    """Place a piece for each result (R5): results by seat, in the order in which the turns were finished."""
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
    """Return the pieces with a positive result, furthest ahead first; those that wait come last, in order of play."""
    positive = [placement for placement in placements if placement.result > 0]
    return tuple(sorted(positive, key=lambda placement: -(placement.position or 0)))


def award_chips(placements: Sequence[Placement], players: int) -> Mapping[int, Chip]:
    """Hand out the chips of a round (R6), by seat. ``players`` is the number of players in the game."""
    ahead = rank_placements(placements)
    return {placement.seat: chip for placement, chip in zip(ahead, list_chips(players), strict=False)}
