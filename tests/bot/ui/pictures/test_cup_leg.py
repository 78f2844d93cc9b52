"""A leg that opens, a group card by card, and the winner of a cup."""

from dataclasses import replace

import pytest

from bot.domain.cup_draw import Format
from bot.domain.cup_leg import Played
from bot.ui.pictures.colours import AMBER, GOLD, GOOD, INK, MUTED, PIECES
from bot.ui.pictures.cup import LINE, standing_height
from bot.ui.pictures.cup_leg import leg_png, match_png, winner_png
from bot.ui.pictures.cup_views import (
    LegView,
    MatchView,
    Person,
    WinnerView,
    bracket_view,
    leg_view,
    match_view,
    winner_view,
)
from bot.ui.pictures.frame import GAP, SIDE, WIDTH
from bot.ui.pictures.morning import TILE_HEIGHT, TILE_WIDTH
from tests.bot.ui.pictures.cup_samples import final_of, played_view
from tests.bot.ui.pictures.samples import opened, pixels

MARKS = (SIDE, 170, WIDTH - SIDE, 270)


@pytest.mark.parametrize("legs", [2, 7, 14])
def test_the_legs_are_marks_of_which_the_present_one_is_amber(legs: int) -> None:
    view = LegView("Spring Cup", legs, legs, 24, 12)
    png = leg_png(view)
    assert pixels(png, MARKS, AMBER) > 1000
    early = leg_png(replace(view, number=1))
    assert pixels(early, MARKS, MUTED) < pixels(png, MARKS, MUTED)


def test_the_bracket_stands_below_the_leg() -> None:
    cup = played_view(8, legs=1)
    bracket = bracket_view(cup)
    alone, both = opened(leg_png(leg_view(cup))), opened(leg_png(leg_view(cup), bracket))
    assert both.height == alone.height + 2 * GAP + standing_height(bracket)


def result_box(view: MatchView, at: int, card: int) -> tuple[int, int, int, int]:
    """Return the box of a result; card 0 has the points."""
    across = 1 if len(view.columns) < 4 else 2
    lines = -(-len(view.columns) // across) * LINE
    row, place = divmod(card, 4)
    line, side = divmod(at, across)
    left = SIDE + place * (TILE_WIDTH + GAP) + side * TILE_WIDTH // across
    top = SIDE + lines + GAP + row * (TILE_HEIGHT + lines + 2 * GAP) + TILE_HEIGHT + GAP + line * LINE
    return left, top, left + TILE_WIDTH // across, top + LINE


@pytest.mark.parametrize(
    ("entrants", "form"), [(4, Format.KNOCKOUT), (6, Format.KNOCKOUT), (4, Format.LEAGUE), (7, Format.LEAGUE)]
)
def test_the_best_result_of_a_card_is_green_and_the_best_points_are_golden(entrants: int, form: Format) -> None:
    view = match_view(played_view(entrants, form, 1), 1, 0)
    png = match_png(view)
    assert opened(png).width == WIDTH
    assert len(png) < 90_000
    for at, column in enumerate(view.columns):
        assert (pixels(png, result_box(view, at, 0), GOLD) > 1000) is column.best
        for card in range(7):
            won = view.best_of(card) == (at,)
            assert (pixels(png, result_box(view, at, card + 1), GOOD) > 1000) is won


def test_each_of_a_group_has_a_piece_beside_their_results() -> None:
    knockout, _pair = final_of(Played((9, 3)), Played((4, 7)))
    view = match_view(knockout, 2, 0)
    png = match_png(view)
    for at in range(2):
        for card in range(8):
            assert pixels(png, result_box(view, at, card), PIECES[at]) > 500
            assert pixels(png, result_box(view, at, card), PIECES[1 - at]) == 0


def test_the_winner_stands_on_gold_above_the_way_to_the_title() -> None:
    won = winner_view(played_view(16))
    assert won is not None
    png = winner_png(won)
    assert pixels(png, (SIDE, SIDE, WIDTH - SIDE, 340), GOLD) > 50_000
    assert pixels(png, (SIDE, 270, WIDTH - SIDE, 360), INK) > 500
    assert opened(png).height - opened(winner_png(replace(won, lines=()))).height == len(won.lines) * LINE


def test_of_many_who_share_a_cup_the_first_are_named() -> None:
    many = [WinnerView((Person("Ada", won=True),) * number, ()) for number in (2, 5, 9)]
    heights = [opened(winner_png(view)).height for view in many]
    assert heights[0] < heights[1] == heights[2]
