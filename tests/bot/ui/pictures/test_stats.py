"""The picture of a person's statistics."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.pictures.alt import MAX_ALT
from bot.ui.pictures.colours import AMBER, CHIP_COLOURS, rgb
from bot.ui.pictures.stats import HEIGHT, MOST_RATINGS, StatsView, grid_lines, stats_alt, stats_png
from highscore.track import Chip
from tests.bot.ui.pictures.samples import opened

RISING = tuple(range(1000, 1000 + 7 * MOST_RATINGS, 7))


def stats_view(ratings: tuple[int, ...], *chips: int) -> StatsView:
    return StatsView(ratings, tuple(zip(Chip, chips, strict=True)))


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
        stats_view((), 0, 0, 0),
        stats_view((1000,), 0, 1, 0),
        stats_view((-20, -300), 100_000, 1, 99_999),
        stats_view((1000,) * 3, 1, 1, 1),
    ],
)
def test_the_picture_is_small_and_in_palette_mode(view: StatsView) -> None:
    picture = opened(drawn(view))
    assert (picture.mode, picture.size) == ("P", (1040, HEIGHT))
    assert len(drawn(view)) < 40_000


def test_a_rising_rating_rises() -> None:
    early, late = highest(VIEW, AMBER, 140, 180), highest(VIEW, AMBER, 540, 580)
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


def test_without_a_rating_there_is_no_line() -> None:
    assert highest(stats_view((), 3, 2, 1), AMBER, 30, 640) is None


@given(st.integers(-2000, 4000), st.integers(0, 3000))
def test_the_lines_of_the_chart_hold_every_rating(lowest: int, span: int) -> None:
    lines = grid_lines(lowest, lowest + span)
    assert lines[0] <= lowest
    assert lines[-1] >= lowest + span
    assert 2 <= len(lines) <= 5
    assert len({after - before for before, after in pairwise(lines)}) == 1


def test_the_picture_is_told_in_words() -> None:
    text = stats_alt(VIEW, "Ada")
    assert f"over the last {MOST_RATINGS} rated games: from 1000 to {RISING[-1]}" in text
    assert "41 gold chips, 17 silver chips, 3 bronze chips" in text
    assert "no rating yet" in stats_alt(stats_view((), 0, 0, 0), "Ada")
    assert "after one game" in stats_alt(stats_view((1043,), 0, 0, 0), "Ada")
    assert len(stats_alt(VIEW, "A" * 5000)) <= MAX_ALT
