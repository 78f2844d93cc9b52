"""Days of a server: from midnight to midnight in its time zone, whatever is done to the clocks in between."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def day_of(moment: datetime, zone: str) -> date:
    """The date it is in a time zone (IANA name) at an aware moment."""
    return moment.astimezone(ZoneInfo(zone)).date()


def morning_after(day: date, at: time, zone: str) -> datetime:
    """The moment, in UTC, at which the clocks of a time zone show a time on the day after this one."""
    return datetime.combine(day + timedelta(days=1), at, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def end_of_day(day: date, zone: str) -> datetime:
    """The moment, in UTC, at which the next day begins in a time zone.

    Where the clocks skip midnight that is the moment they are put forward, where midnight comes twice the first one:
    both are what ``fold=0``, the default, says of such a time.
    """
    return morning_after(day, time(), zone)
