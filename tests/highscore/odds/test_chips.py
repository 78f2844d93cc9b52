from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Card, Chip, Dice, Game, TurnOrder, place_pieces, runs, track
from highscore.odds.chips import (
    CHIP_POINTS,
    EXACT_LATER,
    FRONT,
    NOBODY,
    add_piece,
    compute_chip_chances,
    find_front,
    make_chip_utility,
    make_rows,
)
from highscore.odds.lattice import Floats
from highscore.odds.policy import Utility, solve_card
from highscore.odds.results import LIMIT, RESULTS, list_results
from highscore.turn import begin_turn
from tests.highscore.odds.settings import LARGE, at_most
from tests.sampling import sample

FULL, ANY, ASIDE = (STANDARD_DECK.find_card(name) for name in ("total-minus5", "pairs-minus-zero", "odd-frozen"))


def in_round(card: Card, players: int, earlier: Sequence[int], order: TurnOrder = TurnOrder.CLOCKWISE) -> Game:
    shown = Dice.parse("1 1 1 1 1 1 1")
    played = tuple(runs.FinishedTurn(seat, shown, result, 1) for seat, result in enumerate(earlier))
    return Game(players, order, start_seat=0, cards=(card,), played=played)


def possible(card: Card) -> list[int]:
    """Return the results of a card that differ on the track; 0 for all that are not positive."""
    return sorted({max(0, int(result)) for result in list_results(card)})


def won(players: int, finished: Sequence[int], player: int) -> Floats:
    """Return the chip that a player of a finished round has, as the track itself says."""
    chip = track.award_chips(place_pieces(dict(enumerate(finished))), players).get(player)
    return np.array([chip is wanted for wanted in Chip], dtype=np.float64)


def played_backwards(card: Card, players: int, earlier: tuple[int, ...]) -> dict[int, Floats]:
    """Return the chances of the chips for each result of the next player, by playing the whole round out."""

    @cache
    def reply(finished: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
        worth = {result: chances((*finished, result), len(finished)) @ CHIP_POINTS for result in possible(card)}
        utility = Utility.from_vector("chips", np.array([worth.get(max(0, result), 0.0) for result in RESULTS]))
        found: dict[int, float] = dict.fromkeys(possible(card), 0.0)
        for result, chance in zip(RESULTS, solve_card(card, utility).compute_outcome(begin_turn(card)), strict=True):
            if chance:
                found[max(0, result)] += float(chance)
        return tuple(found.items())

    @cache
    def chances(finished: tuple[int, ...], player: int) -> Floats:
        if len(finished) == players:
            return won(players, finished, player)
        following = [chance * chances((*finished, result), player) for result, chance in reply(finished)]
        total: Floats = np.sum(following, axis=0)
        return total

    return {result: chances((*earlier, result), len(earlier)) for result in possible(card)}


@pytest.mark.parametrize(
    "earlier", sample([(20,), (0,), (-4,), (21, 20, 19), (20, 20, 21), (1, 1, 1), (1, 1), (12, 1, 40, 12)], 3)
)
@pytest.mark.parametrize("card", [FULL, ANY, ASIDE], ids=lambda card: card.id)
def test_the_last_player_knows_what_every_result_wins(card: Card, earlier: tuple[int, ...]) -> None:
    players = len(earlier) + 1
    found = compute_chip_chances(in_round(card, players, earlier), 0)
    for result in possible(card):
        assert found[result + LIMIT].tolist() == won(players, (*earlier, result), len(earlier)).tolist()


ROUNDS = (
    *((FULL, 2, ()), (ANY, 2, ()), (ASIDE, 2, ()), (ANY, 3, (14,)), (ASIDE, 3, (20,)), (ANY, 4, (15, 15))),
    *((FULL, 4, (1, 1)), (FULL, 5, (22, 19, 22))),
)
MORE_ROUNDS = ((FULL, 3, ()), (ANY, 3, ()), (FULL, 4, (18,)), (ANY, 4, (12,)), (ANY, 5, (12, 16)), (FULL, 5, (25, 25)))


@pytest.mark.parametrize(
    ("card", "players", "earlier"),
    sample([pytest.param(*each, id=str(each)) for each in (ROUNDS + MORE_ROUNDS if LARGE else ROUNDS)], 3),
)
def test_replies_of_later_players_equal_the_round_played_out(
    card: Card, players: int, earlier: tuple[int, ...]
) -> None:
    assert players - len(earlier) - 1 <= EXACT_LATER[card.roll_type]
    found = compute_chip_chances(in_round(card, players, earlier), 0)
    for result, expected in played_backwards(card, players, earlier).items():
        assert found[result + LIMIT] == pytest.approx(expected, abs=1e-9), result


@pytest.mark.parametrize("card", sample(STANDARD_DECK, 7), ids=lambda card: card.id)
def test_chances_are_chances(card: Card) -> None:
    for players, earlier in ((2, ()), (3, (17,)), (3, (17, 5)), (4, ()), (5, ()), (5, (9, 9, 9, 1))):
        found = compute_chip_chances(in_round(card, players, earlier), 0)
        assert (found >= 0.0).all()
        assert (found.sum(axis=1) <= 1.0 + 1e-12).all()
        assert not found[: LIMIT + 1].any()
        if players == len(earlier) + 1:
            assert (np.diff(found @ CHIP_POINTS) >= 0.0).all()


@pytest.mark.parametrize("card", sample([ANY, ASIDE], 2), ids=lambda card: card.id)
def test_the_model_of_later_players_stays_close_to_their_best_replies(card: Card) -> None:
    game = in_round(card, 3, ())
    exact, model = make_chip_utility(game, 0, near=2), make_chip_utility(game, 0, near=1)
    chances = solve_card(card, exact).compute_outcome(begin_turn(card))
    assert chances @ np.abs(exact.values - model.values) < 0.02
    by_model = solve_card(card, model).compute_outcome(begin_turn(card))
    lost = solve_card(card, exact).start - by_model @ exact.values
    assert 0.0 <= lost + 1e-12 < 0.001


@at_most(50, large=1000)
@given(st.lists(st.integers(-2, 8), max_size=5))
def test_the_front_of_the_track_is_kept_piece_by_piece(finished: list[int]) -> None:
    rows = make_rows([()])
    for count, result in enumerate(finished, start=1):
        after, rank, _ = add_piece(rows, np.array([result]))
        rows = after[:, 0]
        placements = place_pieces(dict(enumerate(finished[:count])))
        assert tuple(piece for piece in rows[0].tolist() if piece != NOBODY) == find_front(placements)
        chips = list(track.award_chips(placements, 5))
        assert rank[0, 0] == (chips.index(count - 1) if count - 1 in chips else FRONT)
