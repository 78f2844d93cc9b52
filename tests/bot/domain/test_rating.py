"""The games that are rated, and how many of a day (R9.6)."""

import pytest

from bot.domain.rating import is_rated


@pytest.mark.parametrize(
    ("own", "rated"),
    [
        ((4, 1), True),
        ((7, 7), True),
        ((4, 0, 1), True),
        ((3, 3, 3), False),
        ((7, 0), False),
        ((7,), False),
        ((), False),
    ],
)
def test_rated_is_a_game_of_two_with_a_turn_of_whom_one_made_four(own: tuple[int, ...], rated: bool) -> None:
    assert is_rated(own) == rated
