"""Limits of calls: of people to tables at which they do not sit, and of a server's role to free seats."""

from collections.abc import Sequence
from datetime import datetime, timedelta

DAY = timedelta(days=1)
JUST_PLAYED = timedelta(minutes=30)
"""The time after a move at a table within which its player is called to the rematch in any case, once."""

Limits = tuple[tuple[int, timedelta], ...]
"""The most calls within a time, for each of several times."""
BY_ALL: Limits = ((6, DAY),)
BY_ONE: Limits = ((1, timedelta(hours=6)), (3, DAY))
OF_ROLE: Limits = (*BY_ALL, (1, timedelta(hours=1)))
"""The limits of calls of a server's role, by all."""
AT_REMATCH: Limits = ((1, DAY),)
"""The limits of calls of somebody who has just played to rematches of the same table."""


def next_call_at(calls: Sequence[datetime], limits: Limits, now: datetime) -> datetime:
    """Return the moment from which one more call may be made. ``calls`` are in the order of time.

    >>> next_call_at([datetime(2026, 6, 1, 8)], BY_ONE, datetime(2026, 6, 1, 9))
    datetime.datetime(2026, 6, 1, 14, 0)
    """
    return max([now, *(calls[-most] + time for most, time in limits if len(calls) >= most)])
