from dataclasses import replace

import pytest

from bot.ui.pictures import cup
from bot.ui.pictures.lobby import SeatPlace, SeatState, lobby_png
from tests.bot.ui.pictures.samples import opened

ADA = SeatPlace(SeatState.TAKEN, "Ada")


@pytest.mark.parametrize("seats", range(2, 6))
def test_a_seat_looks_different_in_each_state(seats: int) -> None:
    states = [
        SeatPlace(),
        ADA,
        replace(ADA, state=SeatState.RESERVED),
        replace(ADA, is_house=True),
        replace(ADA, is_host=True),
        replace(ADA, name="Ben"),
    ]
    for at in range(seats):
        pictures = [lobby_png([*[SeatPlace()] * at, state, *[SeatPlace()] * (seats - at - 1)]) for state in states]
        assert len(set(pictures)) == len(states)
    odd, even = (opened(lobby_png([ADA] * number)).height for number in (3, 4))
    assert odd == even, "two seats stand in a row"


@pytest.mark.parametrize("most", [4, 16, 32, 128])
def test_each_entrant_takes_one_seat_of_a_sign_up(most: int) -> None:
    pictures = [
        cup.sign_up_png("Spring", most, [(number, "Ada") for number in range(entrants)])
        for entrants in (0, 1, 2, most - 1, most)
    ]
    assert len(set(pictures)) == len(pictures)
    if most > cup.MOST_NAMED:
        assert opened(pictures[-1]).height == opened(pictures[0]).height, "too many names are not drawn"


def test_an_entrant_keeps_the_piece_when_another_one_withdraws() -> None:
    with_all, without = ([(number, "") for number in numbers] for numbers in ((0, 1, 2), (0, 2)))
    assert cup.sign_up_png("Spring", 4, with_all) != cup.sign_up_png("Spring", 4, [(0, ""), (1, "")])
    assert cup.sign_up_png("Spring", 4, without) == cup.sign_up_png("Spring", 4, [(5, ""), (7, "")])
    assert cup.sign_up_png("Spring", 4, without) != cup.sign_up_png("Spring", 4, [(0, ""), (1, "")])
