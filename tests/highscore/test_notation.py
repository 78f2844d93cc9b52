import copy
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import (
    STANDARD_DECK,
    Abandoned,
    Awaiting,
    CardRevealed,
    Decided,
    Dice,
    Game,
    Roll,
    Rolled,
    SetAside,
    StartPlayerDrawn,
    Stop,
    TakeDice,
    TurnOrder,
    list_decisions,
    rank_players,
    replay_events,
)
from highscore.errors import CardError, HighScoreError, NotationError
from highscore.events import Event, Remarked
from highscore.notation import decode_game, encode_game, format_event, parse_event
from tests.highscore.strategies import damaged, dealt, events, play_on

EVENTS: dict[str, Event] = {
    "start 2": StartPlayerDrawn(2),
    "card same-frozen: SAME frozen ANY_THREE": CardRevealed(STANDARD_DECK.find_card("same-frozen")),
    "2 take": Decided(2, TakeDice()),
    "2 house take": Decided(2, TakeDice(), by_house=True),
    "rolled 5 5 4 V 2 1 1": Rolled(Dice.parse("5 5 4 V 2 1 1").faces),
    "rolled 5": Rolled(Dice.parse("5").faces),
    "2 roll 3 5": Decided(2, Roll((2, 4))),
    "0 set 1 7": Decided(0, SetAside((0, 6))),
    "0 set -": Decided(0, SetAside(())),
    "4 house stop": Decided(4, Stop(), by_house=True),
    "abandoned": Abandoned(),
    "abandoned by the host": Abandoned("by the host"),
    "remark seat 1 left": Remarked("seat 1 left"),
}


@pytest.mark.parametrize(("line", "event"), EVENTS.items(), ids=EVENTS)
def test_an_event_is_one_line_of_text(line: str, event: Event) -> None:
    assert format_event(event) == line
    assert parse_event(line) == event
    assert parse_event(f"  {line}\n") == event
    name = " by\nthe \t host\u2028"
    assert format_event(Abandoned(name)) == "abandoned by the host", "names stay on their line"
    assert format_event(Remarked(name)) == "remark by the host"


NO_EVENTS = ["", "start", "start 10", "start x", "start ٣", "START 2", "seat 2 take", "card", "roll 1", "rolled 6"]
NO_EVENTS += ["rolled 1 1 1 1 1 1 1 1", "٣ take", "10 take", "-1 take", "2", "2 house", "2 house house stop", "2 takes"]
NO_EVENTS += ["remark", "remark  "]


def test_what_is_no_event_is_refused() -> None:
    for line in NO_EVENTS:
        with pytest.raises(NotationError):
            parse_event(line)
    with pytest.raises(CardError):
        parse_event("card a: ODD_MINUS -5 ANY_THREE")


@given(events, st.text(max_size=40) | st.text("0123 houseroldtakcp-VAN_:", max_size=40))
def test_events_read_back_from_their_text_and_any_text_is_an_event_or_a_named_error(event: Event, text: str) -> None:
    line = format_event(event)
    assert parse_event(line) == event
    assert len(line.splitlines()) == 1
    for line in (text, f"2 {text}", f"card {text}", f"rolled {text}", f"start {text}", f"2 house {text}"):
        try:
            event = parse_event(line)
        except (NotationError, CardError):
            continue
        assert parse_event(format_event(event)) == event


def test_the_state_is_plain_json() -> None:
    log = ["start 1", "card total-minus5: TOTAL -5 FOUR_FULL", "0 house take", "rolled 5 5 4 V 2 1 1"]
    game = replay_events(2, TurnOrder.OPEN, map(parse_event, log))
    assert encode_game(game) == {
        "players": 2,
        "order": "open",
        "start": 1,
        "finished": [],
        "cards": ["total-minus5: TOTAL -5 FOUR_FULL"],
        "played": [],
        "hands": [[0, "total-minus5 | 5 5 4 V 2 1 1 | 1", True, False]],
        "left_out": [],
        "abandoned": False,
    }


def states(order: TurnOrder) -> tuple[Game, ...]:
    rng = random.Random(5)
    return play_on(Game(3, order), rng, dealt(rng, STANDARD_DECK)).states


def in_third_round(games: Sequence[Game], awaiting: Awaiting) -> dict[str, Any]:
    """Return the first state after two whole rounds and one turn of the third in which this is awaited."""
    return next(
        encode_game(game) for game in games if (len(game.finished), len(game.played), game.awaiting) == (2, 1, awaiting)
    )


GAMES = states(TurnOrder.CLOCKWISE)
DRAWN, REVEALED = map(encode_game, GAMES[1:3])
FREE, HOLDING = in_third_round(GAMES, Awaiting.PLAYER), in_third_round(GAMES, Awaiting.CHOICE)
ENDED = encode_game(GAMES[-1])
OPEN = in_third_round(states(TurnOrder.OPEN), Awaiting.PLAYER)
RUNS = [encode_game(game) for game in states(TurnOrder.OWN_PACE) if len(game.hands) > 1][-1]


