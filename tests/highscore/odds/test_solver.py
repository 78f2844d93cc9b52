"""The solver against two plain ones (``plain``), and against itself: a position is worth what may follow."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Card, Dice, IllegalChoice, Roll, SetAside, Stop, Turn
from highscore.dice import FACES
from highscore.odds.policy import POINTS, Policy, Utility, aim_at_least, cap_at, solve_card
from highscore.odds.results import LIMIT, RESULTS
from highscore.turn import begin_turn, can_choose, list_choices, make_choice, roll_dice
from tests.highscore.odds.plain import best_value, walk
from tests.highscore.odds.settings import LARGE, at_most
from tests.highscore.strategies import cards, turns
from tests.sampling import sample


def odd_taste(seed: int) -> Utility:
    """Return a utility without any shape, so that nothing comes right by being monotonic."""
    rng = random.Random(seed)
    return Utility.from_vector("odd taste", np.array([rng.uniform(-1, 1) for _ in RESULTS]))


@pytest.mark.parametrize("card", sample(STANDARD_DECK.cards[:: 1 if LARGE else 3], 7), ids=lambda card: card.id)
@pytest.mark.parametrize(
    "utility", [odd_taste(7), *[POINTS, aim_at_least(12), aim_at_least(25)] * LARGE], ids=lambda it: it.name
)
def test_seven_dice_equal_the_plain_programme(card: Card, utility: Utility) -> None:
    assert solve_card(card, utility).start == pytest.approx(best_value(card, 7, utility), abs=1e-11)


@at_most(20, large=300)
@given(card=cards(), dice=st.integers(1, 3), seed=st.integers(0, 99), steps=st.randoms(use_true_random=False))
def test_any_position_on_any_card_equals_the_engines_turns(
    card: Card, dice: int, seed: int, steps: random.Random
) -> None:
    turn, taste = begin_turn(card, dice), odd_taste(seed)
    for _ in range(steps.randrange(2 * dice)):
        if not turn.over:
            turn = step(turn, steps, lambda turn: steps.choice(list_choices(turn)))
    assert solve_card(card, taste, dice).evaluate(turn) == pytest.approx(walk(turn, taste), abs=1e-11)


def step(turn: Turn, rng: random.Random, decide: Callable[[Turn], Stop | Roll | SetAside]) -> Turn:
    if turn.to_roll:
        return roll_dice(turn, rng.choices(FACES, k=len(turn.to_roll)))
    return make_choice(turn, decide(turn))


@at_most(20, large=300)
@given(turn=turns(), taste=st.integers(0, 99).map(odd_taste))
def test_a_position_has_the_value_of_its_outcomes_and_of_what_follows(turn: Turn, taste: Utility) -> None:
    policy = Policy(turn.card, taste)
    chances = policy.compute_outcome(turn)
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert chances.min() >= 0.0
    assert chances @ taste.values == pytest.approx(policy.evaluate(turn), abs=1e-10)
    if turn.over:
        assert policy.evaluate(turn) == taste(turn.score.total)
    elif not turn.to_roll:
        values = [policy.evaluate(make_choice(turn, choice)) for choice in list_choices(turn)]
        assert policy.evaluate(turn) == pytest.approx(max(values), abs=1e-10)
    elif len(turn.to_roll) == 1:
        values = [policy.evaluate(roll_dice(turn, [face])) for face in FACES]
        assert policy.evaluate(turn) == pytest.approx(sum(values) / 6, abs=1e-10)


@at_most(20, large=300)
@given(turn=turns())
def test_the_ranking_has_every_different_choice_once_with_its_value(turn: Turn) -> None:
    policy = Policy(turn.card, POINTS)
    if turn.over or turn.to_roll:
        with pytest.raises(IllegalChoice):
            policy.rank_choices(turn)
        return
    ranked = policy.rank_choices(turn)
    values = [option.value for option in ranked]
    assert values == pytest.approx(sorted(values, reverse=True), abs=1e-9)
    assert len({option.kept for option in ranked}) == len(ranked)
    for option in ranked:
        assert can_choose(turn, option.choice)
        assert policy.evaluate(make_choice(turn, option.choice)) == pytest.approx(option.value, abs=1e-10)
        assert option.loss == pytest.approx(ranked[0].value - option.value, abs=1e-10)
        after = make_choice(turn, option.choice)
        assert option.ends_turn == after.over
        assert option.kept == tuple(sorted(face for at, face in enumerate(turn.dice) if at not in after.to_roll))
    kept = {
        tuple(sorted(face for at, face in enumerate(turn.dice) if at not in make_choice(turn, choice).to_roll))
        for choice in list_choices(turn)
    }
    assert kept == {option.kept for option in ranked}


def test_among_equal_choices_stopping_comes_first_in_ranking_and_outcomes() -> None:
    for card in STANDARD_DECK:
        indifferent = Policy(card, Utility.from_vector("nothing", np.zeros(len(RESULTS))))
        turn = roll_dice(begin_turn(card), Dice.parse("1 2 3 4 5 5 1").faces)
        assert indifferent.find_best(turn).ends_turn
        assert indifferent.find_best(turn).loss == 0.0
    card = Card.parse("nothing-counts: ODD frozen ANY_THREE")
    policy = Policy(card, aim_at_least(300))
    turn = roll_dice(begin_turn(card), Dice.parse("2 2 2 2 2 2 1").faces)
    assert isinstance(policy.find_best(turn).choice, Stop)
    assert policy.compute_outcome(turn)[1 + LIMIT] == 1.0


def test_a_policy_refuses_turns_it_was_not_made_for() -> None:
    for dice in (0, 8):
        with pytest.raises(ValueError, match="1 to 7 dice"):
            solve_card(STANDARD_DECK.cards[0], POINTS, dice)
    policy = solve_card(STANDARD_DECK.cards[0], POINTS)
    with pytest.raises(ValueError, match="this policy is for total-minus5"):
        policy.evaluate(begin_turn(STANDARD_DECK.cards[1]))
    with pytest.raises(ValueError, match="with 7 dice"):
        policy.compute_outcome(begin_turn(STANDARD_DECK.cards[0], 5))


def test_a_utility_is_421_finite_numbers_and_equal_by_them() -> None:
    with pytest.raises(ValueError, match="421 finite numbers"):
        Utility.from_vector("short", np.zeros(3))
    with pytest.raises(ValueError, match="421 finite numbers"):
        Utility.from_vector("infinite", np.full(len(RESULTS), np.inf))
    assert Utility.from_vector("another name", POINTS.values) == POINTS
    assert hash(Utility.from_vector("another name", POINTS.values)) == hash(POINTS)
    assert aim_at_least(20) != aim_at_least(21)
    assert (aim_at_least(20)(19), aim_at_least(20)(20)) == (0.0, 1.0)
    assert (cap_at(20)(-3), cap_at(20)(19), cap_at(20)(25)) == (-3.0, 19.0, 20.0)
