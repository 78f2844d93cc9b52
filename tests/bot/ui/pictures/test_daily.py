"""The picture of a day's challenge."""

from dataclasses import replace

from bot.domain.daily import Grade, grade_cards
from bot.ui.pictures.daily import GRADE_BARS, SQUARE, DailyView, attempt_view, daily_png, daily_sentences
from tests.bot.ui.pictures.samples import opened
from tests.bot.ui.test_daily import finished, with_results_of

VIEW = DailyView(68, 60, 55.3, (1.75, 1.25, 1.25, 0.75, 0.75, 0.3, 0.0))


def drawn(view: DailyView, kept: str = "") -> bytes:
    return daily_png(view, "55.3", kept)


def test_the_picture_is_a_small_square() -> None:
    png = drawn(replace(VIEW, place=12, streak=365, kept=0.92, best=150), "92 %")
    assert opened(png).size == (SQUARE, SQUARE)
    assert len(png) < 40_000


def test_the_bars_are_sorted_grades_until_the_day_is_over() -> None:
    mine = finished(1)
    bars = attempt_view(mine, over=False).bars
    assert bars == tuple(sorted(bars, reverse=True)) == tuple(GRADE_BARS[grade] for grade in grade_cards(mine))
    assert set(GRADE_BARS) == set(Grade)
    assert all((share >= 1) is (grade in (Grade.GREAT, Grade.GOOD)) for grade, share in GRADE_BARS.items())
    exact = attempt_view(mine, over=True).bars
    assert exact == tuple(turn.counted / 20.0 for _card, turn in mine.run.finished)
    same = with_results_of(mine, finished(2))
    assert attempt_view(mine, over=False) == attempt_view(same, over=False)


def test_the_picture_in_words_has_all_that_is_on_it() -> None:
    title = "High Score #68: 60 points, par 55.3"
    told = f"{title}.", "3 cards at least at their average, below it: 4."
    assert daily_sentences(VIEW, title, "") == told
    more = "Place 2.", "Days in a row: 3.", "Par kept: 92%.", "The server's best: 72."
    assert daily_sentences(replace(VIEW, place=2, streak=3, kept=0.92, best=72), title, "92%") == told + more
