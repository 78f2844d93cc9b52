"""The table of results against the engine's own scoring, one roll at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Card, Dice, score_dice
from highscore.dice import FACES
from highscore.odds import lattice, results
from tests.highscore.odds import plain, settings
from tests.highscore.strategies import cards, faces


@pytest.mark.parametrize("card", STANDARD_DECK.cards, ids=lambda card: card.id)
def test_every_roll_of_fewer_dice_has_the_engines_result(card: Card) -> None:
    """Of all seven: tests/highscore/test_scoring.py."""
    on = lattice.build_lattice()
    table = results.list_results(card, 3)
    assert len(table) == 56
    for shown, _chance in plain.rolls(3):
        assert table[on.numbers[tuple(map(shown.count, FACES))] - on.first[3]] == plain.total(card, shown)


@settings.at_most(12, large=1500)
@given(card=cards(), dice=st.lists(faces, min_size=1, max_size=7).map(tuple).map(Dice))
def test_any_roll_on_any_card_has_the_engines_result(card: Card, dice: Dice) -> None:
    on = lattice.build_lattice()
    table = results.list_results(card, len(dice))
    assert table[on.numbers[tuple(map(dice.faces.count, FACES))] - on.first[len(dice)]] == score_dice(card, dice).total
    assert abs(table).max() <= results.LIMIT


def test_the_lattice_has_the_multisets_of_up_to_seven_dice() -> None:
    on = lattice.build_lattice()
    assert [on.count_multisets(size) for size in range(8)] == [1, 6, 21, 56, 126, 252, 462, 792]
    assert len(on.numbers) == 1716
    assert on.add.size == 5544
    for size in range(8):
        assert on.chance[on.find_layer(size)].sum() == pytest.approx(1.0, abs=1e-12)
