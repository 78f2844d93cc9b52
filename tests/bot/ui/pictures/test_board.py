from concurrent.futures import ThreadPoolExecutor
from functools import cache

from bot.ui.pictures import board, pen, track
from bot.ui.pictures.views import BoardView, seat_views
from highscore import STANDARD_DECK, Placement
from tests.bot.ui.pictures.samples import FULLEST, busy_board, ended_board, opened

CARD = STANDARD_DECK.find_card("same-minus-zero")
drawn = cache(board.board_png)


def one_piece(position: int, seat: int = 0) -> BoardView:
    return BoardView(seat_views(5, [Placement(seat, position, position)]), CARD)


def test_a_picture_is_small_and_in_the_palette() -> None:
    for view in (busy_board(), ended_board(), BoardView(seat_views(2, ()), CARD, to_come=(0, 1))):
        picture = opened(drawn(view))
        assert (picture.mode, picture.size) == ("P", (1040, track.BOARD_HEIGHT))
        assert len(drawn(view)) <= FULLEST


def test_many_threads_draw_what_one_does_with_and_without_what_is_kept() -> None:
    views = [busy_board(), ended_board(), *(one_piece(position, position % 5) for position in (1, 12, 31))]
    alone = [drawn(view) for view in views]
    assert [board.board_png(view) for view in views] == alone
    for kept in (
        pen._text_part,
        track._tile_part,
        track._tile_part_of_one,
        board._empty_rows,
        board._pack_band,
        board._pack_plain_band,
        board._seat_part,
        board._chip_part,
    ):
        kept.cache_clear()
    board.warm_up()
    empty = board._empty_rows().tobytes()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(board.board_png, views)) == alone
    assert board._empty_rows().tobytes() == empty
