"""Quiet hours in real time zones, over the days on which the clocks are changed."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.calendar import QuietHours, add_awake, count_awake_seconds

BERLIN, NEW_YORK, LORD_HOWE = (ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe"))
HOUR = 3600.0
CHANGES = [
    (BERLIN, "2026-03-28", "2026-03-29", "23:00"),
    (BERLIN, "2026-10-24", "2026-10-25", "25:00"),
    (NEW_YORK, "2026-03-07", "2026-03-08", "23:00"),
    (NEW_YORK, "2026-10-31", "2026-11-01", "25:00"),
    (LORD_HOWE, "2026-04-04", "2026-04-05", "24:30"),
    (LORD_HOWE, "2026-10-03", "2026-10-04", "23:30"),
]
"""Zone, the evening before, the day of the change, and the length of that day."""


def at(zone: ZoneInfo, text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).astimezone(UTC)


def night(zone: ZoneInfo, start: str = "23:00", end: str = "08:00") -> QuietHours:
    return QuietHours(time.fromisoformat(start), time.fromisoformat(end), zone)


@pytest.mark.parametrize(("zone", "evening", "day", "length"), CHANGES)
def test_a_night_in_which_the_clocks_change_is_slept_through_as_long_as_it_really_is(
    zone: ZoneInfo, evening: str, day: str, length: str
) -> None:
    hours, minutes = map(int, length.split(":"))
    whole = (hours + minutes / 60) * HOUR
    noon, next_noon = at(zone, f"{evening} 12:00"), at(zone, f"{day} 12:00")
    assert (next_noon - noon).total_seconds() == whole
    assert count_awake_seconds(noon, next_noon, night(zone)) == 15 * HOUR
    # A deadline goes on at the local end of the night.
    begun = at(zone, f"{evening} 22:00")
    assert add_awake(begun, 2 * HOUR, night(zone)) == at(zone, f"{day} 09:00")
    assert add_awake(begun, HOUR / 2, night(zone)) == at(zone, f"{evening} 22:30")
    # Quiet from 12:00 to 14:00 every day: the changed night is awake time, however long it is.
    assert add_awake(begun, whole - 12 * HOUR, night(zone, "12:00", "14:00")) == at(zone, f"{day} 10:00")


@pytest.mark.parametrize(
    ("zone", "day", "start", "end", "begins", "ends"),
    [
        # Times that do not exist that day are an hour (on Lord Howe half an hour) later.
        (BERLIN, "2026-03-29", "02:30", "05:00", ("03:30", 0), ("05:00", 0)),
        (BERLIN, "2026-03-29", "01:00", "02:30", ("01:00", 0), ("03:30", 0)),
        (BERLIN, "2026-03-29", "02:15", "02:45", ("03:15", 0), ("03:45", 0)),
        (LORD_HOWE, "2026-10-04", "02:10", "02:20", ("02:40", 0), ("02:50", 0)),
        # Of times that exist twice, the start is the first and the end the second.
        (BERLIN, "2026-10-25", "02:30", "05:00", ("02:30", 0), ("05:00", 0)),
        (BERLIN, "2026-10-25", "01:00", "02:30", ("01:00", 0), ("02:30", 1)),
        (NEW_YORK, "2026-11-01", "01:15", "01:45", ("01:15", 0), ("01:45", 1)),
        (LORD_HOWE, "2026-04-05", "01:35", "01:50", ("01:35", 0), ("01:50", 1)),
    ],
)
def test_times_that_do_not_exist_or_exist_twice(
    zone: ZoneInfo, day: str, start: str, end: str, begins: tuple[str, int], ends: tuple[str, int]
) -> None:
    quiet = night(zone, start, end)
    first, last = at(zone, f"{day} {begins[0]}", begins[1]), at(zone, f"{day} {ends[0]}", ends[1])
    assert next(quiet.intervals(at(zone, f"{day} 00:30"))) == (first, last)
    second = timedelta(seconds=1)
    assert [quiet.contains(moment) for moment in (first - second, first, last - second, last)] == [
        False,
        True,
        True,
        False,
    ]


def test_without_quiet_hours_all_time_counts_and_none_passes_backwards() -> None:
    moment = at(BERLIN, "2026-03-28 22:00")
    assert add_awake(moment, 10 * HOUR, None) == moment + timedelta(hours=10)
    assert count_awake_seconds(moment, moment + timedelta(hours=10), None) == 10 * HOUR
    for quiet in (None, night(BERLIN)):
        assert count_awake_seconds(moment, moment - timedelta(hours=1), quiet) == 0


def test_quiet_hours_that_never_end_are_refused() -> None:
    with pytest.raises(ValueError, match="quiet hours"):
        night(BERLIN, "08:00", "08:00")


MINUTES = st.integers(0, 24 * 60 - 1).map(lambda minutes: time(minutes // 60, minutes % 60))
ZONES = st.sampled_from((BERLIN, NEW_YORK, LORD_HOWE, ZoneInfo("UTC"), ZoneInfo("Asia/Kathmandu")))
QUIET = st.tuples(MINUTES, MINUTES, ZONES).filter(lambda found: found[0] != found[1]).map(lambda it: QuietHours(*it))
SECONDS = st.integers(0, 4 * 24 * 3600)
ANY_MOMENT = st.integers(0, 400 * 24 * 60)
NEAR_A_CHANGE = st.sampled_from([at(zone, f"{day} 02:00") for zone, _evening, day, _length in CHANGES])
MOMENTS = ANY_MOMENT.map(lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)) | st.tuples(
    NEAR_A_CHANGE, st.integers(-3 * 24 * 3600, 3 * 24 * 3600)
).map(lambda found: found[0] + timedelta(seconds=found[1]))


@given(MOMENTS, SECONDS, QUIET)
def test_counting_awake_time_is_the_inverse_of_adding_it(moment: datetime, seconds: int, quiet: QuietHours) -> None:
    assert count_awake_seconds(moment, add_awake(moment, seconds, quiet), quiet) == seconds


@given(MOMENTS, SECONDS, QUIET)
def test_nothing_is_ever_due_in_quiet_hours(moment: datetime, seconds: int, quiet: QuietHours) -> None:
    due = add_awake(moment, seconds, quiet)
    assert due >= moment
    assert not quiet.contains(due)


@given(MOMENTS, SECONDS, SECONDS, QUIET)
def test_awake_time_adds_up(moment: datetime, first: int, second: int, quiet: QuietHours) -> None:
    middle = moment + timedelta(seconds=first)
    end = middle + timedelta(seconds=second)
    whole = count_awake_seconds(moment, end, quiet)
    assert whole == count_awake_seconds(moment, middle, quiet) + count_awake_seconds(middle, end, quiet)
    assert 0 <= whole <= first + second


@given(MOMENTS, QUIET)
def test_a_moment_is_quiet_when_the_clock_on_the_wall_says_so(moment: datetime, quiet: QuietHours) -> None:
    """Compared with the plain reading of local times, on days on which the clocks are left alone."""
    local = moment.astimezone(quiet.zone)
    around = {(local + timedelta(days=days)).utcoffset() for days in (-2, -1, 0, 1, 2)}
    if len(around) > 1:
        return
    wall = local.time().replace(tzinfo=None)
    inside = quiet.start <= wall < quiet.end
    if quiet.end < quiet.start:
        inside = wall >= quiet.start or wall < quiet.end
    assert quiet.contains(moment) == inside
