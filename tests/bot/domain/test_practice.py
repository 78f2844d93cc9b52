"""Positions of finished games, in the nine characters that a button has for them."""

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings

from bot.domain.practice import POSITION, pack_position, unpack_position
from highscore import STANDARD_DECK, Turn
from tests.highscore.strategies import turns


@settings(suppress_health_check=[HealthCheck.filter_too_much], deadline=None)
@given(turns())
def test_a_position_is_read_back_as_it_was(turn: Turn) -> None:
    assume(turn.rolls and not turn.to_roll and not turn.over)
    packed = pack_position(turn)
    assert re.fullmatch(POSITION, packed)
    assert unpack_position(packed, turn.card) == turn


@pytest.mark.parametrize("packed", ["555555540", "FFFFFFF11", "aaaaaaa70", "abc123450", "", "5555555xx"])
def test_a_position_that_waits_for_no_choice_is_none(packed: str) -> None:
    assert unpack_position(packed, STANDARD_DECK.find_card("same-frozen")) is None
