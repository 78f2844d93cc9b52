"""Quiet hours: the time of the night in which the clock stands still and nobody is notified.

Quiet hours are local times of a server's zone, so their length changes when the clocks are changed: a time that does
not exist that day is taken an hour later; of a time that exists twice, a start is the first and an end the second.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Quiet hours of every day, across midnight if the end is earlier than the start."""

    start: time
    end: time
    zone: ZoneInfo

    def __post_init__(self) -> None:
        if self.start == self.end:
            raise ValueError("quiet hours that end when they begin would last for ever or not at all")

    def intervals(self, after: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the quiet times in UTC that end after a moment, one a day, for ever."""
        day = after.astimezone(self.zone).date() - timedelta(days=1)
        until = datetime.min.replace(tzinfo=UTC)
        while True:
            last = day if self.end > self.start else day + timedelta(days=1)
            # If an end and the next start both exist twice, a night ends after the next one has begun.
            begins = max(self._utc(day, self.start)[0], until)
            ends = max(self._utc(last, self.end))
            if ends > max(after, begins):
                yield begins, ends
                until = ends
            day += timedelta(days=1)

    def _utc(self, day: date, local: time) -> tuple[datetime, datetime]:
        """Return both readings of a local time in UTC: they differ if the clocks are changed then."""
        read = datetime.combine(day, local, tzinfo=self.zone)
        return read.astimezone(UTC), read.replace(fold=1).astimezone(UTC)

    def holds(self, moment: datetime) -> bool:
        begins, _ends = next(self.intervals(moment))
        return begins <= moment


def add_awake(moment: datetime, seconds: float, quiet: QuietHours | None) -> datetime:
    """Return the moment when ``seconds`` outside of quiet hours have passed. All moments are aware UTC.

    >>> nights = QuietHours(time(23), time(8), ZoneInfo("UTC"))
    >>> add_awake(datetime(2026, 6, 1, 22, tzinfo=UTC), 2 * 3600, nights).isoformat()
    '2026-06-02T09:00:00+00:00'
    """
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
    """Return the seconds between two moments that are outside of quiet hours; 0 if ``until`` is earlier."""
    total = max((until - since).total_seconds(), 0.0)
    if quiet is None:
        return total
    for begins, ends in quiet.intervals(since):
        if begins >= until:
            break
        total -= (min(ends, until) - max(begins, since)).total_seconds()
    return max(total, 0.0)
