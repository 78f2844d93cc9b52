from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import calendar, outcome

lengths = st.sampled_from(calendar.SeasonLength)


@pytest.mark.parametrize(
    ("length", "season", "last"),
    [
        (calendar.SeasonLength.MONTH, "2028-02", date(2028, 2, 29)),
        (calendar.SeasonLength.QUARTER, "2028-Q1", date(2028, 3, 31)),
        (calendar.SeasonLength.HALF, "2028-H1", date(2028, 6, 30)),
        (calendar.SeasonLength.YEAR, "2028", date(2028, 12, 31)),
    ],
)
def test_the_seasons_of_a_day(length: calendar.SeasonLength, season: str, last: date) -> None:
    assert calendar.season_of(date(2028, 2, 10), length) == season
    assert calendar.last_day(season) == last


@given(day=st.dates(date(1900, 1, 1), date(2200, 12, 31)), length=lengths)
def test_a_season_is_one_stretch_of_days(day: date, length: calendar.SeasonLength) -> None:
    season = calendar.season_of(day, length)
    assert calendar.is_season(season)
    last = calendar.last_day(season)
    assert day <= last
    assert calendar.season_of(last, length) == season
    assert calendar.season_of(last + timedelta(days=1), length) != season


@pytest.mark.parametrize(
    "text",
    ["", "all", "2026-Q5", "2026-H3", "2026-13", "2026-00", "2026-9", "2026-Q", "0000", "0000-01", "26-Q1", "2026-Q1 "],
)
def test_what_is_no_season(text: str) -> None:
    assert not calendar.is_season(text)
    with pytest.raises(ValueError, match="no season"):
        calendar.last_day(text)


def test_a_month_that_is_the_season_counts_once() -> None:
    finish = outcome.Finish("5f0c9a17e2b4", 1, datetime(2026, 7, 1, tzinfo=UTC), "2026-07", "2026-07")
    assert finish.periods == (calendar.ALL_TIME, "2026-07")
