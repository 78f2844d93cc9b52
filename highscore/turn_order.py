"""The turn orders: the runs of a game that may go on, the order in which results count, and the start (R2.2, R2.4, R9).

>>> TurnOrder.CLOCKWISE.pick_beginners((2, 0, 1)), TurnOrder.OPEN.pick_beginners((2, 0, 1))
((2,), (2, 0, 1))
>>> TurnOrder.OPEN.pick_next_start([2, 0, 1], gold=1), TurnOrder.OWN_PACE.pick_next_start([2, 0, 1], gold=1)
(1, 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class TurnOrder(Enum):
    """The order in which seats may take the dice. The value is a stable id for exports and the database."""

    CLOCKWISE = "clockwise"
    """The rulebook's order: one seat after the other from the start player on (R2.2)."""
    OPEN = "open"
    """Any seat that has not played yet this round, one turn at a time (R9.1)."""
    OWN_PACE = "own_pace"
    """All seats at any time, with dice of their own, unseen by those who have not played the card (R9.5)."""

    @property
    def players(self) -> range:
        """The numbers of players: two to five; a game of one run is the daily challenge (R9.4)."""
        return range(1 if self is TurnOrder.OWN_PACE else 2, 6)

    @property
    def shared(self) -> bool:
        """True if all play at one table: one turn at a time, one round after the other, seen by everybody."""
        return self is not TurnOrder.OWN_PACE

    @property
    def in_seat_order(self) -> bool:
        """True if the turns of a round go from seat to seat, so that only one seat may take free dice."""
        return self is TurnOrder.CLOCKWISE

    def pick_beginners(self, waiting: tuple[int, ...]) -> tuple[int, ...]:
        """Return the seats that may take free dice, of those that have not played, the start player first."""
        return waiting[:1] if self.in_seat_order else waiting

    def order_seats(self, as_finished: Sequence[int], around: Sequence[int]) -> Sequence[int]:
        """Return the seats in the order that decides about taken spaces (R5.3).

        ``as_finished`` is the order in which turns ended, ``around`` the seat order from the start player on. In own
        pace being quicker is no advantage.
        """
        return as_finished if self.shared else around

    def pick_next_start(self, around: Sequence[int], gold: int | None) -> int:
        """Return the seat that starts the next round: the gold winner, or the same seat again (R2.4).

        In own pace the next seat starts. ``around`` are the seats in order from this round's start player on, ``gold``
        is the seat with the gold chip.
        """
        if not self.shared:
            return around[1 % len(around)]
        return around[0] if gold is None else gold
