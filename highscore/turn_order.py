"""The turn orders: which runs may go on, the order of play, and who starts the next round (R2.2, R2.4, R9).

>>> TurnOrder.CLOCKWISE.pick_beginners((2, 0, 1)), TurnOrder.OPEN.pick_beginners((2, 0, 1))
((2,), (2, 0, 1))
>>> TurnOrder.OPEN.pick_next_start([2, 0, 1], gold=1), TurnOrder.OWN_PACE.pick_next_start([2, 0, 1], gold=1)
(1, 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class TurnOrder(Enum):
    """The order in which seats may take the dice. The values are stable: exports and the database contain them."""

    CLOCKWISE = "clockwise"
    """The rulebook's order: one seat after the other, from the start player on (R2.2)."""
    OPEN = "open"
    """Any seat that has not played this round, one turn at a time (R9.1)."""
    OWN_PACE = "own_pace"
    """Every seat at any time, with its own dice. Nobody sees another's turn on a card before finishing it (R9.5)."""

    @property
    def players(self) -> range:
        """The allowed numbers of players: two to five. In own pace also one, for a daily challenge or a cup (R9.4,
        R9.8)."""
        return range(1 if self is TurnOrder.OWN_PACE else 2, 6)

    @property
    def shared(self) -> bool:
        """True if everybody plays with the same dice: one turn at a time, visible to all."""
        return self is not TurnOrder.OWN_PACE

    @property
    def in_seat_order(self) -> bool:
        """True if turns go from seat to seat, so that only the next seat may take the dice."""
        return self is TurnOrder.CLOCKWISE

    def pick_beginners(self, waiting: tuple[int, ...]) -> tuple[int, ...]:
        """Return the seats that may take the shared dice when nobody has them.

        ``waiting`` are the seats that have not played this round, in seat order from the start player on.
        """
        return waiting[:1] if self.in_seat_order else waiting

    def order_seats(self, as_finished: Sequence[int], from_start: Sequence[int]) -> Sequence[int]:
        """Return the seats in the order of play, which decides who gets a space that two results share (R5.3).

        This is ``as_finished``, the order in which the turns ended. In own pace it is ``from_start``, the seat order
        from the start player on, so that being quicker is no advantage.
        """
        return as_finished if self.shared else from_start

    def pick_next_start(self, from_start: Sequence[int], gold: int | None) -> int:
        """Return the seat that starts the next round.

        It is the seat that won gold, or the same seat again if nobody won gold (R2.4). In own pace it is the next seat
        (R9.5). ``from_start`` are the seats in seat order from this round's start player on.
        """
        if not self.shared:
            return from_start[1 % len(from_start)]
        return from_start[0] if gold is None else gold
