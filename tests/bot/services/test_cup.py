"""Cups without Discord: entering, legs, their ends, who goes on, what nobody sees before a leg is closed."""

import random

import pytest

from bot.domain.cup import CupPost, Status
from bot.domain.cup_draw import Format
from bot.services.core import Core
from bot.services.cup import NewCup
from tests.bot.services.cups import Cups, people


@pytest.fixture
def cups(core: Core) -> Cups:
    return Cups(core)


@pytest.mark.parametrize("form", Format)
async def test_a_cup_is_played_to_its_end(cups: Cups, form: Format) -> None:
    chance = random.Random(7)
    opened = await cups.open(7, NewCup("Autumn cup", form, length=3 if form is Format.LEAGUE else None))
    assert opened.status is Status.ENTRY
    view = await cups.look()
    view = await cups.turn_to_end()
    assert view.cup.status is Status.PLAYING
    legs = 0
    while view.cup.status is Status.PLAYING:
        legs += 1
        leg = view.open_leg
        assert leg is not None
        assert leg.number == legs
        for number in sorted(number for group in leg.leg.groups for number in group.entrants):
            await cups.play(people(7)[number], chance.choice([0, 3, 7, 7, 7]), chance)
        assert (await cups.view()).open_leg == leg
        view = await cups.turn_to_end()
    assert view.cup.status is Status.OVER
    assert legs == 3
    assert [each.won for each in view.cup.entrants].count(True) == len(view.winners) == 1
    assert cups.posted.count(CupPost.LEG) == 3
    assert cups.posted[-1] is CupPost.OVER
