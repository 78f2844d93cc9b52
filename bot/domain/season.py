"""Seasons: parts of the calendar in a server's time zone, and the names they are stored under.

A *period* is all time, a month or a season. Its name says which: ``all``, ``2026-07``, ``2026-Q3``, ``2026-H2``,
``2026``. Where a season is a month, both are the same period.
"""

import re
from calendar import monthrange
from datetime import date
from enum import Enum

ALL_TIME = "all"
_MONTHS = {"Q": 3, "H": 6}
_SEASON = re.compile(r"(?P<year>(?!0000)[0-9]{4})(-(?P<month>0[1-9]|1[0-2])|-(?P<part>Q[1-4]|H[12]))?")


class SeasonLength(Enum):
    """How long a season is."""

    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"


def month_of(day: date) -> str:
    return f"{day:%Y-%m}"


def season_of(day: date, length: SeasonLength) -> str:
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
    """The last day of a season or month. Raises ValueError for anything else."""
    match = _SEASON.fullmatch(season)
    if match is None:
        raise ValueError(f"{season!r} is no season")
    year, month, part = int(match["year"]), match["month"], match["part"]
    last = int(month) if month else 12 if part is None else int(part[1]) * _MONTHS[part[0]]
    return date(year, last, monthrange(year, last)[1])


def periods_of(season: str, month: str) -> tuple[str, ...]:
    """Everything that a game of this season and month counts in, each period once."""
    return tuple(dict.fromkeys((ALL_TIME, season, month)))
