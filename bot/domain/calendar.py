"""The days of a server: from midnight to midnight in its time zone, also where the clocks are changed in between."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def day_of(moment: datetime, zone: str) -> date:
    """Return the date in a time zone (IANA name) at an aware moment."""
    return moment.astimezone(ZoneInfo(zone)).date()


def moment_at(day: date, at: time, zone: str) -> datetime:
    """Return the moment, in UTC, at which the clocks of a time zone show a time on a day, first if they do so twice.

    >>> print(moment_at(date(2026, 7, 1), time(9), "Europe/Berlin"))
    2026-07-01 07:00:00+00:00
    """
    return datetime.combine(day, at, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def end_of_day(day: date, zone: str) -> datetime:
    """Return the moment, in UTC, at which the next day begins in a time zone."""
    return moment_at(day + timedelta(days=1), time(), zone)
