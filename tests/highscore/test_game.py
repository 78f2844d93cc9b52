"""The course of a game (rules R2, R9)."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import (
    STANDARD_DECK,
    Abandoned,
    Awaiting,
    Card,
    CardRevealed,
    Chip,
    Decided,
    Dice,
    Game,
    IllegalChoice,
    Roll,
    Rolled,
    SetAside,
    StartPlayerDrawn,
    Stop,
    TakeDice,
    TurnOrder,
    apply_event,
    can_decide,
    find_winners,
    list_decisions,
    rank_players,
    replay_events,
    score_dice,
    verify_decision,
)
from highscore.errors import BadEvent, GameOver, NotYourTurn
from highscore.events import Decision, Event, Remarked
from highscore.notation import decode_game, encode_game
from tests.highscore.scripted import CARDS, play_rounds, started, take_turn
from tests.highscore.strategies import SHARED, Log, choices, events, logs


def test_r1_two_to_five_players_play() -> None:
    for players in (-1, 0, 1, 6):
        with pytest.raises(BadEvent, match=f"High Score is for 2 to 5 players, not {players}"):
            Game(players, TurnOrder.OPEN)


def test_r2_1_each_round_turns_up_one_card_when_it_starts() -> None:
    game = Game(2, TurnOrder.CLOCKWISE, start_seat=1)
    for number, card in enumerate(CARDS, start=1):
        assert (game.round, game.awaiting, game.card) == (number, Awaiting.CARD, None)
        game = apply_event(game, CardRevealed(card))
        assert game.card == card
        game = play_rounds(game, {0: 7, 1: 8})
    assert game.complete
    assert [done.card for done in game.finished] == list(CARDS)
    assert game.round == 7


def test_r2_1_a_card_is_drawn_without_replacement() -> None:
    game = play_rounds(started(2), {0: 7, 1: 8})
    with pytest.raises(BadEvent, match=r"card card-1 was played in this game already \(R2.1\)"):
        apply_event(game, CardRevealed(Card.parse("card-1: SAME frozen ANY_THREE")))


def test_r2_2_the_start_player_is_drawn_by_lot_and_all_play_once_clockwise() -> None:
    game = Game(4, TurnOrder.CLOCKWISE)
    assert game.awaiting is Awaiting.START_PLAYER
    game = started(4, start=2)
    for seat in (2, 3, 0, 1):
        assert game.may_act == (seat,)
        with pytest.raises(NotYourTurn):
            verify_decision(game, (seat + 1) % 4, TakeDice())
        game = take_turn(game, seat, 7)
        if game.round == 1:
            assert seat not in game.to_play
            with pytest.raises(NotYourTurn, match="Your turn in this round is already over"):
                verify_decision(game, seat, TakeDice())
    assert game.round == 2


def test_r2_3_after_the_last_turn_chips_are_handed_out_and_pieces_go_back() -> None:
    game = take_turn(take_turn(started(3), 0, 7), 1, 9)
    assert [placement.position for placement in game.placements] == [7, 9]
    assert game.finished == ()
    game = take_turn(game, 2, 8)
    assert game.finished[0].chips == {1: Chip.GOLD, 2: Chip.SILVER, 0: Chip.BRONZE}
    assert (game.placements, game.played, game.card, game.seat) == ((), (), None, None)


def test_r2_4_the_winner_of_the_gold_chip_starts_the_next_round() -> None:
    game = play_rounds(started(3, start=1), {0: 7, 1: 8, 2: 9})
    assert (game.start_seat, game.to_play) == (2, (2, 0, 1))
    game = play_rounds(started(3, start=1), {0: 9, 1: 9, 2: 9})
    assert game.start_seat == 1, "gold counts, not the result: the first to score it stays ahead"


def test_r2_4_ruling_when_nobody_wins_gold_the_same_player_starts_again() -> None:
    game = play_rounds(started(3, start=1), {0: 0, 1: -35, 2: 0})
    assert game.finished[0].chips == {}
    assert game.start_seat == 1


def test_r2_5_the_game_ends_after_seven_rounds() -> None:
    game = play_rounds(started(2), *[{0: 9, 1: 7}] * 7)
    assert (game.over, game.complete, game.awaiting, game.may_act) == (True, True, Awaiting.NOTHING, ())
    assert find_winners(game) == (0,)
    for chance in (CardRevealed(STANDARD_DECK.cards[0]), Rolled(()), StartPlayerDrawn(0)):
        with pytest.raises(BadEvent, match="came while the game was waiting for nothing"):
            apply_event(game, chance)
    for act in (Decided(0, TakeDice()), Abandoned()):
        with pytest.raises(GameOver, match="This game is over"):
            apply_event(game, act)


def test_r9_1_in_open_order_whoever_has_not_played_may_take_the_dice() -> None:
    game = started(4, TurnOrder.OPEN, start=2)
    assert game.may_act == (2, 3, 0, 1)
    game = take_turn(game, 0, 7)
    assert game.may_act == (2, 3, 1)
    with pytest.raises(NotYourTurn, match="Your turn in this round is already over"):
        verify_decision(game, 0, TakeDice())


def test_r9_1_one_turn_at_a_time() -> None:
    game = apply_event(started(3, TurnOrder.OPEN), Decided(1, TakeDice()))
    game = apply_event(game, Rolled(Dice.parse("1 1 1 1 1 1 1").faces))
    assert game.may_act == (1,)
    with pytest.raises(NotYourTurn, match=r"Somebody else has the dice\. You can take them when that turn is over"):
        verify_decision(game, 2, TakeDice())


def test_r9_1_the_order_of_play_is_the_order_in_which_turns_are_finished() -> None:
    game = started(3, TurnOrder.OPEN, start=0)
    for seat in (2, 0, 1):
        game = take_turn(game, seat, 9)
    assert [turn.seat for turn in game.finished[0].turns] == [2, 0, 1]
    assert game.finished[0].chips == {2: Chip.GOLD, 0: Chip.SILVER, 1: Chip.BRONZE}
    assert (game.start_seat, apply_event(game, CardRevealed(CARDS[1])).may_act) == (2, (2, 0, 1))


def test_r9_2_a_seat_does_not_know_who_decides_for_it() -> None:
    person, house = take_turn(started(2), 0, 9), take_turn(started(2), 0, 9, by_house=True)
    assert (person.placements, person.to_play) == (house.placements, house.to_play)
    assert play_rounds(person, {1: 8}).finished[0].chips == play_rounds(house, {1: 8}).finished[0].chips


def test_r9_3_a_turn_in_which_the_house_decided_anything_is_marked() -> None:
    game = apply_event(started(2), Decided(0, TakeDice()))
    game = apply_event(game, Rolled(Dice.parse("1 1 1 1 1 1 1").faces))
    again = Roll((0, 1, 2, 3, 4, 5, 6))
    game = apply_event(game, Decided(0, again, by_house=True))
    game = apply_event(game, Rolled(Dice.parse("2 1 1 1 1 1 1").faces))
    game = apply_event(game, Decided(0, Stop()))
    assert (game.played[0].by_house, game.played[0].result, game.played[0].seat) == (True, 8, 0)
    game = take_turn(game, 1, 9)
    assert [turn.by_house for turn in game.finished[0].turns] == [True, False]


@pytest.mark.parametrize("house_begins", [False, True])
def test_r9_6_a_turn_is_own_by_its_first_decision_whoever_finishes_it(house_begins: bool) -> None:
    game = apply_event(started(2), Decided(0, TakeDice(), by_house=house_begins))
    game = apply_event(game, Rolled(Dice.parse("1 1 1 1 1 1 1").faces))
    game = apply_event(decode_game(encode_game(game)), Decided(0, Stop(), by_house=not house_begins))
    assert (game.played[0].by_house, game.played[0].own) == (True, not house_begins)
    assert decode_game(encode_game(game)) == game


def test_an_abandoned_game_has_no_winner_and_goes_no_further() -> None:
    game = apply_event(started(2), Decided(0, TakeDice()))
    game = apply_event(game, Abandoned("the host"))
    assert (game.over, game.complete, game.awaiting) == (True, False, Awaiting.NOTHING)
    assert (game.seat, game.turn) == (None, None)
    assert find_winners(game) == ()
    with pytest.raises(GameOver, match="This game is over"):
        apply_event(game, Abandoned("the host"))


def test_a_remark_changes_nothing_at_any_time() -> None:
    ended = play_rounds(started(2), *[{0: 9, 1: 7}] * 7)
    for game in (Game(2, TurnOrder.OPEN), started(2), apply_event(started(2), Decided(0, TakeDice())), ended):
        assert apply_event(game, Remarked("seat 1 left")) == game
    with pytest.raises(BadEvent, match="a remark has to say something"):
        Remarked(" \n")


@pytest.mark.parametrize(
    ("seat", "decision", "error", "reason"),
    [
        (-1, TakeDice(), NotYourTurn, "You are not playing in this game"),
        (3, TakeDice(), NotYourTurn, "You are not playing in this game"),
        (1, TakeDice(), NotYourTurn, "It is not your turn yet"),
        (0, Stop(), IllegalChoice, "Take the dice first"),
    ],
)
def test_a_decision_before_a_turn_is_refused_with_the_reason(
    seat: int, decision: Decision, error: type[IllegalChoice], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        verify_decision(started(3), seat, decision)


def test_a_decision_during_a_turn_is_refused_with_the_reason() -> None:
    game = apply_event(started(3), Decided(0, TakeDice()))
    for order in TurnOrder:
        waiting = apply_event(started(3, order), Decided(0, TakeDice()))
        with pytest.raises(IllegalChoice, match="The dice have to be rolled first"):
            verify_decision(waiting, 0, Stop())
    game = apply_event(game, Rolled(Dice.parse("1 1 1 1 1 1 1").faces))
    with pytest.raises(IllegalChoice, match="You already have the dice"):
        verify_decision(game, 0, TakeDice())
    with pytest.raises(IllegalChoice, match="no dice are set aside"):
        verify_decision(game, 0, SetAside((0,)))


def test_chance_that_is_not_due_is_a_bad_event() -> None:
    for event in (StartPlayerDrawn(0), CardRevealed(CARDS[1]), Rolled(())):
        with pytest.raises(BadEvent, match=f"{type(event).__name__} came while the game was waiting for player"):
            apply_event(started(2), event)
    for seat in (-1, 2):
        with pytest.raises(BadEvent, match=f"there is no seat {seat} in a game of 2"):
            apply_event(Game(2, TurnOrder.OPEN), StartPlayerDrawn(seat))


def check(game: Game) -> None:
    for done in game.finished:
        assert Counter(turn.seat for turn in done.turns) == dict.fromkeys(game.seats, 1)
        positions = [place.position for place in done.placements if place.position is not None]
        assert len(set(positions)) == len(positions)
        positive = {turn.seat for turn in done.turns if turn.result > 0}
        assert len(set(done.chips.values())) == len(done.chips) == min(len(positive), 2 if game.players == 2 else 3)
        assert set(done.chips) <= positive
        for turn in done.turns:
            found = score_dice(done.card, turn.dice)
            assert found.total == turn.result == sum(die.points for die in found.dice)
            assert 1 <= turn.rolls <= done.card.roll_type.max_rolls
    assert len({done.card.id for done in game.finished}) == len(game.finished)
    lines = rank_players(game)
    assert sum(line.points for line in lines) == sum(
        chip.points for done in game.finished for chip in done.chips.values()
    )
    assert {line.seat for line in lines} == set(game.seats)
    ranks = [(-line.points, -line.chips[Chip.GOLD], -line.chips[Chip.SILVER]) for line in lines]
    assert ranks == sorted(ranks)
    assert [line.place for line in lines] == [1 + ranks.index(rank) for rank in ranks]
    assert all(line.points == sum(chip.points * number for chip, number in line.chips.items()) for line in lines)
    done_now = {turn.seat for turn in game.played}
    if not game.over and game.start_seat is not None:
        assert set(game.to_play) == set(range(game.players)) - done_now
    assert (game.turn is None) == (game.seat is None)
    assert game.turn is None or not game.turn.over
    if game.awaiting is not Awaiting.CARD:
        assert bool(game.may_act) == (game.awaiting in (Awaiting.PLAYER, Awaiting.CHOICE))
    for seat in range(game.players):
        assert bool(list_decisions(game, seat)) == (seat in game.may_act)
    assert decode_game(json.loads(json.dumps(encode_game(game)))) == game


@given(logs())
def test_r2_random_games_keep_the_rules_in_every_state(log: Log) -> None:
    for state in (*log.states[::12], log.end):
        check(state)
    assert replay_events(log.end.players, log.end.turn_order, log.events) == log.end
    revealed: set[str] = set()
    for event, state in zip(log.events, log.states[1:], strict=True):
        if isinstance(event, CardRevealed):
            revealed.add(event.card.id)
        held = {done.card.id for done in state.finished} | {card.id for card in state.cards}
        assert held == revealed, "no state holds a card before it is revealed"


@given(logs(whole=True, orders=SHARED), st.data())
def test_r2_5_every_game_has_a_winner_and_does_not_replay_with_an_event_left_out(log: Log, data: st.DataObject) -> None:
    assert (log.end.complete, log.end.awaiting) == (True, Awaiting.NOTHING)
    lines = rank_players(log.end)
    assert find_winners(log.end) == tuple(line.seat for line in lines if line.place == 1) != ()
    at = data.draw(st.integers(0, len(log.events) - 2))
    with pytest.raises((IllegalChoice, BadEvent)):
        replay_events(log.end.players, log.end.turn_order, log.events[:at] + log.events[at + 1 :])


@given(logs(), st.integers(-1, 5), choices | st.just(TakeDice()), events)
def test_what_is_legal_is_accepted_and_all_else_refused_by_name_and_changes_nothing(
    log: Log, seat: int, decision: Decision, event: Event
) -> None:
    state, before = log.end, encode_game(log.end)
    legal = list_decisions(state, seat)
    assert can_decide(state, seat, decision) == (decision in legal)
    assert all(can_decide(state, seat, each) for each in legal)
    try:
        after = apply_event(state, event)
    except (IllegalChoice, BadEvent):
        pass
    else:
        assert (after == state) == isinstance(event, Remarked)
        check(after)
    assert encode_game(state) == before
