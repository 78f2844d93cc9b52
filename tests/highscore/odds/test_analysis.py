"""Luck and skill add up, and the best and costliest decisions are what they say."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Dice, Face, Game, IllegalChoice, Roll, Rolled, Source, Stop, TurnOrder, play_event
from highscore.deck import Deck
from highscore.errors import BadEvent
from highscore.events import Decided, Event
from highscore.house import Temperament, choose_decision
from highscore.notation import parse_event
from highscore.odds import analysis, chips
from highscore.odds.policy import POINTS, Utility, aim_at_least, cap_at, solve_card
from highscore.turn import make_choice
from tests.highscore.odds.settings import at_most
from tests.highscore.strategies import logs

GOALS = {"chips": (None, 0), "points": (POINTS, 0), "18": (aim_at_least(18), 7), "cap 15": (cap_at(15), 14)}
"""Each goal with the first of the seven cards in its games. All together have all cards."""


@pytest.mark.parametrize(("goal", "first"), GOALS.values(), ids=GOALS)
@at_most(1, large=12)
@given(data=st.data())
def test_the_report_of_a_game_adds_up(data: st.DataObject, goal: Utility | None, first: int) -> None:
    log = data.draw(logs(st.just(Deck("seven", STANDARD_DECK.cards[first : first + 7])), whole=True))
    report = analysis.analyse_game(log.end.players, log.end.turn_order, log.events, goal)
    assert len(report.turns) == 7 * log.end.players
    results = [(turn.seat, turn.result) for finished in log.end.finished for turn in finished.turns]
    assert [(turn.seat, turn.result) for turn in report.turns] == results
    for turn in report.turns:
        assert turn.final - turn.start == pytest.approx(turn.luck - turn.loss, abs=1e-9)
        assert all(decision.loss >= 0.0 for decision in turn.decisions)
        if goal is not None:
            assert (turn.start, turn.final) == (solve_card(turn.card, goal).start, goal(turn.result))
        assert turn.round == report.turns.index(turn) // log.end.players + 1
    own = [decision for turn in report.turns for decision in turn.decisions if not decision.by_house]
    for player in report.players:
        made = [decision for decision in own if decision.seat == player.seat]
        assert player.decisions == len(made)
        assert player.loss == pytest.approx(fsum(decision.loss for decision in made))
        assert player.per_decision == (player.loss / len(made) if made else None)
        assert player.luck == pytest.approx(fsum(turn.luck for turn in report.turns if turn.seat == player.seat))
    most = max((decision.loss for decision in own), default=0.0)
    assert (0.0 if report.costliest is None else report.costliest.loss) == pytest.approx(most, abs=1e-9)
    if report.costliest is not None:
        assert report.costliest.best.value == pytest.approx(report.costliest.value + report.costliest.loss, abs=1e-9)
        assert report.costliest.margin == 0.0
    lucky = max((roll.luck for turn in report.turns for roll in turn.rolls if not roll.by_house), default=0.0)
    assert (0.0 if report.luckiest is None else report.luckiest.luck) == pytest.approx(max(lucky, 0.0), abs=1e-9)
    if report.best is not None:
        assert report.best.loss <= 1e-9
        assert report.best.margin == max(decision.margin for decision in own)


@pytest.mark.long
def test_the_game_of_steady_players_loses_no_points_and_that_of_sharks_no_chips() -> None:
    source = Source(bytes(32), "steady")
    for temperament, goal in ((Temperament.STEADY, POINTS), (Temperament.SHARK, None)):
        game, events = play_event(Game(3, TurnOrder.CLOCKWISE), None, source, STANDARD_DECK)
        while not game.over:
            decision = Decided(game.may_act[0], choose_decision(game, game.may_act[0], temperament))
            game, happened = play_event(game, decision, source, STANDARD_DECK)
            events += happened
        report = analysis.analyse_game(3, TurnOrder.CLOCKWISE, events, goal)
        assert report.costliest is None
        assert report.best is not None
        for player in report.players:
            assert player.loss == pytest.approx(0.0, abs=1e-9)
            assert player.best_decisions == player.decisions > 0


ROUND_OF_TWO = """
    start 0
    card odd-five: ODD 5 FOUR_FULL
    0 take
    rolled 5 5 5 5 5 5 5
    0 stop
    1 take
    rolled 5 5 5 5 3 3 1
    1 roll 1 2 3 4 5 6 7
    rolled 2 2 2 2 4 4 V
    1 house roll 1 2 3 4 5 6 7
    rolled 5 5 5 3 1 2 2
    1 stop
"""


def events_of_two() -> list[Event]:
    """Play a game of two: the first stops on seven fives, the second throws a good roll away and does not find as good
    a one again."""
    return [parse_event(line) for line in ROUND_OF_TWO.strip().splitlines()]


def test_three_moments_are_named_with_what_was_better() -> None:
    report = analysis.analyse_game(2, TurnOrder.CLOCKWISE, events_of_two(), POINTS)
    policy = solve_card(STANDARD_DECK.find_card("odd-five"), POINTS)
    # The default choice is to roll below 20, the card's average. With one roll left, stopping on 19 is better.
    assert report.best is not None
    assert (report.best.seat, report.best.choice) == (1, Stop())
    going_on = make_choice(report.best.turn, Roll(tuple(range(7))))
    assert report.best.margin == pytest.approx(19 - policy.evaluate(going_on))
    assert report.luckiest is not None
    assert (report.luckiest.seat, report.luckiest.faces) == (0, (Face.FIVE,) * 7)
    assert report.luckiest.luck == pytest.approx(35 - policy.start)
    assert report.costliest is not None
    assert (report.costliest.round, report.costliest.seat) == (1, 1)
    assert report.costliest.best.choice == Stop()
    assert report.costliest.best.value == 27
    assert report.costliest.loss == pytest.approx(27 - report.costliest.value)


def test_chips_are_judged_by_what_was_on_the_track() -> None:
    report = analysis.analyse_game(2, TurnOrder.CLOCKWISE, events_of_two())
    first, second = report.turns
    before = Game(2, TurnOrder.CLOCKWISE, start_seat=0, cards=(STANDARD_DECK.find_card("odd-five"),))
    assert first.final == chips.make_chip_utility(before, 0)(35)
    assert second.final == 1.0
    assert second.loss == pytest.approx(0.0, abs=0.01)


def test_what_cannot_have_happened_is_refused() -> None:
    policy = solve_card(STANDARD_DECK.find_card("odd-five"), POINTS)
    with pytest.raises(ValueError, match="not over"):
        analysis.review_turn(policy, [Dice.parse("5 5 5 5 5 5 5").faces])
    with pytest.raises(IllegalChoice):
        analysis.review_turn(policy, [Stop()])
    with pytest.raises(BadEvent):
        analysis.analyse_game(2, TurnOrder.CLOCKWISE, [Rolled((Face.ONE,))])
