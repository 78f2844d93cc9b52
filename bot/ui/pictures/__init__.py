"""The pictures of a table: pure functions, a small value in, a PNG out. Safe to call from any thread.

``board_png`` for a turn and a round, ``results_png`` for the standings, ``card_png`` for one challenge card, the
guide's illustrations, and ``EMOJI``: the dice, pieces and chips as application emoji. There are no words in the
pictures, only digits, so they need no language; what they show is told in words by ``alt``.
"""

from bot.ui.pictures.board import board_png
from bot.ui.pictures.views import (
    BoardView,
    DieView,
    ResultsView,
    SeatView,
    dice_views,
    game_view,
    results_view,
    round_view,
    seat_views,
    turn_view,
)

__all__ = [
    "BoardView",
    "DieView",
    "ResultsView",
    "SeatView",
    "board_png",
    "dice_views",
    "game_view",
    "results_view",
    "round_view",
    "seat_views",
    "turn_view",
]
