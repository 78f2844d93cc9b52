"""The pictures of a table: pure functions, a small value in, a PNG out. Safe to call from any thread.

``board_png`` for a turn and a round, ``results_png`` for the standings, ``card_png`` for one challenge card, the
guide's illustrations, and ``EMOJI``: the dice, pieces and chips as application emoji. There are no words in the
pictures, only digits, so they need no language; what they show is told in words by the functions called ``..._alt``.
"""

from bot.ui.pictures.alt import (
    MAX_ALT,
    board_alt,
    card_alt,
    marker_alt,
    piece_name,
    results_alt,
    roll_types_alt,
    scoring_alt,
    taken_alt,
)
from bot.ui.pictures.board import board_png, warm_up
from bot.ui.pictures.emoji import EMOJI, chip_emoji, die_emoji, emoji_png, piece_emoji
from bot.ui.pictures.guide import card_png, marker_png, roll_types_png, scoring_png, taken_png
from bot.ui.pictures.results import results_png
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
    "EMOJI",
    "MAX_ALT",
    "BoardView",
    "DieView",
    "ResultsView",
    "SeatView",
    "board_alt",
    "board_png",
    "card_alt",
    "card_png",
    "chip_emoji",
    "dice_views",
    "die_emoji",
    "emoji_png",
    "game_view",
    "marker_alt",
    "marker_png",
    "piece_emoji",
    "piece_name",
    "results_alt",
    "results_png",
    "results_view",
    "roll_types_alt",
    "roll_types_png",
    "round_view",
    "scoring_alt",
    "scoring_png",
    "seat_views",
    "taken_alt",
    "taken_png",
    "turn_view",
    "warm_up",
]
