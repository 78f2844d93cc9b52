import pytest
from hypothesis import given

from highscore import Card, CardRevealed, Decided, Roll, Rolled, Stop, TakeDice, TurnOrder, errors, notation
from highscore.replaying import Moment, Position, find_next_turn, list_positions
from tests.highscore.odds.settings import at_most
from tests.highscore.strategies import SHARED, Log, logs

FROZEN = "card same-frozen: SAME frozen ANY_THREE"


def _positions(*lines: str) -> tuple[Position, ...]:
    return list_positions(2, TurnOrder.CLOCKWISE, map(notation.parse_event, lines))


def test_a_turn_is_shown_roll_by_roll() -> None:
    found = _positions(
        "start 0", FROZEN, "0 take", "rolled 5 5 4 V 2 1 1", "0 roll 3 5", "rolled 5 1", "remark seat 1 left", "0 stop"
    )
    moments = [Moment.CARD, Moment.ROLL, Moment.CHOICE, Moment.ROLL, Moment.CHOICE]
    assert [position.moment for position in found] == moments
    card, first, choice, second, stop = found
    assert card.turn is None
    assert card.card == Card.parse(FROZEN.removeprefix("card "))
    assert str(first.turn) == "same-frozen | 5 5 4 [V] 2 1 1 | 1 froze"
    assert choice.choice == Roll((2, 4))
    assert choice.turn == first.turn, "at a choice the dice still lie as they were"
    assert str(second.turn) == "same-frozen | 5 5 5 [V] 1 1 1 | 2"
    assert stop.choice == Stop()
    assert stop.turn == second.turn
    assert stop.ended is not None
    assert stop.ended.result == 18
    assert stop.placed is not None
    assert stop.placed.position == 18
    assert [position.ended for position in found[:4]] == [None] * 4
    assert {position.seat for position in found[1:]} == {0}


def test_what_never_began_has_no_positions_and_what_cannot_have_happened_is_refused() -> None:
    assert _positions() == _positions("remark the table was closed") == ()
    with pytest.raises(errors.BadEvent):
        _positions("start 0", "rolled 1 1 1 1 1 1 1")


@at_most(12, large=1_000)
@given(logs(orders=SHARED))
def test_every_roll_choice_card_round_and_end_is_shown_once_and_can_be_shown(log: Log) -> None:
    game = log.end
    found = list_positions(game.players, game.turn_order, log.events)
    moments = [position.moment for position in found]
    for moment, kind in ((Moment.CARD, CardRevealed), (Moment.ROLL, Rolled)):
        assert moments.count(moment) == sum(isinstance(event, kind) for event in log.events)
    assert moments.count(Moment.ROUND_END) == len(game.finished)
    assert moments.count(Moment.GAME_END) == int(game.over)
    assert not game.over or found[-1].game == game
    chosen = [event for event in log.events if isinstance(event, Decided) and event.decision != TakeDice()]
    assert [(position.seat, position.choice) for position in found if position.moment is Moment.CHOICE] == [
        (event.seat, event.decision) for event in chosen
    ]
    turns = [turn for ended in game.finished for turn in ended.turns] + list(game.played)
    assert [position.ended for position in found if position.ended is not None] == turns
    for position in found:
        if position.moment in (Moment.ROLL, Moment.CHOICE):
            assert position.turn is not None
            assert None not in position.turn.faces
            assert (position.placed is None) == (position.ended is None)
            if position.ended is not None and position.placed is not None:
                assert position.ended.result == position.placed.result
        if position.moment in (Moment.ROUND_END, Moment.CARD):
            assert position.card is not None
    visited, at = [], 0
    while at < len(found) - 1:
        after = find_next_turn(found, at)
        assert at < after, "the next turn is ahead"
        visited.append(after)
        at = after
    begun = {number for number, position in enumerate(found) if position.starts_section and number > 0}
    assert begun <= set(visited) <= begun | {len(found) - 1}
