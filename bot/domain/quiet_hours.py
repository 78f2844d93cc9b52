"""Quiet hours: the time of the night in which the clock stands still and nobody is notified.

They are local times of a server's zone, so their length in real hours changes on the days the clocks are changed: a
time that does not exist on that day is taken an hour later, and of one that exists twice a start is the first and an
end the second.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From ``start`` to ``end`` every day, across midnight when the end is earlier. The two differ."""

    start: time
    end: time
    zone: ZoneInfo

    def __post_init__(self) -> None:
        if self.start == self.end:
            raise ValueError("quiet hours that end when they begin would last for ever or not at all")

    def intervals(self, after: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The quiet times in UTC that end after a moment, one a day, for ever."""
        day = after.astimezone(self.zone).date() - timedelta(days=1)
        until = datetime.min.replace(tzinfo=UTC)
        while True:
            last = day if self.end > self.start else day + timedelta(days=1)
            # Where an end and the next start both exist twice, the one night ends after the next has begun.
            begins = max(self._utc(day, self.start)[0], until)
            ends = max(self._utc(last, self.end))
            if ends > max(after, begins):
                yield begins, ends
                until = ends
            day += timedelta(days=1)

    def _utc(self, day: date, local: time) -> tuple[datetime, datetime]:
        """The one moment of a local time in UTC twice; where the clocks are changed, both readings of it."""
        read = datetime.combine(day, local, tzinfo=self.zone)
        return read.astimezone(UTC), read.replace(fold=1).astimezone(UTC)

    def holds(self, moment: datetime) -> bool:
        begins, _ends = next(self.intervals(moment))
        return begins <= moment


def add_awake(moment: datetime, seconds: float, quiet: QuietHours | None) -> datetime:
    """The moment when ``seconds`` outside of quiet hours have passed, itself outside of them. Aware UTC in and out."""
    if quiet is None:
        return moment + timedelta(seconds=seconds)
    at = moment
    for begins, ends in quiet.intervals(moment):
        until_quiet = max((begins - at).total_seconds(), 0.0)
        if seconds < until_quiet:
            break
        seconds -= until_quiet
        at = max(at, ends)
    return at + timedelta(seconds=seconds)


def awake_seconds(since: datetime, until: datetime, quiet: QuietHours | None) -> float:
    """How many seconds between two moments are outside of quiet hours; 0 when ``until`` is earlier."""
    total = max((until - since).total_seconds(), 0.0)
    if quiet is None:
        return total
    for begins, ends in quiet.intervals(since):
        if begins >= until:
            break
        total -= (min(ends, until) - max(begins, since)).total_seconds()
    return max(total, 0.0)
