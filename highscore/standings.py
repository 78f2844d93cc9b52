"""Points, the order of the players and shared victories (rules R2.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from highscore.game import Game
from highscore.track import Chip


class Decider(Enum):
    """Why a player is ranked below the line above, if not because of fewer chips of one kind (R2.5)."""

    POINTS = "points"
    SHARED = "shared"
    """The player is not ranked below it: both share the place."""


@dataclass(frozen=True, slots=True)
class Standing:
    seat: int
    place: int
    """1 for the leader. Tied players share a place: 1, 2, 2, 4."""
    points: int
    chips: Mapping[Chip, int]
    """The number of each chip that the player has won, in the order gold, silver, bronze."""
    decider: Decider | Chip | None
    """Why the player is ranked below the line above. A chip means that the player has fewer of this chip. None on the
    first line."""


def sum_points(game: Game) -> dict[int, int]:
    """Return each seat's points so far from chips, in seat order."""
    won = dict.fromkeys(game.seats, 0)
    for finished in game.finished:
        for seat, chip in finished.chips.items():
            won[seat] += chip.points
    return won


def rank_players(game: Game) -> tuple[Standing, ...]:
    """Rank the players by points, then by gold, silver and bronze chips (R2.5). Tied players are in seat order."""
    chips: dict[int, list[Chip]] = {seat: [] for seat in game.seats}
    for finished in game.finished:
        for seat, chip in finished.chips.items():
            chips[seat].append(chip)
    keys = {seat: (sum(chip.points for chip in won), *map(won.count, Chip)) for seat, won in chips.items()}
    lines: list[Standing] = []
    for index, seat in enumerate(sorted(keys, key=lambda seat: (*(-part for part in keys[seat]), seat))):
        points, *counts = keys[seat]
        above = lines[-1] if lines else None
        decider = None if above is None else _find_decider(keys[above.seat], keys[seat])
        position = above.place if above is not None and decider is Decider.SHARED else index + 1
        lines.append(Standing(seat, position, points, dict(zip(Chip, counts, strict=True)), decider))
    return tuple(lines)


def find_winners(game: Game) -> tuple[int, ...]:
    """Return the seat that won, or several if they share the victory.

    Empty before all seven rounds are played, and if only one seat is in the game (R9.5).
    """
    if not game.complete or len(game.seats) == 1:
        return ()
    return tuple(line.seat for line in rank_players(game) if line.place == 1)


def _find_decider(above: Sequence[int], below: Sequence[int]) -> Decider | Chip:
    kinds = (Decider.POINTS, *Chip)
    return next((kind for kind, more, less in zip(kinds, above, below, strict=True) if more != less), Decider.SHARED)