def changed(document: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {**document, **parts}


def with_turn(at: int, value: Any) -> dict[str, Any]:
    """Return FREE with one value of its first finished turn replaced."""
    document = copy.deepcopy(FREE)
    document["finished"][0]["turns"][0][at] = value
    return document


def held(**parts: Any) -> dict[str, Any]:
    """Return HOLDING with another holder of the dice."""
    hand = dict(zip(("seat", "turn", "by_house", "own"), HOLDING["hands"][0], strict=True))
    return changed(HOLDING, hands=[list({**hand, **parts}.values())])


SEAT, DICE, RESULT, ROLLS, HOUSE = range(5)
DAMAGED: dict[str, tuple[Any, str]] = {
    "nothing": ({}, "this is no state of a game: KeyError"),
    "a list": ([], "this is no state of a game: TypeError"),
    "players as a flag": (changed(FREE, players=True), "a whole number is expected"),
    "too many players": (changed(FREE, players=6), "High Score is for 2 to 5 players"),
    "fewer players": (changed(FREE, players=2), "the turns are out of order, or not everybody had one"),
    "unknown order": (changed(FREE, order="random"), "this is no state of a game"),
    "house as a number": (held(by_house=1), "true or false is expected"),
    "abandoned as nothing": (changed(FREE, abandoned=None), "true or false is expected"),
    "no start": (changed(FREE, start=None), "the wrong player starts"),
    "start out of range": (changed(DRAWN, start=3), "the wrong player starts"),
    "another start": (changed(FREE, start=(FREE["start"] + 1) % 3), "rounds, turns and starting player do not fit"),
    "a card again": (changed(FREE, cards=[FREE["finished"][0]["card"]]), "a card came twice"),
    "turns without a card": (changed(FREE, cards=[]), "the turns are out of order, or not everybody had one"),
    "a turn without a card": (changed(HOLDING, cards=[], played=[]), "there is no card"),
    "a turn without a seat": (held(seat=None), "a whole number is expected"),
    "two turns at once": (changed(HOLDING, hands=HOLDING["hands"] * 2), "more turns are being played than can be"),
    "another seat": (held(seat=(HOLDING["hands"][0][0] + 1) % 3), "the dice are where they cannot be"),
    "a card too early": (changed(FREE, cards=[*FREE["cards"], "other: ODD 5 SET_ASIDE"]), "turned up too early"),
    "everybody left out": (changed(REVEALED, left_out=[0, 1, 2]), "nobody is left in the game"),
    "left out after a turn": (changed(FREE, left_out=[0]), "the turns are out of order, or not everybody had one"),
    "abandoned in a turn": (changed(HOLDING, abandoned=True), "the dice are where they cannot be"),
    "abandoned after the end": (changed(ENDED, abandoned=True), "it goes on after its end"),
    "a round too many": (changed(ENDED, finished=ENDED["finished"] * 2), "it goes on after its end"),
    "a turn twice": (changed(FREE, played=FREE["played"] * 2), "the turns are out of order, or not everybody had one"),
    "a round without turns": (
        changed(FREE, finished=[{**FREE["finished"][0], "turns": []}, *FREE["finished"][1:]]),
        "the turns are out of order, or not everybody had one",
    ),
    "a turn too few": (
        with_turn(SEAT, FREE["finished"][0]["turns"][1][0]),
        "the turns are out of order, or not everybody had one",
    ),
    "an unknown seat's turn": (with_turn(SEAT, 5), "the turns are out of order, or not everybody had one"),
    "another result": (with_turn(RESULT, FREE["finished"][0]["turns"][0][RESULT] + 1), "is not worth"),
    "six dice": (with_turn(DICE, "1 1 1 1 1 1"), "the wrong number of dice or rolls"),
    "no rolls": (with_turn(ROLLS, 0), "the wrong number of dice or rolls"),
}


@pytest.mark.parametrize(("document", "reason"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_state_is_refused_with_the_reason(document: Any, reason: str) -> None:
    with pytest.raises(HighScoreError, match=reason):
        decode_game(document)


@pytest.mark.parametrize(
    "document", [HOLDING, FREE, ENDED, OPEN, RUNS], ids=["holding", "free", "ended", "open", "runs"]
)
@given(data=st.data())
def test_a_damaged_document_is_a_sound_state_or_a_named_error(document: dict[str, Any], data: st.DataObject) -> None:
    try:
        game = decode_game(data.draw(damaged(document)))
    except HighScoreError:
        return
    rank_players(game)
    assert decode_game(encode_game(game)) == game
    assert bool(game.may_act) == any(list_decisions(game, seat) for seat in range(game.players))
