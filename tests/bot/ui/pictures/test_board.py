"""The board: the place of every part, in pixels."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import pytest

from bot.ui.pictures.board import (
    DICE_TOP,
    INNER_WIDTH,
    LEFT,
    SEATS_TOP,
    _empty_rows,
    _pack_band,
    _pack_plain_band,
    _podium_part,
    board_png,
    keep_card,
    warm_up,
)
from bot.ui.pictures.card import _card_part
from bot.ui.pictures.colours import (
    AMBER,
    CHIP_COLOURS,
    GOLD,
    IVORY,
    MINT,
    MUTED,
    PALE,
    PIECES,
    RIM,
    ROSE,
    SET_EDGE,
    rgb,
)
from bot.ui.pictures.dice_row import ROW_HEIGHT
from bot.ui.pictures.label import _text_part
from bot.ui.pictures.lettering import drawable_text
from bot.ui.pictures.seats import SEAT_GAP, SEAT_HEIGHT, SEATS_WIDTH, _seat_part, _slot
from bot.ui.pictures.strip import _signs_part
from bot.ui.pictures.track import (
    BOARD_HEIGHT,
    MARGIN,
    SPACE,
    SPACE_DOWN,
    TILE_HEIGHT,
    TILE_WIDTH,
    PieceView,
    _tile_part,
    _tile_part_of_one,
    space_corner,
    tile_parts,
)
from bot.ui.pictures.views import BoardView, Measure, SeatView, game_view, seat_views
from highscore import STANDARD_DECK
from highscore.deck import ROUNDS
from highscore.game import Game
from highscore.track import Chip, Placement, award_chips, place_pieces
from highscore.turn_order import TurnOrder
from tests.bot.ui.pictures.samples import FULLEST, busy_board, dice, ended_board, opened, pixels, placed
from tests.highscore.odds.settings import LARGE
from tests.hostile import NAMES

CARD = STANDARD_DECK.find_card("same-minus-zero")
drawn = cache(board_png)


def one_piece(position: int, seat: int = 0) -> BoardView:
    return BoardView(seat_views(5, [Placement(seat, position, position)]), CARD)


def space_box(space: int) -> tuple[int, int, int, int]:
    left, top = space_corner(space)
    return left, top, left + TILE_WIDTH, top + TILE_HEIGHT


def seat_box(seat: int, seats: int) -> tuple[int, int, int, int]:
    width = (SEATS_WIDTH + SEAT_GAP) // seats
    left = MARGIN + seat * width
    return left, SEATS_TOP, left + width - SEAT_GAP, SEATS_TOP + SEAT_HEIGHT


# The whole picture


def test_a_small_picture_in_the_palette_whose_corners_let_the_page_through() -> None:
    for view in (busy_board(), ended_board(), BoardView(seat_views(2, ()), CARD, to_come=(0, 1))):
        picture = opened(drawn(view))
        assert (picture.mode, picture.size) == ("P", (1040, BOARD_HEIGHT))
        assert len(drawn(view)) <= FULLEST
        seen = picture.convert("RGBA")
        for corner in ((0, 0), (1039, 0), (0, BOARD_HEIGHT - 1), (1039, BOARD_HEIGHT - 1)):
            assert seen.getpixel(corner) == (*rgb(RIM), 0)
        assert seen.getchannel("A").crop((60, 0, 979, BOARD_HEIGHT - 1)).getextrema() == (255, 255)


def test_many_threads_draw_what_one_does_with_and_without_what_is_kept() -> None:
    views = [busy_board(), ended_board(), *(one_piece(position, position % 5) for position in (1, 12, 31))]
    alone = [drawn(view) for view in views]
    assert [board_png(view) for view in views] == alone
    for kept in (
        _text_part,
        _tile_part,
        _tile_part_of_one,
        _empty_rows,
        _pack_band,
        _pack_plain_band,
        _seat_part,
        _podium_part,
    ):
        kept.cache_clear()
    warm_up()
    empty = _empty_rows().tobytes()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(board_png, views)) == alone
    assert _empty_rows().tobytes() == empty


def test_no_card_is_drawn_when_somebody_first_sees_it() -> None:
    _card_part.cache_clear()
    for card in STANDARD_DECK:
        keep_card(card)
    drawn_before = _card_part.cache_info().misses
    for card in STANDARD_DECK:
        board_png(game_view(Game(3, TurnOrder.OPEN, start_seat=1, cards=(card,))))
    assert _card_part.cache_info().misses == drawn_before == len(STANDARD_DECK)


# The track


def test_the_track_goes_around() -> None:
    corners = [space_corner(space) for space in range(1, 31)]
    assert len(set(corners)) == 30
    for (x, y), (next_x, next_y) in zip(corners, [*corners[1:], corners[0]], strict=True):
        assert (abs(x - next_x), abs(y - next_y)) in ((SPACE, 0), (0, SPACE_DOWN))
        assert 0 < x < 1040 - SPACE
        assert SEATS_TOP + SEAT_HEIGHT < y < BOARD_HEIGHT - SPACE_DOWN
    assert corners[0] == min(corners)


@pytest.mark.parametrize("position", [1, 2, 10, 11, 15, 16, 25, 26, 30, 31, 60, 61])
def test_a_piece_stands_on_its_space_and_nowhere_else(position: int) -> None:
    seat = position % 5
    png = drawn(one_piece(position, seat))
    found = {space: pixels(png, space_box(space), PIECES[seat]) for space in range(1, 31)}
    # In the middle of the piece is its number; below it may be a marker.
    assert found.pop((position - 1) % 30 + 1) > 900
    assert not any(found.values())


def test_the_marker_tells_a_lap_from_the_next() -> None:
    boards = [drawn(one_piece(position)) for position in (7, 37, 67, 97)]
    assert len(set(boards)) == 4
    assert pixels(boards[0], space_box(7), PALE) == 0
    assert 100 < pixels(boards[1], space_box(7), PALE) < pixels(boards[2], space_box(7), PALE)


@pytest.mark.parametrize("pieces", range(2, 6))
def test_different_laps_share_a_space(pieces: int) -> None:
    sharing = tuple(PieceView(seat, 7 + 30 * seat) for seat in range(pieces))
    picture = placed(tile_parts(7, sharing), TILE_WIDTH, TILE_HEIGHT)
    for seat in range(5):
        assert (pixels(picture, (0, 0, *picture.size), PIECES[seat]) > 100) is (seat < pieces)


def test_the_aim_is_an_outline_on_its_space() -> None:
    view = BoardView(seat_views(3, place_pieces({0: 12})), CARD, dice(CARD, "5554421"), on_turn=1, worth=20, aim=20)
    outline = pixels(drawn(view), space_box(20), PIECES[1])
    assert 200 < outline < pixels(drawn(one_piece(20, 1)), space_box(20), PIECES[1]) / 2


def test_the_stake_frames_the_aim_and_lies_in_the_box() -> None:
    lying = dice(CARD, "5554421")
    for stake in (None, *Chip):
        view = BoardView(seat_views(3, ()), CARD, lying, on_turn=1, worth=20, aim=20, stake=stake)
        for box in (space_box(20), seat_box(1, 3)):
            found = {chip: pixels(drawn(view), box, CHIP_COLOURS[chip][0]) > 300 for chip in Chip}
            assert found == {chip: chip is stake for chip in Chip}


def test_chips_frame_their_spaces() -> None:
    png = drawn(ended_board())
    assert pixels(png, space_box(14), CHIP_COLOURS[Chip.GOLD][0]) > 800
    assert pixels(png, space_box(7), CHIP_COLOURS[Chip.SILVER][0]) > 800
    assert pixels(png, space_box(30), CHIP_COLOURS[Chip.BRONZE][0]) > 800
    assert pixels(png, space_box(29), CHIP_COLOURS[Chip.BRONZE][0]) == 0


# Alone


def test_a_flag_stands_on_the_average_of_somebody_alone() -> None:
    alone = BoardView(seat_views(1, ()), CARD, on_turn=0, measure=Measure(13.4))
    flags = {space: pixels(board_png(alone), space_box(space), AMBER) for space in range(1, 31)}
    assert flags.pop(13) > 400
    assert not any(flags.values())
    beyond = board_png(replace(alone, measure=Measure(33.4)))
    assert pixels(beyond, space_box(3), AMBER) > 400
    assert pixels(beyond, space_box(3), PALE) > 100, "a lap has its marker"
    aimed = replace(alone, dice=dice(CARD, "5554421"), worth=13, aim=13)
    assert pixels(board_png(aimed), space_box(13), PIECES[0]) > 200


def test_ones_best_has_a_crown_beside_the_flag() -> None:
    alone = BoardView(seat_views(1, ()), CARD, on_turn=0, measure=Measure(13.4, best=25))
    crowns = {space: pixels(board_png(alone), space_box(space), IVORY) for space in range(1, 31)}
    assert crowns.pop(25) > 60
    assert not any(crowns.values())
    both = board_png(replace(alone, measure=Measure(13.4, best=13)))
    assert pixels(both, space_box(13), IVORY) > 60
    assert pixels(both, space_box(13), AMBER) > 400


def test_the_box_of_somebody_alone_has_sum_and_par_and_a_bar_for_each_card() -> None:
    cards = ((25, 18.4), (0, 16.0), (12, 20.2), (40, 20.0))
    view = BoardView(seat_views(1, ()), CARD, on_turn=0, measure=Measure(14.3, cards), round=5)
    for colour, number in ((MINT, 2), (ROSE, 1), (SET_EDGE, 1)):
        assert pixels(board_png(view), seat_box(0, 1), colour) > 200 * number
    sums = (300, SEATS_TOP, 600, SEATS_TOP + SEAT_HEIGHT)
    below = replace(view, measure=Measure(14.3, cards[:3]))
    assert [pixels(board_png(each), sums, GOLD) > 500 for each in (view, below)] == [True, False]
    assert pixels(board_png(below), sums, PALE) > 500
    assert pixels(board_png(replace(view, measure=Measure(14.3))), sums, PALE) == 0


# The strip and the seats


def test_the_strip_says_whose_turn_it_is_and_which_round() -> None:
    left, right = (0, 0, 500, SEATS_TOP), (700, 0, 1040, SEATS_TOP)
    view = BoardView(seat_views(3, ()), CARD, on_turn=1, to_come=(2, 0), round=3)
    png = board_png(view, "Ada")
    assert [pixels(png, left, piece) > 1000 for piece in PIECES[:3]] == [False, True, False]
    assert pixels(png, left, PALE) > 500
    rounds = [pixels(board_png(replace(view, round=number), "Ada"), right, MUTED) for number in range(1, 8)]
    assert rounds == sorted(set(rounds)), "a round that is over is a disc, one to come a ring"
    assert pixels(png, right, AMBER) > 1000, "the round that is played"


def test_the_strip_shows_all_who_may_take_the_dice_and_names_nobody() -> None:
    png = board_png(BoardView(seat_views(3, place_pieces({1: 12})), CARD, to_come=(0, 2)))
    found = [pixels(png, (0, 0, 700, SEATS_TOP), colour) > 1000 for colour in (*PIECES[:3], PALE)]
    assert found == [True, False, True, False]


def test_the_strip_of_a_round_that_is_over_names_who_has_won_gold() -> None:
    png = board_png(ended_board(), "Dan")
    for colour in (CHIP_COLOURS[Chip.GOLD][0], PIECES[3]):
        assert pixels(png, (0, 0, 200, SEATS_TOP), colour) > 700
    assert pixels(png, (700, 0, 1040, SEATS_TOP), AMBER) == 0


def test_no_name_leaves_its_place_in_the_strip() -> None:
    view = BoardView(seat_views(2, ()), CARD, on_turn=1, to_come=(0,))
    plain = opened(board_png(view))
    for name in [*{drawable_text(name): name for name in NAMES}.values()][:: 1 if LARGE else 4]:
        named = opened(board_png(view, name))
        for box in ((0, 0, 92, BOARD_HEIGHT), (732, 0, 1040, BOARD_HEIGHT), (0, SEATS_TOP - 4, 1040, BOARD_HEIGHT)):
            assert named.crop(box).tobytes() == plain.crop(box).tobytes()


def test_nothing_that_is_kept_has_a_name_in_it() -> None:
    view = BoardView(seat_views(2, ()), CARD, on_turn=1, to_come=(0,))
    kept = []
    for name in ("Ada", "Ben"):
        board_png(view, name)
        kept.append([each.cache_info().currsize for each in (_pack_band, _pack_plain_band, _text_part, _signs_part)])
    assert kept[0] == kept[1]


def test_a_chip_so_far_is_a_stack_as_high_as_its_points_in_the_place_of_its_round() -> None:
    chips = (None, Chip.GOLD, Chip.SILVER, None, Chip.BRONZE)
    seats = (SeatView(chips=chips), SeatView(chips=(None,) * 5))
    png = board_png(BoardView(seats, CARD, to_come=(0, 1), round=6))
    left, top, right, bottom = seat_box(0, 2)
    heights = []
    for number in range(7):
        start, end = _slot(number, right - left, ROUNDS)
        column = (left + start, top, left + end, bottom)
        heights.append(sum(pixels(png, column, face) for face, _edge in CHIP_COLOURS.values()) // (end - start))
    assert heights == [0, 18, 12, 0, 6, 0, 0]


def test_a_seat_shows_whose_turn_it_is() -> None:
    png = drawn(BoardView(seat_views(3, ()), CARD, on_turn=1, to_come=(2, 0)))
    found = [pixels(png, seat_box(seat, 3), AMBER) for seat in range(3)]
    assert found[1] > 1000
    assert found[0] == found[2] == 0


def test_a_piece_rests_at_its_seat_until_it_is_placed() -> None:
    png = drawn(BoardView(seat_views(5, place_pieces({0: 12, 1: 1, 2: 1, 3: -5})), CARD, to_come=(4,)))
    found = [pixels(png, seat_box(seat, 5), PIECES[seat]) for seat in range(5)]
    assert min(found) > 50
    # On the track; on the track; waits below space 1; not placed at all; still to play.
    assert found[4] > 1.5 * found[0]
    assert found[2] > 1.5 * found[1] > 1.5 * 50
    assert pixels(png, seat_box(2, 5), PALE) > pixels(png, seat_box(1, 5), PALE) + 300
    assert pixels(png, seat_box(3, 5), ROSE) > 50


def test_chips_have_the_room_of_the_dice_when_the_round_is_over() -> None:
    box = (LEFT, DICE_TOP, LEFT + INNER_WIDTH, DICE_TOP + ROW_HEIGHT)
    png = drawn(ended_board())
    for colour in (*(face for face, _edge in CHIP_COLOURS.values()), PIECES[3], PIECES[0], PIECES[2]):
        assert pixels(png, box, colour) > 1500
    assert pixels(png, box, PIECES[1]) == 0


def test_a_round_without_chips_and_large_results_draw() -> None:
    placements = place_pieces({0: 0, 1: -5})
    assert not award_chips(placements, 2)
    board_png(BoardView(seat_views(2, placements, {}), CARD, dice=()))
    large = [Placement(seat, 210 - seat, 210 - seat) for seat in range(5)]
    chips = {0: Chip.GOLD, 1: Chip.SILVER, 2: Chip.BRONZE}
    assert len(board_png(BoardView(seat_views(5, large, chips), CARD))) <= FULLEST


def test_another_result_is_another_picture_and_only_its_number_is_drawn_anew() -> None:
    boards = {}
    for worth in range(-9, 100):
        aim = worth if worth > 0 else None
        view = BoardView(seat_views(3, ()), CARD, dice(CARD, "5554421"), on_turn=1, worth=worth, aim=aim)
        boards[worth] = board_png(view)
        if worth == 91:
            # Every tenth space looks different, and every lap; by now all of that is kept.
            kept = (_tile_part_of_one.cache_info().misses, _seat_part.cache_info().misses)
    assert len(set(boards.values())) == len(boards)
    assert kept == (_tile_part_of_one.cache_info().misses, _seat_part.cache_info().misses)
