"""The people whom a finished game compares, and how they are ranked (R9.6)."""

from dataclasses import replace

import pytest

from bot.domain.outcome import GameOutcome, find_compared, outcome_of
from tests.bot.domain.test_badges import FINISH
from tests.bot.games import house, people, scored, wins


def outcome(
    *own: int | None, late: int | None = None, uncounted: int | None = None, erased: int | None = None
) -> GameOutcome:
    """Return a game that the first seat leads, with so many own turns, from the first on; None is a house player.

    The house played the first turn of the ``late`` seat.
    """
    seats = [house() if number is None else people(at + 1)[0] for at, number in enumerate(own)]
    seats = [replace(seat, counts=at != uncounted, erased=at == erased) for at, seat in enumerate(seats)]
    game = scored(*wins(0, len(own)), by_house={at: 7 - number for at, number in enumerate(own) if number is not None})
    first = game.finished[0]
    turns = tuple(replace(turn, own=turn.own and turn.seat != late) for turn in first.turns)
    return outcome_of(FINISH, seats, replace(game, finished=(replace(first, turns=turns), *game.finished[1:])))


@pytest.mark.parametrize(
    ("game", "compared", "ranks"),
    [
        (outcome(7, 7), [0, 1], [1, 2]),
        (outcome(4, 1), [0, 1], [1, 6]),
        (outcome(1, 4), [0, 1], [6, 2]),
        (outcome(3, 4, 1, 7, 2), [0, 1, 2, 3, 4], [6, 2, 6, 4, 6]),
        (outcome(None, 7, 7), [1, 2], [2, 3]),
        (outcome(7, 7, 7, late=0), [1, 2], [2, 3]),
        (outcome(7, 7, 0), [0, 1], [1, 2]),
        (outcome(7, 7, 7, uncounted=0), [1, 2], [2, 3]),
        (outcome(7, 7, 7, erased=0), [1, 2], [2, 3]),
        (outcome(7, 2, erased=1), [0], [1]),
        (outcome(3, 3, 3), [], []),
        (outcome(7, 0), [], []),
        (outcome(7, None), [], []),
        (outcome(7, 7, late=1), [], []),
        (outcome(7, 7, uncounted=1), [], []),
        (outcome(7, 3, erased=0), [], []),
        (outcome(3, 3, 7, uncounted=2), [], []),
    ],
)  # fmt: skip
def test_compared_is_who_began_and_below_all_others_who_made_fewer_than_four_turns(
    game: GameOutcome, compared: list[int], ranks: list[int]
) -> None:
    assert [(seat.seat, seat.rank) for seat in find_compared(game.seats)] == [*zip(compared, ranks, strict=True)]
