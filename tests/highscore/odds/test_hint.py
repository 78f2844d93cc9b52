import random
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Awaiting, Game, IllegalChoice, TurnOrder, can_decide, place_pieces, score_dice
from highscore.dice import FACES, Dice
from highscore.odds.chips import _compute_chances, _make_field, make_chip_utility
from highscore.odds.hint import Hint, find_hint
from highscore.odds.policy import POINTS, Utility, aim_at_least, solve_card
from highscore.odds.results import RESULTS
from highscore.track import award_chips
from highscore.turn import Turn, make_choice
from tests.highscore.odds.settings import at_most
from tests.highscore.strategies import SHARED, Log, dealt, logs, play_on

standard = logs(st.just(STANDARD_DECK), orders=SHARED)


def choices(log: Log, most: int) -> list[Game]:
    waiting = [game for game in log.states if game.awaiting is Awaiting.CHOICE]
    return waiting[:: max(1, len(waiting) // most)][:most]


@at_most(2, large=60)
@given(standard, st.sampled_from([POINTS, aim_at_least(15), Utility.from_vector("lowest", -POINTS.values)]))
def test_a_hint_is_legal_and_its_figures_fit_together(log: Log, goal: Utility) -> None:
    for game in choices(log, 3):
        assert game.seat is not None
        advice = find_hint(game, game.seat)
        assert game.turn is not None
        assert advice.seat == game.seat
        assert can_decide(game, game.seat, advice.best.choice)
        assert advice.utility == make_chip_utility(game, game.seat)
        assert advice.best.value == pytest.approx(advice.prospect.points, abs=1e-9)
        assert advice.stop.value == pytest.approx(advice.stop_prospect.points, abs=1e-9)
        assert advice.best.value >= advice.stop.value - 1e-9
        assert advice.stop.ends_turn
        assert advice.stop_prospect.result == pytest.approx(game.turn.score.total)
        for expected in (advice.prospect, advice.stop_prospect):
            assert 0 <= sum(expected.chips.values()) <= 1 + 1e-9
        _check_reason(advice, game.turn)
        if len(game.to_play) == 1:
            results = {turn.seat: turn.result for turn in game.played} | {game.seat: game.turn.score.total}
            chip = award_chips(place_pieces(results), game.players).get(game.seat)
            assert advice.stop.value == (chip.points if chip else 0), "who plays last and stops gets the chip it says"
        other = find_hint(game, game.seat, goal)
        assert other.utility is goal
        assert other.best.value == solve_card(game.turn.card, goal).evaluate(game.turn)
    for game in log.states[::9]:
        if game.awaiting is not Awaiting.CHOICE:
            with pytest.raises(IllegalChoice, match="nothing to decide"):
                find_hint(game, 0)


def _check_reason(advice: Hint, turn: Turn) -> None:
    """Check the reason in other ways: by the policy's own outcome, and the score of dice that are rolled."""
    going_on = next(option for option in advice.ranked if not option.ends_turn)
    outcome = solve_card(turn.card, advice.utility).compute_outcome(make_choice(turn, going_on.choice))
    why = advice.reason
    assert why.now == turn.score.total
    assert why.above == pytest.approx(sum(outcome[at] for at, result in enumerate(RESULTS) if result > why.now))
    assert why.below == pytest.approx(sum(outcome[at] for at, result in enumerate(RESULTS) if result < why.now))
    assert (why.aim is None) or going_on.kept
    if why.aim is not None:
        kept = Dice(going_on.kept)
        more = Dice((*going_on.kept, *[why.aim.face] * why.aim.dice))
        assert score_dice(turn.card, more).total - score_dice(turn.card, kept).total == why.aim.points > 0
        rolled = product(FACES, repeat=7 - len(kept))
        shown = [faces.count(why.aim.face) >= why.aim.dice for faces in islice(rolled, 6**5)]
        if len(kept) >= 2:
            assert why.aim.chance == pytest.approx(sum(shown) / len(shown))


def advice(game: Game) -> Hint:
    return find_hint(game, game.may_act[0])


@pytest.mark.long
def test_hints_from_many_threads_at_once_are_those_of_one() -> None:
    rng = random.Random(4)
    log = play_on(Game(3, TurnOrder.OPEN), rng, dealt(rng, STANDARD_DECK))
    games = choices(log, 24)
    for cache in (solve_card, _compute_chances, _make_field):
        cache.cache_clear()
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(advice, games))
    assert together == [advice(game) for game in games]
