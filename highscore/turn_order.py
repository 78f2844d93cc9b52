"""The turn orders: which runs of a game may go on, in which order results count, and who starts (R2.2, R2.4, R9).

A game is one run a seat over the same cards (R9). All that the orders differ in is asked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class TurnOrder(Enum):
    """Who may take the dice, and when. The value is a stable id for exports and the database."""

    CLOCKWISE = "clockwise"
    """The rulebook's: one after the other in seat order, from the start player on (R2.2)."""
    OPEN = "open"
    """Whoever has not played yet this round, one turn at a time (R9.1)."""
    OWN_PACE = "own_pace"
    """Everybody whenever they like, with dice of their own and unseen by those who have not played the card (R9.5)."""

    @property
    def players(self) -> range:
        """How many can play: two to five; a game of one run is the daily challenge (R9.4)."""
        return range(1 if self is TurnOrder.OWN_PACE else 2, 6)

    @property
    def shared(self) -> bool:
        """Whether all play at one table: one turn at a time, one round after the other, seen by everybody."""
        return self is not TurnOrder.OWN_PACE

    def pick_beginners(self, waiting: tuple[int, ...]) -> tuple[int, ...]:
        """Of the seats that have not played this round, from the start player on: those that may take free dice."""
        return waiting[:1] if self is TurnOrder.CLOCKWISE else waiting

    def order_seats(self, as_finished: Sequence[int], around: Sequence[int]) -> Sequence[int]:
        """The seats in the order that decides about taken spaces (R5.3).

        ``as_finished`` has them as their turns ended, ``around`` in seat order from the start player on. In own pace
        being quicker is no advantage.
        """
        return as_finished if self.shared else around

    def pick_next_start(self, around: Sequence[int], gold: int | None) -> int:
        """Who starts the next round: the gold winner, or the same player again (R2.4); in own pace the next seat.

        ``around`` are the seats in order from this round's start player on, ``gold`` who won the gold chip.
        """
        if not self.shared:
            return around[1 % len(around)]
        return around[0] if gold is None else gold
