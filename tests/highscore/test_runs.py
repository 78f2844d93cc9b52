"""Runs at their own pace (R9.5) and the daily challenge, a game of one run (R9.4)."""

import random
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, CardRevealed, Decided, Deck, Dice, Game, Rolled, TakeDice, apply_event
from highscore.deck import ROUNDS
from highscore.errors import BadEvent, NotYourTurn
from highscore.events import Event, LeftOut, StartPlayerDrawn
from highscore.fairness import Source, draw_daily_cards, play_event
from highscore.game import Awaiting, hide_unseen, list_decisions, replay_events
from highscore.notation import encode_game
from highscore.odds.chips import compute_chip_chances, make_chip_utility
from highscore.odds.facts import compute_par
from highscore.odds.hint import find_hint
from highscore.odds.policy import COUNTED, POINTS, solve_card
from highscore.odds.results import LIMIT
from highscore.standings import rank_players
from highscore.track import Chip
from highscore.turn import begin_turn
from highscore.turn_order import TurnOrder
from tests.highscore.odds.settings import at_most
from tests.highscore.scripted import CARDS, DICE, take_turn
from tests.highscore.strategies import Log, logs, play_drawn, with_other_secrets

OWN = TurnOrder.OWN_PACE
own_pace = logs(st.just(STANDARD_DECK), orders=[OWN])


def ready(players: int, start: int = 0) -> Game:
    return apply_event(apply_event(Game(players, OWN), StartPlayerDrawn(start)), CardRevealed(CARDS[0]))


def finish(game: Game, seat: int, result: int) -> Game:
    """Let the seat play its next card for this result; the card after it is turned up if it is the first there."""
    game = take_turn(game, seat, result)
    if game.awaiting is Awaiting.CARD:
        game = apply_event(game, CardRevealed(CARDS[len(game.finished) + len(game.cards)]))
    return game


def finish_all(game: Game, results: dict[int, list[int]]) -> Game:
    for seat, each in results.items():
        for result in each:
            game = finish(game, seat, result)
    return game


def test_everybody_may_play_on_without_waiting_up_to_all_seven_cards() -> None:
    game = finish_all(ready(3), {1: [10, 9, 8, 7, 10, 9, 8]})
    assert (game.count_finished(0), game.count_finished(1), game.round) == (0, 7, 1)
    assert game.may_act == (0, 2)
    with pytest.raises(NotYourTurn, match="all seven cards"):
        apply_event(game, Decided(1, TakeDice()))
    game = apply_event(apply_event(game, Decided(0, TakeDice())), Rolled(Dice.parse(DICE[7]).faces))
    assert game.may_act == (0, 2), "somebody's dice are in nobody's way"


def test_a_card_is_turned_up_for_whoever_comes_to_it_first() -> None:
    game = take_turn(ready(2), 0, 10)
    assert game.awaiting is Awaiting.CARD
    game = apply_event(game, CardRevealed(CARDS[1]))
    assert (game.find_run(0).card, game.find_run(1).card) == (CARDS[1], CARDS[0])
    assert take_turn(game, 1, 9).awaiting is Awaiting.PLAYER


def test_a_round_is_scored_when_every_run_has_finished_its_card_in_seat_order_from_a_start_that_moves_on() -> None:
    """Being quicker is no advantage: seat 2 starts round 1, so it keeps the 10 that seat 0 had earlier (R5.3)."""
    game = finish_all(ready(3, start=2), {0: [10, 10], 1: [9, 10], 2: [10, 10]})
    first, second = game.finished
    assert [turn.seat for turn in first.turns] == [2, 0, 1]
    assert [placed.position for placed in first.placements] == [10, 9, 8]
    assert [turn.seat for turn in second.turns] == [0, 1, 2], "the next seat starts, whoever has won gold (R2.4)"
    assert second.chips == {0: Chip.GOLD, 1: Chip.SILVER, 2: Chip.BRONZE}


@at_most(2, large=100)
@given(own_pace)
def test_whoever_goes_on_first_makes_no_difference(log: Log) -> None:
    """The same decisions sorted by seat lead to the same rounds."""
    source = Source(bytes(32), "runs")
    game, rng = log.states[0], random.Random(len(log.events))
    game, _ = play_event(game, None, source, STANDARD_DECK)
    chosen: dict[int, list[Decided]] = {seat: [] for seat in game.seats}
    while game.may_act:
        seat = rng.choice(game.may_act)
        decision = Decided(seat, list_decisions(game, seat)[0])
        chosen[seat].append(decision)
        game, _ = play_event(game, decision, source, STANDARD_DECK)
    again, _ = play_event(log.states[0], None, source, STANDARD_DECK)
    for decision in (each for seat in reversed(game.seats) for each in chosen[seat]):
        again, _ = play_event(again, decision, source, STANDARD_DECK)
    assert again == game


