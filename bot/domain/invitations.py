"""How often people are called to tables at which they do not sit, and a server's role to free seats."""

from collections.abc import Sequence
from datetime import datetime, timedelta

DAY = timedelta(days=1)
JUST_PLAYED = timedelta(minutes=30)
"""Who has made a move at a table so lately is called to its rematch in any case, once."""

Limits = tuple[tuple[int, timedelta], ...]
"""So many calls in each of these times."""
BY_ALL: Limits = ((6, DAY),)
BY_ONE: Limits = ((1, timedelta(hours=6)), (3, DAY))
OF_ROLE: Limits = (*BY_ALL, (1, timedelta(hours=1)))
"""On a server, by all."""
AT_REMATCH: Limits = ((1, DAY),)
"""Of somebody who has just played, to rematches of the same table."""


def next_call_at(calls: Sequence[datetime], limits: Limits, now: datetime) -> datetime:
    """When the next call may be made after these, the first of them first."""
    return max([now, *(calls[-most] + time for most, time in limits if len(calls) >= most)])
