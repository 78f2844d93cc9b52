"""The daily challenge (R9.4): cards of a date, dice for choices, score, grades, states as JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, CardRevealed, Decided, Deck, Dice, Rolled, Stop, TakeDice
from highscore.cards import Card, RollType
from highscore.daily import (
    DailyPlay,
    Grade,
    PlayedCard,
    apply,
    cards_of,
    expected,
    go_on,
    grade,
    next_chance,
    play_from_json,
    play_to_json,
    replay,
    share_row,
    verify_decision,
)
from highscore.deck import ROUNDS
from highscore.errors import BadEvent, GameOver, HighScoreError, IllegalChoice, NotationError
from highscore.fairness import Source
from highscore.game import Abandoned, Awaiting, Decision, Event, StartPlayerDrawn
from highscore.notation import format_event, parse_event
from highscore.odds import par
from highscore.turn import Roll, SetAside, Turn, legal_choices
from tests.highscore.scripted import CARDS, DICE
from tests.highscore.strategies import seeds

SOURCE = Source(bytes(range(32)), "0123456789ab")
CARDS_OF_DAY = cards_of("2026-01-01", STANDARD_DECK)

Decide = Callable[[Turn], Decision]


def by_chance(chance: random.Random) -> Decide:
    return lambda turn: chance.choice(legal_choices(turn))


def play_all(
    decide: Decide, source: Source = SOURCE, cards: tuple[Card, ...] = CARDS_OF_DAY
) -> tuple[list[DailyPlay], list[Event]]:
    """Every state a player sees, and all events."""
    play, happened = go_on(DailyPlay(), None, source, cards)
    states, events = [play], list(happened)
    while not play.complete:
        decision = TakeDice() if play.turn is None else decide(play.turn)
        play, happened = go_on(play, decision, source, cards)
        states.append(play)
        events += happened
    return states, events


def rolls_of(events: list[Event]) -> list[list[tuple[Any, ...]]]:
    """The rolls of each card."""
    found: list[list[tuple[Any, ...]]] = []
    for event in events:
        if isinstance(event, CardRevealed):
            found.append([])
        elif isinstance(event, Rolled):
            found[-1].append(event.faces)
    return found


# ----------------------------------------------------------------------------------------------------------- cards


def test_the_cards_of_a_date_never_change() -> None:
    ids = "triples-minus-choice odd-minus-zero same-frozen values-minus-five pairs-minus-five odd-minus-ten"
    assert " ".join(card.id for card in CARDS_OF_DAY) == f"{ids} same-minus-zero"


def test_every_day_has_seven_different_cards_and_every_card_its_days() -> None:
    first = date(2026, 1, 1)
    days = [cards_of((first + timedelta(days=number)).isoformat(), STANDARD_DECK) for number in range(600)]
    assert {len(set(cards)) for cards in days} == {ROUNDS}
    assert len(set(days)) == len(days)
    for card in STANDARD_DECK:
        # 200 of 600 are expected, with a standard deviation of 11.5.
        assert 150 < sum(card in cards for cards in days) < 250
        assert sum(cards[0] == card for cards in days) > 5
    other = Deck("seven", STANDARD_DECK.cards[:7])
    assert set(cards_of("2026-01-01", other)) == set(other), "the cards come from the deck that is played with"


def test_par_is_the_sum_of_the_expected_results() -> None:
    assert sum(expected(CARDS_OF_DAY)) == pytest.approx(par(CARDS_OF_DAY))
    assert expected([STANDARD_DECK.card("same-frozen")])[0] == pytest.approx(17.264466, abs=1e-6)


# ------------------------------------------------------------------------------------------------------------ dice


@given(st.integers(), seeds)
def test_the_same_choices_meet_the_same_dice_and_the_events_lead_to_the_state(choices: int, seed: bytes) -> None:
    source = Source(seed, "daily")
    states, events = play_all(by_chance(random.Random(choices)), source)
    assert play_all(by_chance(random.Random(choices)), source) == (states, events)
    assert replay(parse_event(format_event(event)) for event in events) == states[-1]


@given(st.integers(), st.integers())
def test_other_choices_on_one_card_change_no_dice_of_another(one: int, other: int) -> None:
    """The first roll of every card is the same whatever was decided before it."""
    mine = rolls_of(play_all(by_chance(random.Random(one)))[1])
    theirs = rolls_of(play_all(by_chance(random.Random(other)))[1])
    assert [card[0] for card in mine] == [card[0] for card in theirs]


@given(st.integers())
def test_every_die_follows_from_the_seed_by_card_roll_and_place(choices: int) -> None:
    play = DailyPlay()
    for event in play_all(by_chance(random.Random(choices)))[1]:
        if isinstance(event, Rolled):
            assert play.turn is not None
            drawn = SOURCE.roll(len(play.finished) + 1, 0, play.turn.rolls + 1)
            assert event.faces == tuple(drawn[at] for at in play.turn.to_roll)
        play = apply(play, event)


def test_another_seed_gives_other_dice() -> None:
    stop = rolls_of(play_all(_stop)[1])
    assert rolls_of(play_all(_stop, Source(bytes(32), "0123456789ab"))[1]) != stop
    assert rolls_of(play_all(_stop, Source(bytes(range(32)), "ba9876543210"))[1]) != stop


def _stop(turn: Turn) -> Decision:
    return SetAside(turn.free) if turn.card.roll_type is RollType.SET_ASIDE else Stop()


# ----------------------------------------------------------------------------------------------------------- score


def scripted(*results: int) -> DailyPlay:
    """A play with these results on cards ``TOTAL -5 FOUR_FULL``."""
    play = DailyPlay()
    for card, result in zip(CARDS, results, strict=False):
        for event in (
            CardRevealed(card),
            Decided(0, TakeDice()),
            Rolled(Dice.parse(DICE[result]).faces),
            Decided(0, Stop()),
        ):
            play = apply(play, event)
    return play


def test_a_negative_result_counts_as_nothing() -> None:
    play = scripted(10, -35, 9, 0, 8, -35, 7)
    assert [done.result for done in play.finished] == [10, -35, 9, 0, 8, -35, 7]
    assert play.complete
    assert play.score == 34


@given(st.integers())
def test_every_state_has_the_sum_of_what_is_positive_and_is_read_back_from_json(choices: int) -> None:
    for play in play_all(by_chance(random.Random(choices)))[0]:
        assert play.score == sum(done.result for done in play.finished if done.result > 0)
        assert play.number == min(len(play.finished) + 1, ROUNDS)
        assert play_from_json(json.loads(json.dumps(play_to_json(play)))) == play


def test_grades() -> None:
    for points, grades in (
        ((0,), Grade.NOTHING),
        ((1, 9), Grade.POOR),
        ((10, 19), Grade.FAIR),
        ((20, 29), Grade.GOOD),
        ((30,), Grade.GREAT),
    ):
        assert {grade(counted, 20.0) for counted in points} == {grades}
    assert (grade(1, -3.0), grade(0, -3.0)) == (Grade.GREAT, Grade.NOTHING)


def test_the_row_to_share_does_not_tell_which_card_went_well() -> None:
    averages = (8.0,) * ROUNDS
    row = share_row(scripted(7, 10, -35, 9, 0, 8, 10), averages)
    assert row == (Grade.GOOD,) * 4 + (Grade.FAIR,) + (Grade.NOTHING,) * 2
    assert share_row(scripted(10, -35, 10, 0, 7, 8, 9), averages) == row


def test_each_card_is_compared_with_its_own_average() -> None:
    averages = (5.0, 40.0, 10.0, 8.0, 8.0, 8.0, 8.0)
    assert share_row(scripted(10, 10, 10), averages) == (Grade.GREAT, Grade.GOOD, Grade.POOR)


# ---------------------------------------------------------------------------------------------------------- events


def test_what_a_player_waits_for() -> None:
    play = DailyPlay()
    for awaited, event in (
        (Awaiting.CARD, CardRevealed(CARDS[0])),
        (Awaiting.PLAYER, Decided(0, TakeDice())),
        (Awaiting.DICE, Rolled(Dice.parse(DICE[7]).faces)),
        (Awaiting.CHOICE, Decided(0, Roll(tuple(range(7))))),
        (Awaiting.DICE, Rolled(Dice.parse(DICE[9]).faces)),
        (Awaiting.CHOICE, Decided(0, Stop())),
    ):
        assert play.awaiting is awaited
        play = apply(play, event)
    assert play.awaiting is Awaiting.CARD
    assert play.finished == (PlayedCard(CARDS[0], Dice.parse(DICE[9]), 9, 2),)
    assert scripted(10, 9, 8, 7, 0, 10, 9).awaiting is Awaiting.NOTHING


@pytest.mark.parametrize(
    ("play", "decision", "sentence"),
    [
        (scripted(10), TakeDice(), "next card"),
        (apply(scripted(10), CardRevealed(CARDS[1])), Stop(), "Take the dice"),
        (apply(apply(scripted(), CardRevealed(CARDS[0])), Decided(0, TakeDice())), TakeDice(), "already"),
        (apply(apply(scripted(), CardRevealed(CARDS[0])), Decided(0, TakeDice())), Stop(), "rolled first"),
        (scripted(10, 9, 8, 7, 0, 10, 9), TakeDice(), "seven cards"),
    ],
)
def test_a_decision_that_is_not_legal_is_refused(play: DailyPlay, decision: Decision, sentence: str) -> None:
    with pytest.raises(IllegalChoice, match=sentence):
        verify_decision(play, decision)
    with pytest.raises(IllegalChoice, match=sentence):
        go_on(play, decision, SOURCE, CARDS)


def test_nothing_follows_the_last_card() -> None:
    play = scripted(10, 9, 8, 7, 0, 10, 9)
    assert next_chance(play, SOURCE, CARDS) is None
    with pytest.raises(GameOver):
        apply(play, Decided(0, Stop()))


@pytest.mark.parametrize(
    ("before", "event"),
    [
        ([CardRevealed(CARDS[1])], Decided(1, TakeDice())),
        ([CardRevealed(CARDS[1])], Decided(0, TakeDice(), by_house=True)),
        ([CardRevealed(CARDS[1])], Rolled(Dice.parse(DICE[10]).faces)),
        ([CardRevealed(CARDS[1])], CardRevealed(CARDS[2])),
        ([CardRevealed(CARDS[1])], StartPlayerDrawn(0)),
        ([CardRevealed(CARDS[1])], Abandoned("nobody")),
        ([CardRevealed(CARDS[1]), Decided(0, TakeDice())], Rolled(Dice.parse("1 2 3").faces)),
        ([], CardRevealed(CARDS[0])),
    ],
)
def test_events_that_cannot_happen_here(before: list[Event], event: Event) -> None:
    play = scripted(10)
    for earlier in before:
        play = apply(play, earlier)
    with pytest.raises(BadEvent):
        apply(play, event)


# ------------------------------------------------------------------------------------------------------------ JSON


def document(**changes: Any) -> dict[str, Any]:
    return {**play_to_json(apply(scripted(10, 9), CardRevealed(CARDS[2]))), **changes}


def played(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {"card": str(CARDS[number]), "dice": DICE[9], "result": 9, "rolls": 1, **changes}


DAMAGED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "no list": document(finished=None),
    "a number as card": document(finished=[1]),
    "a number as the card": document(card=7),
    "no card": document(card="nonsense"),
    "no turn": document(turn="nonsense"),
    "the turn of another card": document(turn="card-1 | *? *? *? *? *? *? *? | 0"),
    "a turn without a card": document(card=None, turn="card-3 | *? *? *? *? *? *? *? | 0"),
    "a turn that is over": document(turn="card-3 | 1 1 1 1 1 1 1 | 4"),
    "a turn with three dice": document(turn="card-3 | *? *? *? | 0"),
    "a card twice": document(finished=[played(2)]),
    "another result": document(finished=[played(result=8)]),
    "two dice": document(finished=[played(dice="1 1")]),
    "five rolls": document(finished=[played(rolls=5)]),
    "no roll": document(finished=[played(rolls=0)]),
    "a card after the last": document(finished=[played(number) for number in range(7)]),
}


@pytest.mark.parametrize("damaged", DAMAGED.values(), ids=DAMAGED)
def test_a_state_that_is_none_is_refused(damaged: dict[str, Any]) -> None:
    assert play_from_json(document()).card == CARDS[2]
    with pytest.raises(HighScoreError):
        play_from_json(damaged)


def test_a_damaged_state_is_a_matter_of_notation() -> None:
    with pytest.raises(NotationError, match="not worth"):
        play_from_json(document(finished=[played(result=8)]))
