"""The track of a round: where results put the pieces, and who gets which chip (rules R5, R6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

LAP = 30
"""Spaces of the track (R1); a piece beyond starts over with the 30+ marker turned (R5.2)."""


class Chip(Enum):
    """A point chip: its points (R1), and the numbers of players it is handed out to (R6.2). The best chip comes first.

    >>> [chip.name for chip in chips_for(players=2)]
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
    """Where one player's piece ended up this round."""

    seat: int
    result: int
    """What the dice gave; any whole number."""
    position: int | None
    """The result the piece stands for, 1 or more (31 is space 1 with the marker); None: not on a space (R5.1, R5.3)."""

    @property
    def space(self) -> int | None:
        """The space of the track the piece stands on, 1 to 30."""
        return None if self.position is None else (self.position - 1) % LAP + 1

    @property
    def markers(self) -> int:
        """How many laps the piece has behind it: 0, or 1 when its 30+ marker is turned, and so on (R5.2)."""
        return 0 if self.position is None else (self.position - 1) // LAP

    @property
    def waiting(self) -> bool:
        """Whether a positive result found no free space and waits below space 1 (ruling in R5.3)."""
        return self.position is None and self.result > 0


def place_pieces(results: Iterable[tuple[int, int]]) -> tuple[Placement, ...]:
    """Place pieces for ``(seat, result)`` in the order in which the turns were finished (R5).

    Returns the placements in the same order.
    """
    taken: set[int] = set()
    placed: list[Placement] = []
    for seat, result in results:
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
    """Where a piece with this result would stand now, or None when it would not be placed (R5.1, R5.3)."""
    earlier = [(placement.seat, placement.result) for placement in placements]
    return place_pieces([*earlier, (-1, result)])[-1].position


def rank_placements(placements: Sequence[Placement]) -> tuple[Placement, ...]:
    """Those with a positive result, furthest ahead first; who waits below space 1 comes last, in order of play."""
    positive = [placement for placement in placements if placement.result > 0]
    return tuple(sorted(positive, key=lambda placement: -(placement.position or 0)))


def award_chips(placements: Sequence[Placement], players: int) -> Mapping[int, Chip]:
    """The chips of the round by seat (R6). ``players`` is the number of players in the game."""
    ahead = rank_placements(placements)
    return {placement.seat: chip for placement, chip in zip(ahead, list_chips(players), strict=False)}
