"""Points, ties and shared victories (rules R2.5)."""

from highscore import Chip, Game, TurnOrder, find_winners, rank_players, standings
from tests.highscore.scripted import play_rounds, started

NOBODY = {0: 0, 1: 0, 2: 0, 3: 0}


def places(game: Game) -> list[tuple[int, int, int]]:
    return [(line.seat, line.place, line.points) for line in rank_players(game)]


def test_r2_5_the_most_points_win() -> None:
    game = play_rounds(started(3), *[{0: 7, 1: 9, 2: 8}] * 7)
    assert places(game) == [(1, 1, 21), (2, 2, 14), (0, 3, 7)]
    assert [line.decider for line in rank_players(game)] == [None, standings.Decider.POINTS, standings.Decider.POINTS]
    assert find_winners(game) == (1,)


def test_r2_5_ties_go_to_more_gold_chips() -> None:
    game = play_rounds(started(3), {0: 9, 1: 8, 2: 0}, {0: 0, 1: 8, 2: 9}, {0: 9, 1: 8, 2: 0}, *[NOBODY] * 4)
    assert places(game) == [(0, 1, 6), (1, 2, 6), (2, 3, 3)]
    assert rank_players(game)[1].decider is Chip.GOLD
    assert find_winners(game) == (0,)


def test_r2_5_then_to_more_silver_chips() -> None:
    game = play_rounds(
        started(4),
        {0: 9, 1: 8, 2: 0, 3: 0},
        {0: 7, 1: 9, 2: 10, 3: 0},
        {0: 0, 1: 0, 2: 9, 3: 10},
        {0: 7, 1: 0, 2: 9, 3: 8},
        *[NOBODY] * 3,
    )
    lines = {
        line.seat: (line.points, *(line.chips[chip] for chip in (Chip.GOLD, Chip.SILVER, Chip.BRONZE)))
        for line in rank_players(game)
    }
    assert lines == {0: (5, 1, 0, 2), 1: (4, 0, 2, 0), 2: (8, 2, 1, 0), 3: (5, 1, 1, 0)}
    assert [(line.seat, line.place) for line in rank_players(game)] == [(2, 1), (3, 2), (0, 3), (1, 4)]
    assert rank_players(game)[2].decider is Chip.SILVER


def test_r2_5_still_tied_players_share_the_victory() -> None:
    game = play_rounds(started(3), {0: 9, 1: 0, 2: 0}, {0: 0, 1: 0, 2: 9}, {0: 0, 1: 7, 2: 0}, *[NOBODY] * 4)
    assert places(game) == [(0, 1, 3), (1, 1, 3), (2, 1, 3)]
    assert find_winners(game) == (0, 1, 2)
    assert [line.decider for line in rank_players(game)] == [None, standings.Decider.SHARED, standings.Decider.SHARED]


def test_r2_5_nobody_has_won_before_the_seventh_round() -> None:
    game = play_rounds(started(3), *[{0: 7, 1: 9, 2: 8}] * 6)
    assert find_winners(game) == ()
    assert places(game)[0] == (1, 1, 18)
    assert places(Game(2, TurnOrder.OPEN)) == [(0, 1, 0), (1, 1, 0)]
