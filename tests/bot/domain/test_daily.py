"""Daily challenges: which days have one, and who stands where in a ranking."""

from datetime import date, timedelta

import pytest

from bot.domain import daily
from bot.domain.daily import Finisher, latest_daily, make_ranking, next_daily, previous_daily

FRIDAY, SATURDAY, SUNDAY, MONDAY = (date(2026, 7, 3) + timedelta(days=number) for number in range(4))


def test_every_day_has_a_challenge() -> None:
    for day in (FRIDAY, SATURDAY, SUNDAY):
        assert latest_daily(day) == day
        assert previous_daily(next_daily(day)) == day == next_daily(day) - timedelta(days=1)


def test_a_challenge_lasts_until_the_next_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "has_daily", lambda day: day.weekday() < 5)
    assert {latest_daily(day) for day in (FRIDAY, SATURDAY, SUNDAY)} == {FRIDAY} == {previous_daily(MONDAY)}
    assert {next_daily(day) for day in (FRIDAY, SATURDAY, SUNDAY)} == {MONDAY}


def test_equal_scores_share_a_place() -> None:
    scores = [("Ada", 90), ("Ben", 120), ("Cem", 90), ("Dot", 80)]
    lines = make_ranking(Finisher(number, name, score, 1) for number, (name, score) in enumerate(scores))
    assert [(line.place, line.name) for line in lines] == [(1, "Ben"), (2, "Ada"), (2, "Cem"), (4, "Dot")]
    assert make_ranking([]) == ()
