from collections.abc import Callable, Iterable
from itertools import product

import pytest

from highscore import STANDARD_DECK, TurnOrder, apply_event, replay_events, score_dice
from highscore.dice import FACES, Dice
from highscore.events import CardRevealed, Decided, Event, Rolled, StartPlayerDrawn, TakeDice
from highscore.odds.facts import Feat, RareTurn, count_turns, find_rare_turns
from highscore.turn import Roll, Stop, Turn, begin_turn, make_choice, parse_turn, roll_dice

CARD = STANDARD_DECK.find_card("total-minus5")
FIVES, BAD = Dice.parse("5 5 5 5 5 5 5"), Dice.parse("V V V V V V 1")


def last_roll(text: str) -> Turn:
    return parse_turn(text, STANDARD_DECK)


@pytest.mark.parametrize(
    ("feat", "text", "holds"),
    [
        (Feat.ALIKE, "same-frozen | 5 5 5 5 5 *1 *2 | 2", lambda dice, _result: len(set(dice)) == 1),
        (Feat.THIRTY, "tens-minus-six | 5 5 5 5 5 *1 *2 | 2", lambda _dice, result: result == 30),
        (Feat.VORTICES, "pairs-minus-zero | V V 5 5 *1 *2 *3 | 2", lambda dice, _result: str(dice).count("V") >= 4),
        (Feat.REACHED, "values-minus-five | 4 4 4 4 *1 *2 *3 | 2", lambda _dice, result: result >= 25),
        (Feat.BUST, "tens-minus-six | 5 5 3 2 *1 *2 *3 | 2", lambda _dice, result: result <= 0),
    ],
)
def test_the_odds_of_a_last_roll_are_those_of_counting_it_out(
    feat: Feat, text: str, holds: Callable[[Dice, int], bool]
) -> None:
    turn = last_roll(text)
    rolls = [roll_dice(turn, faces) for faces in product(FACES, repeat=len(turn.to_roll))]
    such = sum(holds(rolled.dice, rolled.score.total) for rolled in rolls)
    exact = round(len(rolls) / such) if such else 0
    assert count_turns(feat, turn.card, 25, turn) == round(exact, 2 - len(str(exact)))


def turn_events(seat: int, *rolls: Dice) -> list[Event]:
    """Return the events of a turn that rolls all dice again and again, and stops."""
    events: list[Event] = [Decided(seat, TakeDice()), Rolled(rolls[0].faces)]
    for dice in rolls[1:]:
        events += [Decided(seat, Roll(tuple(range(7)))), Rolled(dice.faces)]
    return [*events, Decided(seat, Stop())] if len(rolls) < CARD.roll_type.max_rolls else events


def found(order: TurnOrder, *turns: Iterable[Event], records: tuple[tuple[int, int], ...] = ()) -> list[list[RareTurn]]:
    """Return the rare turns that each of these turns of the first round brings."""
    game, told = replay_events(2, order, [StartPlayerDrawn(0), CardRevealed(CARD)]), []
    for events in turns:
        before, happened = game, list(events)
        for event in happened:
            game = apply_event(game, event)
        told.append(list(find_rare_turns(before, game, records, happened)))
    return told


def test_a_turn_is_rare_as_soon_as_it_is_over() -> None:
    plain = turn_events(1, Dice.parse("1 2 3 4 5 1 2"))
    first, second = found(TurnOrder.CLOCKWISE, turn_events(0, FIVES), plain)
    assert [(one.feat, one.seat, one.round) for one in first] == [(Feat.ALIKE, 0, 1)]
    assert second == []
    exactly = Dice.parse("5 5 5 5 5 4 1")
    assert score_dice(CARD, exactly).total == 30
    ((rare,), _later) = found(TurnOrder.CLOCKWISE, turn_events(0, exactly), plain)
    assert (rare.feat, rare.one_in) == (Feat.THIRTY, 250)


def test_a_bust_is_glorious_after_dice_that_were_worth_a_lot() -> None:
    ((rare,), _later) = found(
        TurnOrder.CLOCKWISE, turn_events(0, FIVES, BAD), turn_events(1, Dice.parse("1 2 3 4 5 1 2"))
    )
    rolled = make_choice(roll_dice(begin_turn(CARD), FIVES.faces), Roll(tuple(range(7))))
    assert (rare.feat, rare.stood, rare.one_in) == (Feat.BUST, 35, count_turns(Feat.BUST, CARD, 0, rolled))
    modest = Dice.parse("1 1 1 1 2 2 2")
    assert found(TurnOrder.CLOCKWISE, turn_events(0, modest, BAD), turn_events(1, modest)) == [[], []]
    assert found(TurnOrder.CLOCKWISE, turn_events(0, BAD), turn_events(1, modest)) == [[], []], "nothing was lost"