@given(own_pace)
def test_a_step_of_a_run_grows_with_its_own_decisions_alone(log: Log) -> None:
    for before, event, after in zip(log.states, log.events, log.states[1:], strict=False):
        for seat in before.seats:
            grown = after.find_run(seat).step.number - before.find_run(seat).step.number
            who = event.seat if isinstance(event, Decided) else None
            if isinstance(event, Rolled):
                who = None if before.hand_to_roll is None else before.hand_to_roll.seat
            assert grown == 0 if seat != who else grown >= 0
        steps = [after.find_run(seat).step.number for seat in after.seats]
        assert len({*steps}) == len(steps)
    assert log.end.find_run(0).step.number == 70 or not log.end.complete


@given(own_pace, st.data())
def test_nobody_learns_what_others_did_on_a_card_they_have_not_played(log: Log, data: st.DataObject) -> None:
    """Two games that differ only there give the viewer the same state, hint and values to the last byte."""
    game = log.states[data.draw(st.integers(0, len(log.states) - 1))]
    viewer = data.draw(st.sampled_from((None, *game.seats)))
    other = game if game.over else with_other_secrets(game, viewer)
    mine, theirs = hide_unseen(game, viewer), hide_unseen(other, viewer)
    assert encode_game(mine) == encode_game(theirs)
    assert mine == theirs
    if viewer is not None and viewer in game.may_act:
        assert make_chip_utility(mine, viewer) == make_chip_utility(game, viewer)
        if game.find_run(viewer).turn is not None:
            assert find_hint(mine, viewer) == find_hint(theirs, viewer)


def test_whoever_has_finished_a_card_sees_what_the_others_did_on_it_and_how_far_they_are() -> None:
    game = finish_all(ready(3), {1: [10, 9], 2: [8]})
    first = hide_unseen(game, 2)
    assert [(turn.seat, turn.result) for turn in first.played] == [(1, 10), (2, 8)]
    assert [hide_unseen(game, viewer).cards for viewer in (0, 2, None)] == [CARDS[:1], CARDS[:2], CARDS[:1]]
    for viewer in (0, None):
        assert hide_unseen(game, viewer).played == ()
        assert [hide_unseen(game, viewer).count_finished(seat) for seat in range(3)] == [0, 2, 1]
    done = finish(game, 0, 7)
    assert hide_unseen(done, None).finished == done.finished, "spaces and chips are public when the round is complete"


def test_chips_are_valued_as_if_the_others_played_for_points_and_independently() -> None:
    """In a game of two: by how likely the other one, playing for points, gets ahead; ties go to who is earlier."""
    card = STANDARD_DECK.find_card("odd-five")
    game = apply_event(apply_event(Game(2, OWN), StartPlayerDrawn(1)), CardRevealed(card))
    outcome = solve_card(card, POINTS).compute_outcome(begin_turn(card))
    for seat, keeps in ((1, 0), (0, 1)):
        found = compute_chip_chances(game, seat)
        for result in (1, 12, 20):
            ahead = float(outcome[result + LIMIT + 1 - keeps :].sum())
            assert found[result + LIMIT] == pytest.approx(np.array([1 - ahead, 0.0, ahead])), "who is earlier keeps it"
    finished = finish_all(ready(2), {1: [10]})
    assert make_chip_utility(finished, 0) == make_chip_utility(ready(2), 0), "not even a result that is there already"


def test_taking_the_dice_on_the_first_card_begins_and_everybody_may_know_it() -> None:
    game = ready(3)
    assert (game.begun, hide_unseen(game, None).begun) == (frozenset(), frozenset())
    game = apply_event(apply_event(game, Decided(1, TakeDice())), Rolled(Dice.parse(DICE[7]).faces))
    game = finish_all(game, {0: [10, 9]})
    for seen in (game, *(hide_unseen(game, viewer) for viewer in (None, 0, 1, 2))):
        assert seen.begun == {0, 1}
    game = finish_all(ready(2), {0: [10], 1: [8]})
    assert hide_unseen(apply_event(game, Decided(1, TakeDice())), 0).begun == {0, 1}


