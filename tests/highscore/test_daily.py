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

SOURCE = Source(bytes(range(32)), "0123456789ab")
CARDS_OF_DAY = cards_of("2026-01-01", STANDARD_DECK)
seeds = st.binary(min_size=32, max_size=32)

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
    assert [card.id for card in CARDS_OF_DAY] == [
        "same-minus-zero",
        "same-frozen",
        "odd-five",
        "pairs-six",
        "same-minus10",
        "pairs-minus-zero",
        "odd-frozen",
    ]


def test_every_day_has_seven_different_cards_and_every_card_its_days() -> None:
    first = date(2026, 1, 1)
    days = [cards_of((first + timedelta(days=number)).isoformat(), STANDARD_DECK) for number in range(600)]
    assert {len(set(cards)) for cards in days} == {ROUNDS}
    assert len(set(days)) == len(days)
    often = [sum(card in cards for cards in days) for card in STANDARD_DECK]
    # 200 of 600 are expected, with a standard deviation of 11.5.
    assert min(often) > 150
    assert max(often) < 250
    first_ones = [sum(cards[0] == card for cards in days) for card in STANDARD_DECK]
    assert min(first_ones) > 5


def test_the_cards_come_from_the_deck_that_is_played_with() -> None:
    other = Deck("seven", STANDARD_DECK.cards[:7])
    assert set(cards_of("2026-01-01", other)) == set(other)


def test_par_is_the_sum_of_the_expected_results() -> None:
    assert sum(expected(CARDS_OF_DAY)) == pytest.approx(par(CARDS_OF_DAY))
    assert expected([STANDARD_DECK.card("same-frozen")])[0] == pytest.approx(17.264466, abs=1e-6)


# ------------------------------------------------------------------------------------------------------------ dice


@given(st.integers(), seeds)
def test_the_same_choices_meet_the_same_dice(choices: int, seed: bytes) -> None:
    source = Source(seed, "daily")
    once = play_all(by_chance(random.Random(choices)), source)
    assert play_all(by_chance(random.Random(choices)), source) == once


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
def test_the_score_is_the_sum_of_what_is_positive(choices: int) -> None:
    states, _events = play_all(by_chance(random.Random(choices)))
    for play in states:
        assert play.score == sum(done.result for done in play.finished if done.result > 0)
        assert play.number == min(len(play.finished) + 1, ROUNDS)


@pytest.mark.parametrize(
    ("counted", "average", "found"),
    [
        (0, 20.0, Grade.NOTHING),
        (1, 20.0, Grade.POOR),
        (9, 20.0, Grade.POOR),
        (10, 20.0, Grade.FAIR),
        (19, 20.0, Grade.FAIR),
        (20, 20.0, Grade.GOOD),
        (29, 20.0, Grade.GOOD),
        (30, 20.0, Grade.GREAT),
        (1, -3.0, Grade.GREAT),
        (0, -3.0, Grade.NOTHING),
    ],
)
def test_grades(counted: int, average: float, found: Grade) -> None:
    assert grade(counted, average) is found


def test_the_row_to_share_does_not_tell_which_card_went_well() -> None:
    averages = (8.0,) * ROUNDS
    row = share_row(scripted(7, 10, -35, 9, 0, 8, 10), averages)
    assert row == (Grade.GOOD,) * 4 + (Grade.FAIR,) + (Grade.NOTHING,) * 2
    assert share_row(scripted(10, -35, 10, 0, 7, 8, 9), averages) == row


def test_each_card_is_compared_with_its_own_average() -> None:
    averages = (5.0, 40.0, 10.0, 8.0, 8.0, 8.0, 8.0)
    assert share_row(scripted(10, 10, 10), averages) == (Grade.GREAT, Grade.GOOD, Grade.POOR)


# ---------------------------------------------------------------------------------------------------------- events


@given(st.integers(), seeds)
def test_the_events_lead_to_the_state_also_through_text(choices: int, seed: bytes) -> None:
    states, events = play_all(by_chance(random.Random(choices)), Source(seed, "daily"))
    assert replay(parse_event(format_event(event)) for event in events) == states[-1]


