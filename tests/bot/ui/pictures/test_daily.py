"""The picture of a day's challenge."""

from dataclasses import replace

from bot.domain.daily import Grade, grade_cards
from bot.ui.pictures.colours import GOLD, MINT, PALE, ROSE
from bot.ui.pictures.daily import GRADE_BARS, MARGIN, SQUARE, DailyView, attempt_view, daily_alt, daily_png
from tests.bot.ui.pictures.samples import opened, pixels
from tests.bot.ui.test_daily import finished, with_results_of

VIEW = DailyView(68, 60, 55.3, (1.75, 1.25, 1.25, 0.75, 0.75, 0.3, 0.0))
HEADER = (250, MARGIN, SQUARE - MARGIN, 100)
CHART = (MARGIN, 350, SQUARE - MARGIN, SQUARE - MARGIN)


def drawn(view: DailyView, kept: str = "") -> bytes:
    return daily_png(view, "55.3", kept)


def test_the_picture_is_a_small_square() -> None:
    png = drawn(replace(VIEW, place=12, streak=365, kept=0.92, best=150), "92 %")
    assert opened(png).size == (SQUARE, SQUARE)
    assert len(png) < 40_000


def test_bars_above_par_are_green_and_those_below_red_and_nothing_is_a_ring() -> None:
    png = drawn(VIEW)
    assert pixels(png, CHART, MINT) > pixels(png, CHART, ROSE) > 5000
    nothing = drawn(replace(VIEW, bars=(0.0,) * 7))
    assert pixels(nothing, CHART, MINT) == pixels(nothing, CHART, ROSE) == 0


def test_a_score_of_par_is_golden() -> None:
    score = (MARGIN, 110, 470, 330)
    assert pixels(drawn(VIEW), score, GOLD) > 5000
    assert pixels(drawn(replace(VIEW, score=55)), score, PALE) > 5000
    assert pixels(drawn(replace(VIEW, score=55)), score, GOLD) < 100


def test_place_streak_and_what_was_kept_are_shown_where_there_are_any() -> None:
    assert pixels(drawn(VIEW), HEADER, PALE) == 0
    shown = [pixels(drawn(each), HEADER, PALE) for each in (replace(VIEW, place=2), replace(VIEW, streak=3))]
    assert min(shown) > 100
    assert pixels(drawn(replace(VIEW, streak=1)), HEADER, PALE) == 0
    assert pixels(drawn(replace(VIEW, kept=0.92), "92 %"), HEADER, PALE) > 500


def test_the_best_of_the_server_is_a_strip_below_ones_own() -> None:
    strips = (MARGIN, 580, SQUARE - MARGIN, SQUARE - MARGIN)
    assert pixels(drawn(replace(VIEW, best=120)), strips, GOLD) > 2 * pixels(drawn(VIEW), strips, GOLD) + 5000


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
    assert daily_alt(VIEW, title, "") == f"{title}. 3 cards at least at their average, below it: 4."
    assert daily_alt(replace(VIEW, place=2, streak=3, kept=0.92, best=72), title, "92%").endswith(
        " below it: 4. Place 2. Days in a row: 3. Par kept: 92%. The server's best: 72."
    )
