"""How often people are called to tables at which they do not sit, and a server's role to free seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

DAY = timedelta(days=1)
JUST_PLAYED = timedelta(minutes=30)
"""Who has made a move at a table so lately is called to its rematch in any case."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """So many calls in each of these times."""

    of_all: tuple[tuple[int, timedelta], ...]
    of_one: tuple[tuple[int, timedelta], ...] = ((1, timedelta(hours=6)), (3, DAY))
    """By one and the same inviter."""

    def callable_from(self, by_all: Sequence[datetime], by_one: Sequence[datetime], now: datetime) -> datetime:
        """When the next call may be made: at once where none of these, first one first, is in the way."""
        limited = *((by_all, limit) for limit in self.of_all), *((by_one, limit) for limit in self.of_one)
        return max([now, *(calls[-most] + time for calls, (most, time) in limited if len(calls) >= most)])


OF_PERSON = CallLimits(((6, DAY),))
OF_ROLE = CallLimits(((6, DAY), (1, timedelta(hours=1))))
"""The role is called on one server, and the limits are the server's. There an hour also lies between any two calls."""
