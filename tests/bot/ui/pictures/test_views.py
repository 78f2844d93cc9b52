import random
from functools import cache

import pytest

from bot.ui.pictures import board, parts, track, views
from bot.ui.pictures.results import results_png
from highscore import STANDARD_DECK, Chip, TurnOrder, place_pieces, rank_players
from highscore.turn import DieState, parse_turn
from tests.bot.ui.pictures.samples import FULLEST, opened
from tests.bot.ui.tables import states, table_of

empty = cache(track.draw_empty_track)


def assert_drawn_from_its_parts(view: views.BoardView) -> None:
    """Check that a board has just its parts, whatever is kept from other boards."""
    whole = empty().copy()
    for part, left, top in board.board_parts(view):
        parts.paste(whole, part, (left, top))
    png = board.board_png(view)
    assert opened(png).tobytes() == whole.tobytes()
    assert len(png) <= FULLEST


@pytest.mark.parametrize(("players", "order"), [(2, TurnOrder.CLOCKWISE), (5, TurnOrder.OPEN)])
def test_every_position_of_a_game_draws(players: int, order: TurnOrder) -> None:
    games = [table.game for table in states(table_of(players, order), random.Random(players)) if table.game is not None]
    *positions, ended = games
    for game in positions[::2]:
        view = views.game_view(game)
        assert len(view.seats) == players
        assert (view.round, {len(seat.chips) for seat in view.seats}) == (game.round, {len(game.finished)})
        assert view.leader == (game.may_act[0] if len(game.may_act) == 1 else None)
        assert view.placements == tuple(sorted(game.placements, key=lambda placed: placed.seat))
        assert all(each.endswith(".") for each in views.board_sentences(view, "ABCDE"))
        assert_drawn_from_its_parts(view)
        if game.turn is not None:
            assert_drawn_from_its_parts(views.turn_view(view.card, players, (), game.turn, game.seat))
    for number, finished in enumerate(ended.finished, start=1):
        view = views.round_view(ended, number)
        assert {at: seat.chip for at, seat in enumerate(view.seats) if seat.chip} == dict(finished.chips)
        assert [seat.chips[-1] for seat in view.seats] == [seat.chip for seat in view.seats]
        assert (view.round, {len(seat.chips) for seat in view.seats}) == (number, {number})
        assert view.leader is None or finished.chips[view.leader] is Chip.GOLD
        assert_drawn_from_its_parts(view)
    results = views.results_view(ended, "ABCDE")
    for line in rank_players(ended):
        assert results.points(line.seat) == line.points
        assert (line.place, line.seat) in results.order
    assert results_png(results)


def test_a_turn_shows_its_dice_worth_and_aim() -> None:
    turn = parse_turn("same-frozen | 5 5 4 4 [V] [V] 3 | 2", STANDARD_DECK)
    view = views.turn_view(turn.card, 3, place_pieces({0: 18}), turn, on_turn=2)
    assert (view.worth, view.aim, view.rolls_left) == (18, 17, 1)
    assert [die.points for die in view.dice] == [5, 5, 4, 4, 0, 0, 0]
    assert [die.state for die in view.dice[4:]] == [DieState.FROZEN, DieState.FROZEN, DieState.FREE]


def test_the_stake_is_what_the_round_would_give_now_where_the_player_may_know() -> None:
    turn = parse_turn("pairs-six | 4 4 5 5 1 2 3 | 2", STANDARD_DECK)  # Worth 18.
    cases: tuple[tuple[dict[int, int], Chip | None], ...] = (
        ({}, None),
        ({0: 17}, Chip.GOLD),
        ({0: 20}, Chip.SILVER),
        ({0: 18, 1: 17}, Chip.BRONZE),
        ({0: 20, 1: 30, 2: 40}, None),
    )
    for results, stake in cases:
        assert views.turn_view(turn.card, 4, place_pieces(results), turn, on_turn=3).stake is stake
    assert views.turn_view(turn.card, 2, place_pieces({0: 20}), turn, on_turn=1).stake is Chip.BRONZE
    assert views.turn_view(turn.card, 4, (), turn, on_turn=3, staked=False).stake is None
