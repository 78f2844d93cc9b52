"""The days of a server: each begins where the one before ends, in every time zone."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from bot.domain.calendar import day_of, end_of_day


@pytest.mark.parametrize(
    ("zone", "day", "end", "hours"),
    [
        ("UTC", "2026-01-01", "2026-01-02T00:00", 24),
        ("Europe/Berlin", "2026-03-28", "2026-03-28T23:00", 24),
        pytest.param("Europe/Berlin", "2026-03-29", "2026-03-29T22:00", 23, id="clocks are put forward"),
        pytest.param("Europe/Berlin", "2026-10-25", "2026-10-25T23:00", 25, id="clocks are put back"),
        pytest.param("Africa/Cairo", "2026-04-23", "2026-04-23T22:00", 24, id="midnight is skipped"),
        pytest.param("Africa/Cairo", "2026-04-24", "2026-04-24T21:00", 23, id="the day begins at one"),
        pytest.param("America/Havana", "2026-10-31", "2026-11-01T04:00", 24, id="midnight comes twice"),
        pytest.param("America/Havana", "2026-11-01", "2026-11-02T05:00", 25, id="the day has two midnights"),
        pytest.param("Australia/Lord_Howe", "2026-04-05", "2026-04-05T13:30", 24.5, id="half an hour"),
        ("Pacific/Kiritimati", "2026-01-01", "2026-01-01T10:00", 24),
        ("Pacific/Pago_Pago", "2026-01-01", "2026-01-02T11:00", 24),
        ("Asia/Kathmandu", "2026-01-01", "2026-01-01T18:15", 24),
        pytest.param("Pacific/Apia", "2011-12-29", "2011-12-30T10:00", 24, id="the next day was left out"),
    ],
)
def test_when_a_day_ends(zone: str, day: str, end: str, hours: float) -> None:
    this = date.fromisoformat(day)
    ends = end_of_day(this, zone)
    assert ends == datetime.fromisoformat(end).replace(tzinfo=UTC)
    assert ends - end_of_day(this - timedelta(days=1), zone) == timedelta(hours=hours)


NOONS = [datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(days=number) for number in range(365)]


def zones() -> Iterator[tuple[str, list[date]]]:
    """Yield every kind of zone, and the days around which its clocks are changed in a year, and the first ones."""
    found: dict[tuple[timedelta | None, ...], str] = {}
    for zone in sorted(available_timezones()):
        info = ZoneInfo(zone)
        found.setdefault(tuple(noon.astimezone(info).utcoffset() for noon in NOONS), zone)
    assert len(found) > 40
    for offsets, zone in found.items():
        changed = [at for at in range(len(NOONS)) if at == 0 or offsets[at] != offsets[at - 1]]
        yield zone, [NOONS[at].date() + timedelta(days=around) for at in changed for around in (-2, -1, 0, 1)]


def test_every_moment_belongs_to_the_day_that_ends_after_it() -> None:
    """Look at all zones: clocks never go back over midnight into a day that has ended."""
    for zone, days in zones():
        for day in days:
            end = end_of_day(day, zone)
            assert day_of(end, zone) == day + timedelta(days=1), (zone, day)
            assert day_of(end - timedelta(microseconds=1), zone) == day, (zone, day)
            for minutes in (1, 31, 61, 121):
                assert day_of(end + timedelta(minutes=minutes), zone) == day + timedelta(days=1), (zone, day)
