"""Days and seasons in a server's time zone, quiet hours, and a search for time zones."""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from enum import Enum
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

ALL_TIME = "all"
_MONTHS = {"Q": 3, "H": 6}
_SEASON = re.compile(r"(?P<year>(?!0000)[0-9]{4})(-(?P<month>0[1-9]|1[0-2])|-(?P<part>Q[1-4]|H[12]))?")


class SeasonLength(Enum):
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
    return {
        SeasonLength.MONTH: month_of(day),
        SeasonLength.QUARTER: f"{day:%Y}-Q{(day.month - 1) // 3 + 1}",
        SeasonLength.HALF: f"{day:%Y}-H{(day.month - 1) // 6 + 1}",
        SeasonLength.YEAR: f"{day:%Y}",
    }[length]


def is_season(text: str) -> bool:
    return _SEASON.fullmatch(text) is not None


def last_day(season: str) -> date:
    """Return the last day of a month or season. Raises ValueError for any other text.

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
    """Return whether a month or season is over. ``ALL_TIME`` never is."""
    return period != ALL_TIME and last_day(period) < today


def day_of(moment: datetime, zone: str) -> date:
    """Return the date in a time zone (IANA name) at an aware time."""
    return moment.astimezone(ZoneInfo(zone)).date()


def moment_at(day: date, at: time, zone: str) -> datetime:
    """Return the time in UTC when the clocks of a time zone show ``at`` on a day; the first one if they do so twice.

    >>> print(moment_at(date(2026, 7, 1), time(9), "Europe/Berlin"))
    2026-07-01 07:00:00+00:00
    """
    return datetime.combine(day, at, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def end_of_day(day: date, zone: str) -> datetime:
    """Return the time in UTC when the day after ``day`` begins in a time zone."""
    return moment_at(day + timedelta(days=1), time(), zone)


LIKELY: Mapping[str, tuple[str, ...]] = {
    "bg": ("Europe/Sofia",),
    "cs": ("Europe/Prague",),
    "da": ("Europe/Copenhagen",),
    "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich", "Europe/Luxembourg"),
    "el": ("Europe/Athens", "Asia/Nicosia"),
    "en": ("Europe/London", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    "en-GB": ("Europe/London", "Europe/Dublin", "Australia/Sydney", "Australia/Perth", "Pacific/Auckland"),
    "en-US": (
        *("America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles"),
        *("America/Anchorage", "Pacific/Honolulu", "America/Toronto", "America/Vancouver", "America/Halifax"),
    ),
    "es": ("Europe/Madrid", "Atlantic/Canary"),
    "es-419": (
        *("America/Mexico_City", "America/Bogota", "America/Lima", "America/Caracas", "America/Santiago"),
        "America/Argentina/Buenos_Aires",
    ),
    "fi": ("Europe/Helsinki",),
    "fr": ("Europe/Paris", "Europe/Brussels", "Europe/Zurich", "America/Toronto", "America/Martinique"),
    "hi": ("Asia/Kolkata",),
    "hr": ("Europe/Zagreb", "Europe/Sarajevo"),
    "hu": ("Europe/Budapest",),
    "id": ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura"),
    "it": ("Europe/Rome", "Europe/Zurich"),
    "ja": ("Asia/Tokyo",),
    "ko": ("Asia/Seoul",),
    "lt": ("Europe/Vilnius",),
    "nl": ("Europe/Amsterdam", "Europe/Brussels"),
    "no": ("Europe/Oslo",),
    "pl": ("Europe/Warsaw",),
    "pt": ("America/Sao_Paulo", "America/Manaus", "America/Fortaleza", "America/Cuiaba", "Europe/Lisbon"),
    "ro": ("Europe/Bucharest", "Europe/Chisinau"),
    "ru": ("Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Vladivostok"),
    "sv": ("Europe/Stockholm", "Europe/Helsinki"),
    "th": ("Asia/Bangkok",),
    "tr": ("Europe/Istanbul",),
    "uk": ("Europe/Kyiv",),
    "vi": ("Asia/Ho_Chi_Minh",),
    "zh": ("Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Singapore"),
}
"""The zones where many people speak the language of a Discord locale
(discord.com/developers/docs/reference#locales)."""
EVERYWHERE = (
    *("UTC", "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "Asia/Dubai", "Asia/Kolkata"),
    *("Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland", "America/Sao_Paulo"),
    *("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
)
NEAR = 3
"""The most names that are suggested for an unknown time zone."""


def likely_zones(locale: str) -> tuple[str, ...]:
    """Return time zones to choose from, likely ones for a Discord locale first."""
    spoken = LIKELY.get(locale) or LIKELY.get(locale.partition("-")[0], ())
    return tuple(dict.fromkeys((*spoken, *EVERYWHERE)))


def find_zone(typed: str) -> str | None:
    """Return the IANA name of a time zone that was typed in full or as a city. None if no zone or several match.

    >>> find_zone("new york"), find_zone("europe/berlin"), find_zone("Atlantis")
    ('America/New_York', 'Europe/Berlin', None)
    """
    written = _plain(typed)
    matching = _names().get(written, ())
    return matching[0] if len(matching) == 1 else next((name for name in matching if _plain(name) == written), None)


def near_zones(typed: str) -> list[str]:
    """Return the time zones whose names are most similar to a typed name, best first."""
    close = get_close_matches(_plain(typed), _names(), NEAR)
    return list(dict.fromkeys(name for written in close for name in _names()[written]))[:NEAR]


def _plain(name: str) -> str:
    return name.strip().replace(" ", "_").casefold()


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """Return the zones by their names in lower case. Each zone has its full name and the name of its city."""
    names: dict[str, tuple[str, ...]] = {}
    for name in sorted(available_timezones()):
        for written in {_plain(name), _plain(name.rpartition("/")[2])}:
            names[written] = (*names.get(written, ()), name)
    return names


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Daily quiet hours. They include midnight if ``end`` is earlier than ``start``."""

    start: time
    end: time
    zone: ZoneInfo

    def __post_init__(self) -> None:
        if self.start == self.end:
            raise ValueError("quiet hours need an end that differs from their start")

    def intervals(self, after: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the start and end (UTC) of each day's quiet hours that end later than ``after``. This never stops."""
        day = after.astimezone(self.zone).date() - timedelta(days=1)
        until = datetime.min.replace(tzinfo=UTC)
        while True:
            last = day if self.end > self.start else day + timedelta(days=1)
            # When clocks are put back, the end of one day's quiet hours and the start of the next may both fall into
            # the hour that is repeated. The two would overlap, so the next quiet hours start where these end.
            begins = max(self._utc(day, self.start)[0], until)
            ends = max(self._utc(last, self.end))
            if ends > max(after, begins):
                yield begins, ends
                until = ends
            day += timedelta(days=1)

    def _utc(self, day: date, local: time) -> tuple[datetime, datetime]:
        """Return both readings of a local time in UTC. They differ if the clocks change around that time."""
        read = datetime.combine(day, local, tzinfo=self.zone)
        return read.astimezone(UTC), read.replace(fold=1).astimezone(UTC)

    def contains(self, moment: datetime) -> bool:
        begins, _ends = next(self.intervals(moment))
        return begins <= moment


def add_awake(moment: datetime, seconds: float, quiet: QuietHours | None) -> datetime:
    """Return the time when ``seconds`` outside of quiet hours have passed since ``moment``. All times are aware UTC.

    With 0 seconds, this is ``moment`` itself or, in quiet hours, their end.

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


def count_awake_seconds(since: datetime, until: datetime, quiet: QuietHours | None) -> float:
    """Return the seconds outside of quiet hours between two times; 0 if ``until`` is earlier than ``since``."""
    total = max((until - since).total_seconds(), 0.0)
    if quiet is None:
        return total
    for begins, ends in quiet.intervals(since):
        if begins >= until:
            break
        total -= (min(ends, until) - max(begins, since)).total_seconds()
    return max(total, 0.0)