def test_what_a_player_waits_for() -> None:
    play = DailyPlay()
    assert play.awaiting is Awaiting.CARD
    play = apply(play, CardRevealed(CARDS[0]))
    assert play.awaiting is Awaiting.PLAYER
    play = apply(play, Decided(0, TakeDice()))
    assert play.awaiting is Awaiting.DICE
    play = apply(play, Rolled(Dice.parse(DICE[10]).faces))
    assert play.awaiting is Awaiting.CHOICE
    play = apply(play, Decided(0, Stop()))
    assert play.awaiting is Awaiting.CARD
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
    "event",
    [
        Decided(1, TakeDice()),
        Decided(0, TakeDice(), by_house=True),
        Rolled(Dice.parse(DICE[10]).faces),
        CardRevealed(CARDS[2]),
        StartPlayerDrawn(0),
        Abandoned("nobody"),
    ],
)
def test_events_that_cannot_happen_here(event: Event) -> None:
    play = apply(scripted(10), CardRevealed(CARDS[1]))
    with pytest.raises(BadEvent):
        apply(play, event)


def test_a_card_does_not_come_twice() -> None:
    with pytest.raises(BadEvent, match="played already"):
        apply(scripted(10), CardRevealed(CARDS[0]))


def test_the_wrong_number_of_dice_is_refused() -> None:
    play = apply(apply(scripted(10), CardRevealed(CARDS[1])), Decided(0, TakeDice()))
    with pytest.raises(BadEvent):
        apply(play, Rolled(Dice.parse("1 2 3").faces))


# ------------------------------------------------------------------------------------------------------------ JSON


@given(st.integers())
def test_every_state_is_read_back_as_it_was(choices: int) -> None:
    for play in play_all(by_chance(random.Random(choices)))[0]:
        assert play_from_json(json.loads(json.dumps(play_to_json(play)))) == play


def document(**changes: Any) -> dict[str, Any]:
    return {**play_to_json(apply(scripted(10, 9), CardRevealed(CARDS[2]))), **changes}


def played(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {"card": str(CARDS[number]), "dice": DICE[9], "result": 9, "rolls": 1, **changes}


@pytest.mark.parametrize(
    "damaged",
    [
        pytest.param({}, id="nothing"),
        pytest.param(document(finished=None), id="no list"),
        pytest.param(document(finished=[1]), id="a number as card"),
        pytest.param(document(card=7), id="a number as the card"),
        pytest.param(document(card="nonsense"), id="no card"),
        pytest.param(document(turn="nonsense"), id="no turn"),
        pytest.param(document(turn="card-1 | *? *? *? *? *? *? *? | 0"), id="the turn of another card"),
        pytest.param(document(card=None, turn="card-3 | *? *? *? *? *? *? *? | 0"), id="a turn without a card"),
        pytest.param(document(turn="card-3 | 1 1 1 1 1 1 1 | 4"), id="a turn that is over"),
        pytest.param(document(turn="card-3 | *? *? *? | 0"), id="a turn with three dice"),
        pytest.param(document(finished=[played(2)]), id="a card twice"),
        pytest.param(document(finished=[played(result=8)]), id="another result"),
        pytest.param(document(finished=[played(dice="1 1")]), id="two dice"),
        pytest.param(document(finished=[played(rolls=5)]), id="five rolls"),
        pytest.param(document(finished=[played(rolls=0)]), id="no roll"),
        pytest.param(document(finished=[played(number) for number in range(7)]), id="a card after the last"),
    ],
)
def test_a_state_that_is_none_is_refused(damaged: dict[str, Any]) -> None:
    assert play_from_json(document()).card == CARDS[2]
    with pytest.raises(HighScoreError):
        play_from_json(damaged)


def test_a_damaged_state_is_a_matter_of_notation() -> None:
    with pytest.raises(NotationError, match="not worth"):
        play_from_json(document(finished=[played(result=8)]))


def test_a_card_that_was_rolled_again_is_kept_with_its_rolls() -> None:
    play = apply(apply(DailyPlay(), CardRevealed(CARDS[0])), Decided(0, TakeDice()))
    play = apply(play, Rolled(Dice.parse(DICE[7]).faces))
    play = apply(play, Decided(0, Roll(tuple(range(7)))))
    play = apply(apply(play, Rolled(Dice.parse(DICE[9]).faces)), Decided(0, Stop()))
    assert play.finished == (PlayedCard(CARDS[0], Dice.parse(DICE[9]), 9, 2),)
