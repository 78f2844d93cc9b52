"""House players (R9.2): legal, steady in their ways, and blind to what a person cannot see."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import highscore
from highscore import (
    STANDARD_DECK,
    Card,
    CardRevealed,
    Decided,
    Dice,
    Game,
    Rolled,
    SetAside,
    StartPlayerDrawn,
    Stop,
    TakeDice,
    TurnOrder,
    apply_event,
    can_decide,
    replay_events,
)
from highscore.dice import DICE
from highscore.errors import NotYourTurn
from highscore.house import Temperament, choose_decision
from highscore.notation import decode_game, encode_game
from tests.highscore.odds.settings import at_most
from tests.highscore.strategies import Log, logs

standard = logs(st.just(STANDARD_DECK))


def started(card: Card, players: int = 2) -> Game:
    return apply_event(apply_event(Game(players, TurnOrder.CLOCKWISE), StartPlayerDrawn(0)), CardRevealed(card))


def shown(game: Game, dice: str) -> Game:
    game = apply_event(game, Decided(game.to_play[0], TakeDice()))
    return apply_event(game, Rolled(Dice.parse(dice).faces))


@pytest.mark.parametrize("temperament", Temperament)
@at_most(2, large=20)
@given(log=standard)
def test_every_decision_is_legal_wherever_a_player_is_to_decide(temperament: Temperament, log: Log) -> None:
    for game in log.states[::9]:
        if game.may_act:
            assert can_decide(game, game.may_act[0], choose_decision(game, game.may_act[0], temperament))
        else:
            with pytest.raises(NotYourTurn):
                choose_decision(game, 0, temperament)


@at_most(2, large=10)
@given(log=standard, temperament=st.sampled_from(Temperament))
def test_a_decision_follows_from_past_events_and_from_nothing_else(log: Log, temperament: Temperament) -> None:
    """A state made anew from the events so far, without the log, the seed or anything that comes later."""
    for number in range(0, len(log.states), max(1, len(log.states) // 4)):
        game = log.states[number]
        if game.may_act:
            seat = game.may_act[0]
            again = replay_events(game.players, game.turn_order, log.events[:number])
            assert choose_decision(again, seat, temperament) == choose_decision(game, seat, temperament)
            assert choose_decision(decode_game(encode_game(game)), seat, temperament) == choose_decision(
                game, seat, temperament
            )


def test_nothing_a_house_player_is_made_of_knows_about_seeds_or_randomness() -> None:
    chance = {"fairness", "dealer", "proof"}
    paths = [path for path in Path(highscore.__path__[0]).rglob("*.py") if path.stem not in {*chance, "__init__"}]
    assert {"house", "game", "solver"} <= {path.stem for path in paths}
    knows = re.compile(rf"highscore\.({'|'.join(chance)})\b|import (random|secrets)")
    assert [path for path in paths if knows.search(path.read_text("utf-8"))] == []


def test_the_shark_risks_a_good_result_that_wins_too_little() -> None:
    card = STANDARD_DECK.find_card("total-minus5")
    game = shown(started(card), "5 5 5 5 2 1 1")
    game = apply_event(game, Decided(0, Stop()))
    game = shown(game, "5 5 5 5 1 1 1")
    assert choose_decision(game, game.may_act[0], Temperament.STEADY) == Stop()
    assert choose_decision(game, game.may_act[0], Temperament.CAUTIOUS) == Stop()
    assert choose_decision(game, game.may_act[0], Temperament.SHARK) == highscore.Roll(tuple(range(DICE)))


def test_the_shark_stops_as_soon_as_the_gold_is_safe() -> None:
    card = STANDARD_DECK.find_card("odd-frozen")
    game = shown(started(card), "V 2 2 2 4 4 4")
    game = apply_event(game, Decided(0, SetAside(tuple(range(1, DICE)))))
    assert game.played[0].result == 0
    game = shown(game, "5 V 2 2 2 4 4")
    assert choose_decision(game, game.may_act[0], Temperament.SHARK) == SetAside((0, 2, 3, 4, 5, 6))
    assert choose_decision(game, game.may_act[0], Temperament.STEADY) != SetAside((0, 2, 3, 4, 5, 6))
