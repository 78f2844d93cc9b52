"""The dice and their notation (rules R1)."""

import pytest
from hypothesis import given

from highscore import Dice, Face, errors
from highscore.dice import DICE, FACES, parse_face
from tests.highscore.strategies import some_dice


def test_r1_there_are_seven_dice_with_five_numbers_and_the_vortex() -> None:
    assert DICE == 7
    assert [str(face) for face in FACES] == ["1", "2", "3", "4", "5", "V"]


def test_the_notation_reads_with_and_without_spaces_in_either_case() -> None:
    expected = Dice((Face.FIVE, Face.FIVE, Face.FOUR, Face.VORTEX, Face.TWO, Face.ONE, Face.ONE))
    for text in ("5 5 4 V 2 1 1", "554v211", " 5 5\t4 V\n211 "):
        assert Dice.parse(text) == expected
    assert str(expected) == "5 5 4 V 2 1 1"


def test_what_is_no_roll_is_refused_with_the_character_that_is_wrong() -> None:
    for text in ("6", "0", "5 5 x", "5,5", "W", "٣", "²", "VORTEX", "12345V1 2"):
        with pytest.raises(errors.NotationError):
            Dice.parse(text)
    with pytest.raises(errors.NotationError, match="'6' is no die face; write 1, 2, 3, 4, 5 or V"):
        Dice.parse("5 6 4")
    with pytest.raises(errors.NotationError, match="8 dice are too many"):
        Dice.parse("1 1 1 1 1 1 1 1")
    with pytest.raises(errors.NotationError):
        parse_face("")


@given(some_dice)
def test_dice_read_back_from_their_text(dice: Dice) -> None:
    assert Dice.parse(str(dice)) == dice
