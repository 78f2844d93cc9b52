"""The picture of a person's statistics."""

from functools import cache
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.badges import Badge
from bot.ui.highlights import badge_name
from bot.ui.pictures.stats import MOST_RATINGS, StatsView, grid_lines, stats_png, stats_sentences
from bot.ui.pictures.views import Mark
from highscore.track import Chip

RISING = tuple(range(1000, 1000 + 7 * MOST_RATINGS, 7))


def stats_view(ratings: tuple[int, ...], *chips: int, badges: tuple[Badge, ...] = ()) -> StatsView:
    return StatsView(ratings, tuple(zip(Chip, chips, strict=True)), badges)


NEWEST = (Mark(18, 18, Chip.SILVER), Mark(37, 7, Chip.GOLD), Mark(-4), Mark(22, 22), Mark(0), Mark(9, 9), Mark(3, 3))
FIRST_GAME = StatsView((1043,), (), (Badge.FULL_SET,), NEWEST)


VIEW = stats_view(RISING, 41, 17, 3)


drawn = cache(stats_png)


@given(st.integers(-2000, 4000), st.integers(0, 3000))
def test_the_lines_of_the_chart_hold_every_rating(lowest: int, span: int) -> None:
    lines = grid_lines(lowest, lowest + span)
    assert lines[0] <= lowest
    assert lines[-1] >= lowest + span
    assert 2 <= len(lines) <= 5
    assert len({after - before for before, after in pairwise(lines)}) == 1


def test_the_picture_is_told_in_words() -> None:
    text = " ".join(stats_sentences(VIEW, "Ada"))
    assert f", last rated games: {MOST_RATINGS}. Rating: 1000 to {RISING[-1]}" in text
    assert "41 gold chips, 17 silver chips, 3 bronze chips" in text
    assert stats_sentences(FIRST_GAME, "Ada") == (
        "Ada, newest game: 18 (1 silver chip), 37 (1 gold chip), −4, 22, 0, 9, 3.",
        "Badges: Full set.",
        "Badges still to earn: " + ", ".join(badge_name(each) for each in Badge if each is not Badge.FULL_SET) + ".",
    )
