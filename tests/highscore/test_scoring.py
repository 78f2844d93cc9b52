"""The scorings (rules R4, R8), by example and against a plain second implementation."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Card, Dice, Face, VortexValue, score_dice
from highscore.dice import FACES
from highscore.odds import lattice, results
from highscore.scoring import Part, find_tens
from tests.highscore import reference, rules_page, strategies
from tests.highscore.odds.settings import LARGE
from tests.sampling import sample

EXAMPLES = [(card, dice, int(result)) for card, dice, result in rules_page.table_of("R8")]


def test_r8_the_24_printed_examples() -> None:
    assert len(EXAMPLES) == 24
    for card_id, dice, result in EXAMPLES:
        assert score_dice(STANDARD_DECK.find_card(card_id), Dice.parse(dice)).total == result, (card_id, dice)


RESULTS = """
R4          SAME 5              5 V 1 2 3 4 4   18   a vortex worth 5 is the same number as a face 5
R4          PAIRS 5             5 V 1 2 3 4 1   12
R4          TRIPLES_MINUS 2     2 2 V 1 3 4 5   -7
R4          SAME 6              5 V 1 2 3 4 4   8
R4          TRIPLES_MINUS choice 5 5 5 4 4 4 V  27   a seventh die that fits nowhere takes 0
R4          ODD choice          V V V V V V V   35
R4          TOTAL choice        V 1 1 1 1 1 1   12
R4.1        TOTAL -5            5 4 3 2 1 1 V   11   all seven dice count
R4.1        TOTAL frozen        5 4 3 2 1 1 V   16
R4.2        SAME 0              5 5 5 4 4 3 2   23
R4.2        SAME -10            V 5 4 3 2 1 1   2    a single vortex does not count
R4.2        SAME -10            V V 4 3 2 1 1   -18  two of them do
R4.3        SAME_MINUS 0        5 5 5 4 4 3 2   18
R4.3        SAME_MINUS 0        5 4 3 2 1 V V   -15
R4.4        TENS_MINUS 6        5 5 4 3 3 1 1   18
R4.4        TENS_MINUS 6        1 1 1 1 1 1 1   -7   no group at all
R4.4        TENS_MINUS 6        1 1 1 1 1 5 V   4
R4.4        TENS_MINUS 6        V 4 5 4 1 5 5   30   6 4, 5 5 and 5 4 1; 6 4 and 5 4 1 first would do as well
R4.4        TENS_MINUS 6        V 3 1 4 5 5 2   14   not the 6 with 3 and 1, but with the 4
R4.4        TENS_MINUS 2        5 3 V 4 3 3 1   19
R4.5        PAIRS 6             5 5 5 4 4 4 4   26   three of a number are one pair, four are two
R4.5        PAIRS -5            V V V 1 1 2 3   -8
R4.6        PAIRS_MINUS 0       5 5 5 4 4 4 4   21
R4.6        PAIRS_MINUS 5       V 5 4 3 3 1 1   14
R4.7        TRIPLES_MINUS 10    5 5 5 5 5 5 1   29   six of a number are two triples
R4.7        TRIPLES_MINUS 10    5 5 5 5 5 1 1   3
R4.7        TRIPLES_MINUS 10    V V V 1 1 2 2   24
R4.8        ODD 0               5 4 3 2 1 V V   9
R4.8        ODD 3               5 4 3 2 1 V V   15   the value counts, not the face
R4.8        ODD 7               5 4 3 2 1 V V   9    7 is odd but none of the three
R4.8        ODD -5              5 4 3 2 1 V V   9
R4.9        ODD_MINUS 10        5 4 3 2 1 V V   -17
R4.9        ODD_MINUS 0         5 4 3 2 1 V V   3
R4.10       VALUES_SHOWN_MINUS 6 5 4 3 2 1 V V  -7
R4.10       VALUES_SHOWN_MINUS 4 5 4 3 2 1 V V  13
R4.10       VALUES_SHOWN_MINUS 0 5 4 3 2 1 V V  5
R4.11       ASCENDING 10        1 1 2 3 5 5 V   7    up to the first gap
R4.11       ASCENDING 10        2 3 4 5 V V V   0    without a 1 nothing counts
R4.11       ASCENDING 10        1 2 3 4 5 5 5   25   several dice of one number all count
R4.11       ASCENDING 10        1 2 3 4 5 V V   35   the vortex stands after the 5, whatever it is worth
R4.11       ASCENDING 3         1 2 V 4 5 V V   3    a vortex worth 3 does not close the gap at 3
R4.11       ASCENDING -10       1 2 3 4 5 V V   -5
R4.11       ASCENDING frozen    1 2 3 4 5 V V   15
"""


def test_r4_results_that_tell_a_rule_from_what_it_could_be_mistaken_for() -> None:
    """R4.1, R4.2, R4.3, R4.4, R4.5, R4.6, R4.7, R4.8, R4.9, R4.10, R4.11."""
    for line in RESULTS.strip().splitlines():
        _rule, scoring, vortex, *dice = line.split()[:10]
        found = score_dice(Card.parse(f"card: {scoring} {vortex} ANY_THREE"), Dice.parse(" ".join(dice)))
        assert found.total == int(line.split()[10]), line


def breakdown(card: str, dice: str) -> str:
    """Return the dice of a score: plain where they count, - subtracted, ~ ignored."""
    marks = {Part.COUNTS: "", Part.SUBTRACTED: "-", Part.IGNORED: "~"}
    found = score_dice(Card.parse(f"card: {card} ANY_THREE"), Dice.parse(dice))
    assert found.counted - found.subtracted == found.total
    return f"{' '.join(f'{marks[die.part]}{die.value}' for die in found.dice)} = {found.total}"


def test_r4_each_vortex_of_choice_may_take_another_value_for_the_highest_result() -> None:
    assert breakdown("SAME_MINUS choice", "5 5 4 V 3 V 1") == "5 5 4 4 3 3 -1 = 23"
    assert breakdown("SAME_MINUS choice", "5 4 3 2 1 1 V") == "5 -4 -3 -2 1 1 5 = 3"


def test_r4_minus_remainder_subtracts_every_die_that_does_not_count() -> None:
    assert breakdown("ODD_MINUS 10", "5 5 5 V 4 4 2") == "5 5 5 -10 -4 -4 -2 = -5"
    assert breakdown("PAIRS 6", "5 V 5 4 V V 1") == "5 6 5 ~4 6 ~6 ~1 = 22", "without minus it is ignored"


def test_r4_4_ruling_ten_is_a_group_of_its_own_and_zero_can_join_any_group() -> None:
    assert score_dice(STANDARD_DECK.find_card("tens-minus-ten"), Dice.parse("V V 1 1 1 1 1")).groups == ((0,), (1,))
    assert breakdown("TENS_MINUS 10", "V V 1 1 1 1 1") == "10 10 -1 -1 -1 -1 -1 = 15"
    joined = score_dice(Card.parse("card: TENS_MINUS frozen ANY_THREE"), Dice.parse("V 5 V 5 2 1 1"))
    assert sorted(joined.groups[0]) == [0, 1, 2, 3]
    assert breakdown("TENS_MINUS frozen", "V 5 V 5 2 1 1") == "0 5 0 5 -2 -1 -1 = 6"
    assert breakdown("TENS_MINUS 0", "V 1 1 1 1 1 1").endswith(" = -6")


def test_r4_5_pairs_are_shown_as_groups() -> None:
    assert score_dice(STANDARD_DECK.find_card("pairs-six"), Dice.parse("4 5 4 4 5 4 4")).groups == (
        (1, 4),
        (0, 2),
        (3, 5),
    )


@pytest.mark.parametrize("card", sample(STANDARD_DECK.cards, 4), ids=lambda card: card.id)
def test_r4_every_roll_on_every_card_agrees_with_the_plain_implementation_and_with_the_solvers_table(
    card: Card,
) -> None:
    on, table = lattice.build_lattice(), results.list_results(card)
    assert len(reference.ALL_ROLLS) == len(table) == 792
    differing = {}
    # Where the vortex may take any value, a score takes a hundred times as long.
    for roll in reference.ALL_ROLLS[:: 1 if LARGE else 20 if card.vortex is VortexValue.CHOICE else 3]:
        dice = Dice.parse(roll)
        kept = table[on.numbers[tuple(map(dice.faces.count, FACES))] - on.first[7]]
        found = score_dice(card, dice).total, kept, reference.expected(card.scoring.value, str(card.vortex), roll)
        if len(set(found)) > 1:
            differing[roll] = found
    assert not differing


@given(strategies.cards(), strategies.some_dice)
def test_r4_any_card_and_dice_agree_with_the_plain_implementation(card: Card, dice: Dice) -> None:
    roll = str(dice).replace(" ", "")
    assert score_dice(card, dice).total == reference.expected(card.scoring.value, str(card.vortex), roll)


@given(strategies.cards(), strategies.some_dice)
def test_the_breakdown_adds_up_to_the_total(card: Card, dice: Dice) -> None:
    found = score_dice(card, dice)
    assert [die.face for die in found.dice] == list(dice)
    assert all(die.value == die.face for die in found.dice if die.face is not Face.VORTEX)
    assert all(die.value in card.vortex.values for die in found.dice if die.face is Face.VORTEX)
    assert found.total == sum(die.points for die in found.dice) == found.counted - found.subtracted
    allowed = {Part.COUNTS, Part.SUBTRACTED if card.scoring.subtracts_rest else Part.IGNORED}
    assert {die.part for die in found.dice} <= allowed


@given(strategies.cards(), strategies.rolls)
def test_groups_are_made_of_dice_that_count_each_in_one_group(card: Card, dice: Dice) -> None:
    found = score_dice(card, dice)
    values = [die.value for die in found.dice]
    grouped = [at for group in found.groups for at in group]
    assert len(set(grouped)) == len(grouped)
    if found.groups:
        assert set(grouped) == {at for at, die in enumerate(found.dice) if die.part is Part.COUNTS}
    name = card.scoring.value.removesuffix("_MINUS")
    for group in found.groups:
        of_group = [values[at] for at in group]
        if name == "TENS":
            assert sum(of_group) == 10
        else:
            assert len(set(of_group)) == 1
            assert len(group) == {"PAIRS": 2, "TRIPLES": 3}.get(name, max(2, values.count(of_group[0])))


@given(st.lists(st.integers(0, 12), max_size=7))
def test_r4_4_groups_of_ten_are_as_many_as_there_can_be(values: list[int]) -> None:
    groups = find_tens(values)
    assert all(sum(values[at] for at in group) == 10 for group in groups)
    assert len({at for group in groups for at in group}) == sum(map(len, groups))
    assert len(groups) == reference.most_tens(values)


@given(st.lists(st.integers(0, 12), max_size=7), st.randoms(use_true_random=False))
def test_the_numbers_in_groups_of_ten_are_the_same_wherever_the_dice_lie(values: list[int], rng: random.Random) -> None:
    mixed = rng.sample(values, len(values))
    numbers = [sorted(each[at] for group in find_tens(each) for at in group) for each in (values, mixed)]
    assert numbers[0] == numbers[1]
