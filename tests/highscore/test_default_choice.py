"""The default choice: always legal, always an end, the rule of each way of rolling, and the table in docs/odds.md."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.default_choices import compute_averages, format_row
from highscore import STANDARD_DECK, Card, IllegalChoice, RollType, Turn, default_choice, dice
from highscore.turn import begin_turn, can_choose, keep_dice, make_choice, parse_turn, roll_dice
from tests.highscore import strategies
from tests.highscore.odds.settings import LARGE

DOCS = Path(__file__).parents[2] / "docs" / "odds.md"

CUSTOM = tuple(
    map(
        Card.parse,
        (
            "odd-choice: ODD choice SET_ASIDE",
            "odd-plain: ODD 0 SET_ASIDE",
            "pairs-minus9: PAIRS -9 SET_ASIDE",
            "values-seven: VALUES_SHOWN_MINUS 7 SET_ASIDE",
            "frozen-full: TOTAL frozen FOUR_FULL",
        ),
    )
)


@given(strategies.turns() | strategies.turns(st.sampled_from(STANDARD_DECK.cards)))
def test_the_default_is_legal_in_every_position_that_waits_for_a_choice(turn: Turn) -> None:
    if turn.to_roll or turn.over:
        with pytest.raises(IllegalChoice):
            default_choice.find_default_choice(turn)
        return
    default = default_choice.find_default_choice(turn)
    assert can_choose(turn, default.choice)
    assert list(default.kept) == sorted(set(default.kept))
    assert set(default.kept) <= set(turn.free)
    assert default.choice in (keep_dice(turn, default.kept), keep_dice(turn, turn.free))


@given(strategies.cards(), st.integers(0, 2**32))
def test_one_press_on_the_default_goes_on_and_ends_the_turn(card: Card, seed: int) -> None:
    rng, turn = random.Random(seed), begin_turn(card)
    for _ in range(card.roll_type.max_rolls):
        turn = roll_dice(turn, rng.choices(dice.FACES, k=len(turn.to_roll)))
        if not turn.over and not turn.to_roll:
            turn = make_choice(turn, default_choice.find_default_choice(turn).choice)
            assert turn.over or turn.to_roll
        if turn.over:
            return
    pytest.fail(f"the turn goes on: {turn}")


@pytest.mark.parametrize(
    ("turn", "kept", "choice"),
    [
        # Four full rolls: the average of odd-five is 20.85.
        ("odd-five | 5 5 5 3 1 1 2 | 1", "", "stop"),
        ("odd-five | 5 5 5 3 1 2 2 | 1", "", "roll 1 2 3 4 5 6 7"),
        ("frozen-full | 1 1 [V] 1 1 1 1 | 1 froze", "", "roll 1 2 4 5 6 7"),
        # Any three rolls: at least 2 points, or 5 and more.
        ("same-frozen | 5 4 4 1 1 2 [V] | 1 froze", "1 2 3", "roll 4 5 6"),
        ("same-frozen | 1 1 1 1 2 2 [V] | 1 froze", "1 2 3 4 5 6", "stop"),
        ("triples-minus-choice | V 4 3 5 1 2 1 | 1", "1 4", "roll 2 3 5 6 7"),
        ("values-minus-five | 5 V 4 3 2 1 1 | 2", "3 4 5", "roll 1 2 6 7"),
        ("tens-minus-six | V 4 5 5 4 3 3 | 1", "1 2 3 4 5 6 7", "stop"),
        ("tens-minus-six | 1 4 5 5 3 3 3 | 1", "2 3 4 5 6", "roll 1 7"),
        ("ascending-ten | 1 1 2 4 4 V V | 1", "1 3 4", "roll 2 5 6 7"),
        ("ascending-ten | 1 1 2 2 3 3 3 | 1", "1 3 5", "roll 2 4 6 7"),
        ("ascending-ten | 1 2 3 4 5 5 V | 1", "1 2 3 4 5 6 7", "stop"),
        # Set aside: the highest number that can count.
        ("pairs-minus-five | 5 V 4 4 2 2 1 | 1", "1 2", "set 1 2"),
        ("odd-minus-ten | 5 2 3 5 4 V V | 1", "1 4", "set 1 4"),
        ("odd-minus-ten | (5) 2 4 V V 4 4 | 2", "2", "set 2"),
        ("odd-choice | V 5 3 3 2 4 4 | 1", "1 2", "set 1 2"),
        ("odd-plain | 2 4 2 V V 4 4 | 1", "4", "set 4"),
        ("values-seven | 5 5 5 V V 5 5 | 1", "1", "set 1"),
        ("pairs-minus9 | (5) (5) (4) V V V V | 2", "4", "set 4"),
        ("same-minus-choice | (V) (V) (V) (V) V 5 3 | 3", "5", "set 5 6 7"),
        ("pairs-minus5 | (5) (5) (5) (5) (4) 4 3 | 3", "6", "set 6 7"),
        # Only the highest number of triples, or the cheapest die.
        ("triples-minus-ten | V 5 5 5 3 2 V | 1", "1 7", "set 1 7"),
        ("triples-minus-ten | 3 5 5 5 3 2 4 | 1", "6", "set 6"),
        # Each further roll may freeze dice.
        ("total-frozen | 5 3 2 4 1 1 [V] | 1 froze", "1 2 4", "set 1 2 4"),
        ("total-frozen | 2 2 2 1 1 1 [V] | 1 froze", "", "set -"),
        ("total-frozen | 2 2 2 1 1 1 1 | 1", "1 2 3", "set 1 2 3"),
        ("odd-frozen | (5) 2 4 4 1 1 [V] | 2 froze", "", "set -"),
    ],
)
def test_the_rule_of_each_way_of_rolling(turn: str, kept: str, choice: str) -> None:
    default = default_choice.find_default_choice(parse_turn(turn, (*STANDARD_DECK, *CUSTOM)))
    assert " ".join(str(at + 1) for at in default.kept) == kept
    assert str(default.choice) == choice


@pytest.mark.long
@pytest.mark.parametrize(
    "card",
    [card for card in STANDARD_DECK if LARGE or card.roll_type is not RollType.SET_ASIDE],
    ids=lambda card: card.id,
)
def test_the_table_in_the_documentation_has_the_computed_averages(card: Card) -> None:
    averages = compute_averages(card)
    assert format_row(f"`{card.id}`", averages) in DOCS.read_text(encoding="utf-8").splitlines()
    assert averages.default < averages.best
    assert averages.house < averages.best