@pytest.mark.parametrize("order", [TurnOrder.CLOCKWISE, TurnOrder.OPEN])
def test_only_the_first_turn_says_who_has_begun(order: TurnOrder) -> None:
    """Seat 0 begins and then leaves everything to the house; seat 1 joins in after its first turn."""
    source = Source(bytes(32), "begun", opening=1)
    game, _ = play_event(Game(2, order), None, source, STANDARD_DECK)
    begun: set[int] = set()
    while not game.over:
        seat = game.may_act[0]
        by_house = (game.count_finished(seat) == 0) == (seat == 1)
        decided = Decided(seat, list_decisions(game, seat)[0], by_house)
        game, _ = play_event(game, decided, source, STANDARD_DECK)
        begun |= set() if by_house or game.finished else {seat}
        assert game.begun == begun
    assert begun == {0}


def test_a_seat_that_has_finished_nothing_is_left_out_as_if_nobody_had_sat_there() -> None:
    """With two left there is gold and bronze only (R6.2), and the rounds that waited are scored."""
    game = finish_all(ready(3, start=1), {0: [10, 9], 2: [8, 10]})
    game = apply_event(apply_event(game, Decided(1, TakeDice())), Rolled(Dice.parse(DICE[7]).faces))
    game = apply_event(game, LeftOut(1))
    assert game.seats == (0, 2)
    assert not game.hands
    assert [[turn.seat for turn in ended.turns] for ended in game.finished] == [[2, 0], [0, 2]]
    assert [ended.chips for ended in game.finished] == [
        {0: Chip.GOLD, 2: Chip.BRONZE},
        {2: Chip.GOLD, 0: Chip.BRONZE},
    ]
    assert {line.seat for line in rank_players(game)} == {0, 2}
    with pytest.raises(NotYourTurn):
        apply_event(game, Decided(1, TakeDice()))


DAY = "2026-01-01"
SOURCE = Source(bytes(range(32)), "0123456789ab", day=DAY)


def play_day(choices: int) -> tuple[Game, tuple[Event, ...]]:
    *_earlier, played = play_drawn(Game(1, OWN), random.Random(choices), SOURCE, STANDARD_DECK)
    return played


def first_rolls(events: tuple[Event, ...]) -> list[Event]:
    return [
        after for before, after in pairwise(events) if isinstance(before, Decided) and before.decision == TakeDice()
    ]


def test_the_cards_of_a_date_never_change() -> None:
    ids = "triples-minus-choice odd-minus-zero same-frozen values-minus-five pairs-minus-five odd-minus-ten"
    assert " ".join(card.id for card in draw_daily_cards(DAY, STANDARD_DECK)) == f"{ids} same-minus-zero"
    assert SOURCE.draw_cards(STANDARD_DECK) == draw_daily_cards(DAY, STANDARD_DECK)


def test_every_day_has_seven_different_cards_and_every_card_its_days() -> None:
    first = date(2026, 1, 1)
    days = [draw_daily_cards((first + timedelta(days=number)).isoformat(), STANDARD_DECK) for number in range(600)]
    assert {len(set(cards)) for cards in days} == {ROUNDS}
    assert len(set(days)) == len(days)
    for card in STANDARD_DECK:
        # 200 of 600 are expected, with a standard deviation of 11.5.
        assert 150 < sum(card in cards for cards in days) < 250
    other = Deck("seven", STANDARD_DECK.cards[:7])
    assert set(draw_daily_cards(DAY, other)) == set(other), "the cards come from the deck that is played with"


def test_par_is_the_expected_sum_of_what_is_counted() -> None:
    cards = draw_daily_cards(DAY, STANDARD_DECK)
    outcomes = [(card, solve_card(card, COUNTED).compute_outcome(begin_turn(card))) for card in cards]
    assert compute_par(cards) == pytest.approx(sum(float(outcome @ COUNTED.values) for _, outcome in outcomes))
    assert compute_par(cards) > sum(solve_card(card, POINTS).start for card in cards)


@given(st.integers(), st.integers())
def test_the_same_choices_meet_the_same_dice_and_others_change_no_dice_of_another_card(one: int, other: int) -> None:
    game, events = play_day(one)
    assert play_day(one) == (game, events)
    assert replay_events(1, OWN, events) == game
    assert game.find_run(0).total == sum(turn.result for _, turn in game.find_run(0).finished if turn.result > 0)
    assert first_rolls(play_day(other)[1]) == first_rolls(events)


def test_only_a_game_of_runs_can_have_one_player() -> None:
    with pytest.raises(BadEvent, match="2 to 5"):
        Game(1, TurnOrder.OPEN)
    with pytest.raises(BadEvent, match="1 to 5"):
        Game(6, OWN)
