"""The picture of a person's statistics."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.badges import RARITIES, Badge
from bot.ui.badges import badge_name
from bot.ui.pictures.alt import MAX_ALT
from bot.ui.pictures.badges import medal_part
from bot.ui.pictures.colours import AMBER, CHIP_COLOURS, rgb
from bot.ui.pictures.stats import MOST_RATINGS, StatsView, grid_lines, stats_alt, stats_png
from bot.ui.pictures.views import Mark
from highscore.track import Chip
from tests.bot.ui.pictures.samples import opened

RISING = tuple(range(1000, 1000 + 7 * MOST_RATINGS, 7))


def stats_view(ratings: tuple[int, ...], *chips: int, badges: tuple[Badge, ...] = ()) -> StatsView:
    return StatsView(ratings, tuple(zip(Chip, chips, strict=True)), badges)


NEWEST = (Mark(18, 18, Chip.SILVER), Mark(37, 7, Chip.GOLD), Mark(-4), Mark(22, 22), Mark(0), Mark(9, 9), Mark(3, 3))
FIRST_GAME = StatsView((1043,), (), (Badge.FULL_SET,), NEWEST)


VIEW = stats_view(RISING, 41, 17, 3)


drawn = cache(stats_png)


def highest(view: StatsView, colour: str, left: int, right: int) -> int | None:
    """Return the topmost row in which a colour stands between two columns."""
    part = np.asarray(opened(drawn(view)).convert("RGBA"))[:, left:right, :3]
    rows = np.flatnonzero((part == rgb(colour)).all(axis=2).any(axis=1))
    return int(rows[0]) if rows.size else None


@pytest.mark.parametrize(
    "view",
    [
        VIEW,
        FIRST_GAME,
        StatsView((), (), (), (Mark(-20),) * 7),
        stats_view(RISING, 41, 17, 3, badges=tuple(Badge)),
        stats_view((-20, -300), 100_000, 1, 99_999),
        stats_view((1000,) * 3, 1, 1, 1),
    ],
)
def test_the_picture_is_small_and_in_palette_mode(view: StatsView) -> None:
    picture = opened(drawn(view))
    assert (picture.mode, picture.size) == ("P", (1040, 894))
    assert len(drawn(view)) < 60_000


def test_a_rising_rating_rises() -> None:
    early, late = highest(VIEW, AMBER, 180, 210), highest(VIEW, AMBER, 470, 500)
    assert early is not None
    assert late is not None
    assert late < early - 100


def test_more_chips_make_a_higher_column() -> None:
    gold, bronze = (
        highest(VIEW, CHIP_COLOURS[Chip.GOLD][0], 700, 780),
        highest(VIEW, CHIP_COLOURS[Chip.BRONZE][0], 910, 1000),
    )
    assert gold is not None
    assert bronze is not None
    assert gold < bronze - 100


def test_before_there_is_a_line_the_newest_game_is_shown_with_the_chips_it_brought() -> None:
    assert highest(FIRST_GAME, AMBER, 30, 1010) is None
    gold, silver = (
        highest(FIRST_GAME, CHIP_COLOURS[chip][0], left, left + 120)
        for chip, left in ((Chip.GOLD, 180), (Chip.SILVER, 40))
    )
    assert gold is not None
    assert silver is not None
    assert gold < silver


def test_without_a_game_there_are_only_badges() -> None:
    assert opened(drawn(StatsView(badges=(Badge.WEEK,)))).size == (1040, 496)


def test_all_medals_differ_in_light_and_dark_and_a_frame_tells_how_rare_one_is() -> None:
    shapes = {earned: [medal_part(badge, earned=earned).tones for badge in Badge] for earned in (True, False)}
    assert len({each.tobytes() for both in shapes.values() for each in both}) == 2 * len(Badge)
    assert [badge for each in RARITIES.values() for badge in each] == list(Badge)
    ground = medal_part(Badge.WEEK, earned=False).tones[0, 0]
    left_edges = [
        {(medal_part(badge, earned=False).tones != ground).argmax(axis=1).tobytes() for badge in each}
        for each in RARITIES.values()
    ]
    assert [len(each) for each in left_edges] == [1, 1, 1], "by its shape, also without colour"
    assert len(set.union(*left_edges)) == len(RARITIES)


@given(st.integers(-2000, 4000), st.integers(0, 3000))
def test_the_lines_of_the_chart_hold_every_rating(lowest: int, span: int) -> None:
    lines = grid_lines(lowest, lowest + span)
    assert lines[0] <= lowest
    assert lines[-1] >= lowest + span
    assert 2 <= len(lines) <= 5
    assert len({after - before for before, after in pairwise(lines)}) == 1


def test_the_picture_is_told_in_words() -> None:
    text = stats_alt(VIEW, "Ada")
    assert f", last rated games: {MOST_RATINGS}. Rating: 1000 to {RISING[-1]}" in text
    assert "41 gold chips, 17 silver chips, 3 bronze chips" in text
    first = stats_alt(FIRST_GAME, "Ada")
    assert first.startswith(
        "Ada, newest game: 18 (1 silver chip), 37 (1 gold chip), −4, 22, 0, 9, 3. Badges: Full set."
    )
    assert first.endswith(
        "Badges still to earn: " + ", ".join(badge_name(each) for each in Badge if each is not Badge.FULL_SET) + "."
    )
    assert len(stats_alt(VIEW, "A" * 5000)) <= MAX_ALT
