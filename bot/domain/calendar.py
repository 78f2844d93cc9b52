"""The days of a server, from midnight to midnight in its time zone, also when clocks change; and its seasons."""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

ALL_TIME = "all"
_MONTHS = {"Q": 3, "H": 6}
_SEASON = re.compile(r"(?P<year>(?!0000)[0-9]{4})(-(?P<month>0[1-9]|1[0-2])|-(?P<part>Q[1-4]|H[12]))?")


class SeasonLength(Enum):
    """The length of a season."""

    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"


def month_of(day: date) -> str:
    return f"{day:%Y-%m}"


def season_of(day: date, length: SeasonLength) -> str:
    """Return the season of a day.

    >>> [season_of(date(2026, 7, 1), length) for length in SeasonLength]
    ['2026-07', '2026-Q3', '2026-H2', '2026']
    """
    match length:
        case SeasonLength.MONTH:
            return month_of(day)
        case SeasonLength.QUARTER:
            return f"{day:%Y}-Q{(day.month - 1) // 3 + 1}"
        case SeasonLength.HALF:
            return f"{day:%Y}-H{(day.month - 1) // 6 + 1}"
        case SeasonLength.YEAR:
            return f"{day:%Y}"


def is_season(text: str) -> bool:
    return _SEASON.fullmatch(text) is not None


def last_day(season: str) -> date:
    """Return the last day of a season or month. Raises ValueError for any other text.

    >>> last_day("2028-02"), last_day("2026-Q3")
    (datetime.date(2028, 2, 29), datetime.date(2026, 9, 30))
    """
    match = _SEASON.fullmatch(season)
    if match is None:
        raise ValueError(f"{season!r} is no season")
    year, month, part = int(match["year"]), match["month"], match["part"]
    last = int(month) if month else 12 if part is None else int(part[1]) * _MONTHS[part[0]]
    return date(year, last, monthrange(year, last)[1])


def is_closed(period: str, today: date) -> bool:
    """Return whether a month or season is over; all time never is."""
    return period != ALL_TIME and last_day(period) < today


def periods_of(season: str, month: str) -> tuple[str, ...]:
    """Return the periods in which a game of this season and month counts.

    >>> periods_of("2026-07", "2026-07")
    ('all', '2026-07')
    """
    return tuple(dict.fromkeys((ALL_TIME, season, month)))


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
