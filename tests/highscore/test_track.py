"""The track and the chips of a round (rules R1, R5, R6)."""

from hypothesis import given
from hypothesis import strategies as st

from highscore import Chip, Placement, place_pieces, track

results = st.lists(st.integers(-70, 95) | st.integers(-1, 4), max_size=5)


def placed(*scored: int) -> tuple[Placement, ...]:
    """Place pieces for results in the order of play, the first by seat 0."""
    return place_pieces(dict(enumerate(scored)))


def positions(*scored: int) -> list[int | None]:
    return [placement.position for placement in placed(*scored)]


def test_r1_the_track_has_thirty_spaces_and_chips_are_worth_three_two_one() -> None:
    assert track.LAP == 30
    assert {chip.name: chip.points for chip in Chip} == {"GOLD": 3, "SILVER": 2, "BRONZE": 1}


def test_r5_1_a_piece_is_placed_on_the_space_of_a_positive_result() -> None:
    assert positions(7, 1, 30) == [7, 1, 30]
    for placement in placed(0, -5):
        assert (placement.position, placement.space, placement.markers, placement.waiting) == (None, None, 0, False)


def test_r5_2_above_thirty_the_piece_starts_over_with_its_marker_turned() -> None:
    high, low = placed(37, 7)
    assert (high.space, high.markers) == (7, 1)
    assert (low.space, low.markers) == (7, 0), "another result, so both may stand on space 7"
    assert [(placement.space, placement.markers) for placement in placed(30, 31, 60)] == [(30, 0), (1, 1), (30, 1)]


def test_r5_2_ruling_the_track_goes_on_lap_after_lap() -> None:
    assert [(placement.space, placement.markers) for placement in placed(61, 210)] == [(1, 2), (30, 6)]


def test_r5_3_a_taken_result_goes_to_the_next_lower_free_one() -> None:
    assert positions(12, 12, 11, 12) == [12, 11, 10, 9]


def test_r5_3_who_scored_it_first_stays_ahead() -> None:
    second = placed(31, 31)[1]
    assert (second.position, second.space, second.markers) == (30, 30, 0), "the marker is left unturned"
    assert [placement.seat for placement in track.rank_placements(place_pieces({2: 20, 0: 20, 1: 20}))] == [2, 0, 1]


def test_r5_3_ruling_without_a_free_space_the_piece_waits_behind_every_placed_one() -> None:
    pieces = placed(2, 1, 2, 1, 0)
    assert [placement.position for placement in pieces] == [2, 1, None, None, None]
    assert [placement.waiting for placement in pieces] == [False, False, True, True, False]
    assert [placement.seat for placement in track.rank_placements(pieces)] == [0, 1, 2, 3], (
        "those who wait in the order of play"
    )


def test_r5_3_ruling_a_waiting_piece_can_win_a_chip() -> None:
    assert track.award_chips(placed(1, 1, 1, -3), players=4) == {0: Chip.GOLD, 1: Chip.SILVER, 2: Chip.BRONZE}


def test_r6_1_furthest_ahead_wins_gold_then_silver_then_bronze() -> None:
    assert track.award_chips(placed(7, 31, 12, 30), players=4) == {1: Chip.GOLD, 3: Chip.SILVER, 2: Chip.BRONZE}


def test_r6_2_two_players_get_gold_and_bronze() -> None:
    assert track.award_chips(placed(7, 31), players=2) == {1: Chip.GOLD, 0: Chip.BRONZE}
    assert track.award_chips(placed(-7, 31), players=2) == {1: Chip.GOLD}


def test_r6_3_chips_go_only_to_positive_results() -> None:
    for scored in ((0, 0, 0), (-1, -5, -40), ()):
        assert track.award_chips(placed(*scored), players=3) == {}
    assert track.award_chips(placed(0, 4, -2, 0, 3), players=5) == {1: Chip.GOLD, 4: Chip.SILVER}


@given(results)
def test_r5_3_pieces_stand_apart_each_on_the_highest_result_left_to_it(scored: list[int]) -> None:
    pieces = placed(*scored)
    standing = [piece.position for piece in pieces if piece.position is not None]
    assert len(set(standing)) == len(standing)
    for piece in pieces:
        assert piece.position is None or 1 <= piece.position <= piece.result
        assert piece.waiting == (piece.result > 0 and piece.position is None)
        if piece.position is not None and piece.space is not None:
            assert 1 <= piece.space <= track.LAP
            assert piece.markers * track.LAP + piece.space == piece.position
    for number, piece in enumerate(pieces):
        before = {earlier.position for earlier in pieces[:number]}
        assert set(range((piece.position or 0) + 1, piece.result + 1)) <= before
        assert track.find_position(piece.result, pieces[:number]) == piece.position
