"""A loss per decision becomes a grade by the unit of the game; luck becomes one of five steps."""

import pytest

from highscore import Game, TurnOrder
from highscore.odds.analysis import PlayerReview
from highscore.odds.grades import ALONE, OWN_PACE, ROUND_BY_ROUND, Scale, choose_scale


def review(loss: float, decisions: int) -> PlayerReview:
    return PlayerReview(0, 0.0, 0.0, decisions, 0, loss)


@pytest.mark.parametrize("scale", [ROUND_BY_ROUND, OWN_PACE, ALONE])
def test_a_loss_at_a_bound_has_the_lower_grade(scale: Scale) -> None:
    graded = [(scale.grade(review(bound * 19.9, 20)), scale.grade(review(bound * 20, 20))) for bound in scale.lost]
    assert graded == [("A", "B"), ("B", "C"), ("C", "D"), ("D", "E")]
    assert (scale.grade(review(0, 10)), scale.grade(review(0, 9)), scale.grade(review(0, 0))) == ("A", None, None)


@pytest.mark.parametrize("scale", [ROUND_BY_ROUND, OWN_PACE, ALONE])
def test_luck_is_average_up_to_the_first_bound_and_great_beyond_the_second(scale: Scale) -> None:
    low, high = scale.luck
    assert [scale.rate_luck(luck) for luck in (0, low, low * 1.1, high, high * 1.1)] == [0, 0, 1, 1, 2]
    assert [scale.rate_luck(-luck) for luck in (0, low, low * 1.1, high, high * 1.1)] == [0, 0, -1, -1, -2]


def test_the_scale_follows_from_the_turn_order_and_the_seats_that_play() -> None:
    games = [(1, TurnOrder.OWN_PACE), (2, TurnOrder.OWN_PACE), (2, TurnOrder.OPEN), (5, TurnOrder.CLOCKWISE)]
    scales = [choose_scale(Game(players, order)) for players, order in games]
    assert scales == [ALONE, OWN_PACE, ROUND_BY_ROUND, ROUND_BY_ROUND]
