"""The board: what stands where, in pixels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from bot.ui.pictures import BoardView, DieView, board, board_png, card, colours, seat_views, track, warm_up
from highscore import STANDARD_DECK
from highscore.cards import Card, RollType
from highscore.dice import FACES, Face
from highscore.track import Chip, Placement, award, place
from highscore.turn import DieState
from tests.bot.ui.pictures.samples import CARDS, FULLEST, busy_board, dice, ended_board, opened, pixels

CARD = STANDARD_DECK.card("same-minus-zero")


def forget() -> None:
    """Throw away everything that was kept."""
    for kept in (track.tile, track.empty_track, board._die_part, board._seat_part, board._podium,
                 card._without_dots, card._dots):  # fmt: skip
        kept.cache_clear()


def one_piece(position: int, seat: int = 0, result: int | None = None) -> BoardView:
    placement = Placement(seat, position if result is None else result, position)
    return BoardView(seat_views(5, [placement]), CARD)


def space_box(space: int) -> tuple[int, int, int, int]:
    left, top = track.space_corner(space)
    return left, top, left + track.CELL - track.GAP, top + track.CELL - track.GAP


def die_box(at: int) -> tuple[int, int, int, int]:
    return board.die_left(at), board._DICE_TOP, board.die_left(at) + 110, board._DICE_TOP + board._DICE_HEIGHT


def seat_box(seat: int, seats: int) -> tuple[int, int, int, int]:
    width = (board._INNER + board._SEAT_GAP) // seats
    left = board._LEFT + seat * width
    return left, board._SEATS_TOP, left + width - board._SEAT_GAP, board._SEATS_TOP + board._SEAT_HEIGHT


# ------------------------------------------------------------------------------------------------- the whole picture


@pytest.mark.parametrize("view", [busy_board(), ended_board(), BoardView(seat_views(2, ()), CARD)])
def test_a_small_picture_in_the_palette(view: BoardView) -> None:
    png = board_png(view)
    picture = opened(png)
    assert picture.size == (board.WIDTH, board.HEIGHT) == (1040, 740)
    assert picture.mode == "P"
    assert len(png) <= FULLEST


def test_the_corners_let_the_page_through() -> None:
    picture = opened(board_png(busy_board())).convert("RGBA")
    right, bottom = picture.width - 1, picture.height - 1
    for corner in ((0, 0), (right, 0), (0, bottom), (right, bottom)):
        assert picture.getpixel(corner) == (*colours.rgb(colours.RIM), 0)
    assert picture.getchannel("A").crop((60, 0, right - 60, bottom)).getextrema() == (255, 255)


def test_the_same_view_gives_the_same_bytes_with_and_without_what_was_kept() -> None:
    before = board_png(busy_board())
    assert board_png(busy_board()) == before
    forget()
    warm_up()
    assert board_png(busy_board()) == before


def test_many_threads_draw_what_one_does() -> None:
    views = [busy_board(), ended_board(), *(one_piece(position, position % 5) for position in range(1, 9))]
    alone = [board_png(view) for view in views]
    forget()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(board_png, views)) == alone


def test_drawing_changes_nothing_that_is_kept() -> None:
    empty = track.empty_track().tobytes()
    board_png(busy_board())
    assert track.empty_track().tobytes() == empty


# -------------------------------------------------------------------------------------------------------- the track


def test_the_track_goes_around() -> None:
    corners = [track.space_corner(space) for space in range(1, 31)]
    assert len(set(corners)) == 30
    for (x, y), (next_x, next_y) in zip(corners, [*corners[1:], corners[0]], strict=True):
        assert abs(x - next_x) + abs(y - next_y) == track.CELL
    assert corners[0] == min(corners)
    for x, y in corners:
        assert 0 < x < board.WIDTH - track.CELL
        assert 0 < y < board.HEIGHT - track.CELL


@pytest.mark.parametrize("position", range(1, 62))
def test_a_piece_stands_on_its_space_and_nowhere_else(position: int) -> None:
    seat = position % 5
    png = board_png(one_piece(position, seat))
    found = {space: pixels(png, space_box(space), colours.PIECES[seat]) for space in range(1, 31)}
    # In the middle of the piece is its number; below it may be a marker.
    assert found.pop((position - 1) % 30 + 1) > 900
    assert not any(found.values())


def test_the_marker_tells_a_lap_from_the_next() -> None:
    boxes = [pixels(board_png(one_piece(position)), space_box(7), colours.PALE) for position in (7, 37, 67)]
    assert boxes[0] == 0
    assert boxes[1] > 300
    assert len({board_png(one_piece(position)) for position in (7, 37, 67, 97)}) == 4


@pytest.mark.parametrize("pieces", range(2, 6))
def test_different_laps_share_a_space(pieces: int) -> None:
    placements = [Placement(seat, 7 + 30 * seat, 7 + 30 * seat) for seat in range(pieces)]
    png = board_png(BoardView(seat_views(5, placements), CARD))
    for seat in range(5):
        assert (pixels(png, space_box(7), colours.PIECES[seat]) > 100) is (seat < pieces)


def test_the_aim_is_an_outline_on_its_space() -> None:
    view = BoardView(seat_views(3, place([(0, 12)])), CARD, dice(CARD, "5554421"), on_turn=1, worth=20, aim=20)
    outline = pixels(board_png(view), space_box(20), colours.PIECES[1])
    solid = pixels(board_png(one_piece(20, 1)), space_box(20), colours.PIECES[1])
    assert 200 < outline < solid / 2


def test_chips_frame_their_spaces() -> None:
    png = board_png(ended_board())
    assert pixels(png, space_box(14), colours.GOLD) > 800
    assert pixels(png, space_box(7), colours.SILVER) > 800
    assert pixels(png, space_box(30), colours.BRONZE) > 800
    assert pixels(png, space_box(29), colours.BRONZE) == 0


# -------------------------------------------------------------------------------------------------------- the seats


def test_a_seat_shows_whose_turn_it_is() -> None:
    view = BoardView(seat_views(3, ()), CARD, on_turn=1)
    png = board_png(view)
    found = [pixels(png, seat_box(seat, 3), colours.AMBER) for seat in range(3)]
    assert found[1] > 1000
    assert found[0] == found[2] == 0


def test_a_piece_rests_at_its_seat_until_it_is_placed() -> None:
    png = board_png(BoardView(seat_views(5, place([(0, 12), (1, 1), (2, 1), (3, -5)])), CARD))
    found = [pixels(png, seat_box(seat, 5), colours.PIECES[seat]) for seat in range(5)]
    assert min(found) > 50
    # On the track; on the track; waits below space 1; not placed at all; still to play.
    assert found[4] > 1.5 * found[0]
    assert found[2] > 1.5 * found[1] > 1.5 * 50
    assert pixels(png, seat_box(2, 5), colours.PALE) > pixels(png, seat_box(1, 5), colours.PALE) + 300
    assert pixels(png, seat_box(3, 5), colours.ROSE) > 50


def test_chips_have_the_room_of_the_dice_when_the_round_is_over() -> None:
    box = (board._LEFT, board._DICE_TOP, board._LEFT + board._INNER, board._DICE_TOP + board._DICE_HEIGHT)
    png = board_png(ended_board())
    for colour in (colours.GOLD, colours.SILVER, colours.BRONZE, *(colours.PIECES[seat] for seat in (3, 0, 2))):
        assert pixels(png, box, colour) > 1500
    assert pixels(png, box, colours.PIECES[4]) == 0
    with_dice = replace(ended_board(), dice=dice(ended_board().card, "5554421"))
    assert pixels(board_png(with_dice), seat_box(3, 5), colours.GOLD) > 300


def test_a_round_without_chips_draws() -> None:
    placements = place([(0, 0), (1, -5)])
    assert not award(placements, 2)
    board_png(BoardView(seat_views(2, placements, {}), CARD, dice=()))


# --------------------------------------------------------------------------------------------------------- the dice


@pytest.mark.parametrize("face", FACES)
def test_states_of_a_die_look_different(face: Face) -> None:
    views = [DieView(face), DieView(face, picked=True), DieView(face, DieState.SET_ASIDE), DieView(None)]
    if face is Face.VORTEX:
        views.append(DieView(face, DieState.FROZEN))
    parts = [board._die_part(view).convert("RGB").tobytes() for view in views]
    assert len(set(parts)) == len(views)


def test_each_die_is_in_its_column() -> None:
    png = board_png(busy_board())
    bodies = (colours.SET_BODY, colours.ICE, colours.SET_BODY, colours.ICE, colours.HONEY, colours.HONEY, colours.IVORY)
    for at, body in enumerate(bodies):
        assert pixels(png, die_box(at), body) > 2000
        for other in {colours.SET_BODY, colours.ICE, colours.HONEY} - {body}:
            assert pixels(png, die_box(at), other) < 100  # Edges may borrow a tone.


def test_faces_differ_in_every_state() -> None:
    for state, picked in ((DieState.FREE, False), (DieState.FREE, True), (DieState.SET_ASIDE, False)):
        assert len({board._die_part(DieView(face, state, picked)).tobytes() for face in FACES}) == 6


def test_points_are_told_by_sign_and_colour() -> None:
    below = (0, 120, 110, board._DICE_HEIGHT)
    for points, colour in ((5, colours.MINT), (-5, colours.ROSE), (0, colours.MUTED)):
        part = board._die_part(DieView(Face.FIVE, points=points)).convert("RGB").crop(below)
        assert colours.rgb(colour) in [found for _count, found in part.getcolors(999) or []]


# --------------------------------------------------------------------------------------------------------- the card


@pytest.mark.parametrize("each", CARDS, ids=lambda each: each.id)
def test_every_card_draws(each: Card) -> None:
    png = board_png(BoardView(seat_views(2, ()), each))
    left, top = board._LEFT, board._CARD_TOP
    panel = (left, top, left + 160, top + card.HEIGHT)
    right, wrong = (colours.BAD, colours.GOOD) if each.vortex_hurts else (colours.GOOD, colours.BAD)
    assert pixels(png, panel, right) > 10_000
    assert pixels(png, panel, wrong) == 0
    assert (pixels(png, panel, colours.ICE) > 300) is each.vortex.frozen
    middle = (left + 180, top, left + 590, top + card.HEIGHT)
    assert pixels(png, middle, colours.GOOD) > 3000
    assert (pixels(png, middle, colours.BAD) > 1000) is each.scoring.minus


def test_no_two_cards_look_the_same() -> None:
    assert len({card.card_picture(each).tobytes() for each in CARDS}) == len(CARDS) == 21


def test_symbols_keep_clear_of_the_edge_of_the_card() -> None:
    for each in CARDS:
        picture = card.card_picture(each).convert("RGB")
        for box in ((176, 2, 598, 8), (176, 188, 598, 196), (176, 8, 182, 196), (592, 8, 602, 196)):
            assert picture.crop(box).getcolors() == [((box[2] - box[0]) * (box[3] - box[1]), colours.rgb(colours.CARD))]


@pytest.mark.parametrize("roll_type", RollType)
def test_rolls_that_are_gone_are_hollow(roll_type: RollType) -> None:
    each = next(each for each in CARDS if each.roll_type is roll_type)
    dots = (612, 150, 770, 190)

    def ink(left: int | None) -> int:
        cut = card.card_picture(each, left).convert("RGB").crop(dots)
        return sum(count for count, found in cut.getcolors(9999) or [] if found == colours.rgb(colours.INK))

    found = [ink(left) for left in range(roll_type.max_rolls + 1)]
    assert found[0] == 0
    assert found == sorted(set(found))
    assert ink(None) == found[-1]


@pytest.mark.parametrize("vortex", ["-30", "30", "0", "frozen", "choice"])
def test_any_vortex_value_of_a_deck_file_fits(vortex: str) -> None:
    each = Card.parse(f"own: TOTAL {vortex} SET_ASIDE")
    picture = card.card_picture(each).convert("RGB")
    ground = colours.rgb(colours.BAD if each.vortex_hurts else colours.GOOD)
    assert picture.crop((2, 120, 8, 170)).getcolors() == [(300, ground)]
    assert picture.crop((164, 120, 170, 170)).getcolors() == [(300, ground)]


def test_large_results_of_a_deck_file_fit() -> None:
    placements = [Placement(seat, 210 - seat, 210 - seat) for seat in range(5)]
    chips = {0: Chip.GOLD, 1: Chip.SILVER, 2: Chip.BRONZE}
    view = BoardView(seat_views(5, placements, chips), CARD)
    assert len(board_png(view)) <= FULLEST


# ------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": seat_views(1, ())},
        {"seats": seat_views(6, ())},
        {"dice": (DieView(),) * 8},
        {"on_turn": 5},
        {"on_turn": -1},
        {"seats": tuple(reversed(seat_views(2, place([(0, 12)]))))},
    ],
)
def test_a_board_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"seat|dice|placement"):
        replace(BoardView(seat_views(5, ()), CARD), **wrong)  # type: ignore[arg-type]
