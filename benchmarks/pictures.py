"""How fast the board is drawn and how large it is: ``python -m benchmarks.pictures``.

The benchmark plays six random games and draws the board after every event, from the position to the bytes of the PNG.
As in the bot, the cached parts and the bands that did not change are used again.

Targets (medians): at most 1.2 ms of processor time and 40 KB. The benchmark takes a few seconds.

``--samples FOLDER`` writes the pictures of docs/pictures.md to a folder instead.
"""

import random
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from statistics import median

from PIL import Image

from benchmarks.games import begin_game, play_moves
from benchmarks.report import Arguments, Report, in_ms, option, run
from bot.domain.cup import CupView
from bot.domain.cup_leg import Format
from bot.ui.pictures.board import board_parts, board_png
from bot.ui.pictures.card import CARD_HEIGHT, CARD_WIDTH, card_parts
from bot.ui.pictures.cup import sign_up_png
from bot.ui.pictures.dice import EMOJI
from bot.ui.pictures.guide import roll_types_png, taken_png
from bot.ui.pictures.leaderboard import BoardLine, leaderboard_png
from bot.ui.pictures.lobby import SeatPlace, SeatState, lobby_png
from bot.ui.pictures.parts import Placed, move_parts, picture_png, to_part
from bot.ui.pictures.pen import framed_png
from bot.ui.pictures.results import results_png
from bot.ui.pictures.views import (
    BoardView,
    game_view,
    results_view,
    round_view,
    seat_views,
    turn_view,
)
from highscore import STANDARD_DECK, Game, Source, TurnOrder
from highscore.deck import ROUNDS
from highscore.track import place_pieces
from highscore.turn import parse_turn
from tests.bot.ui.cups import draw_picture, played_view

GAMES = 6
NAMES = ("Ada Lovelace", "Jürgen", "Мария", "Zoë & Max", "Σωκράτης")
CUP_NAMES = ("Ben", "Cleo", "Dan", "Eve", "Fay Wong", "Gus", "Hana", "Ivo", "Jun", "Kim", "Lea")
MOST_MS = 1.2
MOST_KB = 40.0


def positions(players: int, draw: random.Random) -> Iterator[Game]:
    """Yield every position of a random game."""
    source = Source(draw.randbytes(32), "pictures", opening=1)
    game, _events = begin_game(players, TurnOrder.CLOCKWISE, source)
    return (after for _decided, _happened, after in play_moves(game, source, draw))


def write_samples(folder: Path) -> None:
    card = STANDARD_DECK.find_card("total-frozen")
    turn = parse_turn("total-frozen | (5) [V] (4) [V] 2 1 3 | 4", STANDARD_DECK)
    placements = place_pieces({0: 37, 1: 15, 2: -5, 4: 26})
    game = next(game for game in positions(5, random.Random(8)) if game.round == ROUNDS)
    view = turn_view(card, 5, placements, turn, on_turn=3)
    samples = {
        "turn": _draw_board(replace(view, seats=seat_views(5, placements, finished=game.finished[:3]), round=4)),
        "round": _draw_board(round_view(game, 5)),
        "results": results_png(results_view(deque(positions(5, random.Random(8)), 1)[0], NAMES)),
        "cup_bracket": draw_picture(_cup(Format.KNOCKOUT, 3), 5),
        "cup_table": draw_picture(_cup(Format.LEAGUE, 6), 5),
        "leaderboard": leaderboard_png(*_leaderboard()),
        "lobby": lobby_png(_lobby()),
        "sign_up": sign_up_png("Autumn Cup", 16, list(enumerate(NAMES))),
        "roll_types": roll_types_png(),
        "taken": taken_png(),
        "cards": picture_png(to_part(_card_sheet()).tones),
        "emoji": _emoji_sheet(),
    }
    for name, picture in samples.items():
        (folder / f"{name}.png").write_bytes(picture)


def _leaderboard() -> Iterator[list[BoardLine]]:
    """Yield the first lines of a leaderboard, and those of a user further down and of the player just ahead."""
    figures = (1348, 1290, 1288, 1241, 1236)
    yield [BoardLine(at, name, str(figures[at - 1]), ((None, "24"),)) for at, name in enumerate(NAMES, 1)]
    own = BoardLine(17, "Fay Wong", "1071", ((None, "9"),), own=True, behind="−12")
    yield [BoardLine(16, "Gus", "1083", ((None, "31"),)), own]


def _lobby() -> list[SeatPlace]:
    host, guest, *_others = NAMES
    return [
        SeatPlace(SeatState.TAKEN, host, is_host=True),
        SeatPlace(SeatState.TAKEN, "Abacus", is_house=True),
        SeatPlace(SeatState.RESERVED, guest),
        *[SeatPlace()] * 2,
    ]


def _card_sheet() -> Image.Image:
    parts: list[Placed] = []
    for number, card in enumerate(STANDARD_DECK.cards[:21]):
        row, column = divmod(number, 3)
        parts += move_parts(card_parts(card), (20 + column * (CARD_WIDTH + 20), 20 + row * (CARD_HEIGHT + 20)))
    png = framed_png(3 * (CARD_WIDTH + 20) + 20, 7 * (CARD_HEIGHT + 20) + 20, parts)
    sheet = Image.open(BytesIO(png)).convert("RGBA")
    return sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS)


def _emoji_sheet() -> bytes:
    """Draw all emoji on a dark and on a light background, in the size of a message that has only emoji."""
    sheet = Image.new("RGB", (16 * 54 + 12, 8 + 4 * 58), "#313338")
    sheet.paste("#FFFFFF", (0, sheet.height // 2, sheet.width, sheet.height))
    for half in range(2):
        for number, name in enumerate(EMOJI):
            row, column = divmod(number, 16)
            emoji = Image.open(BytesIO(EMOJI[name]())).resize((48, 48), Image.Resampling.LANCZOS)
            sheet.paste(emoji, (9 + column * 54, 8 + row * 54 + half * sheet.height // 2), emoji)
    out = BytesIO()
    sheet.quantize(200, Image.Quantize.MEDIANCUT).save(out, "PNG", optimize=True)
    return out.getvalue()


def _cup(form: Format, legs: int) -> CupView:
    return played_view(16, form, legs, names=(*NAMES, *CUP_NAMES))


def _draw_board(view: BoardView) -> bytes:
    return board_png(view, NAMES[view.leader or 0])


def measure(options: Arguments, report: Report) -> None:
    if options.samples is not None:
        write_samples(options.samples)
        return
    rng = random.Random(7)
    boards: list[BoardView] = []
    for number in range(GAMES):
        for game in positions(2 + number % 4, rng):
            if game.card is not None:
                boards.append(game_view(game))
        boards += [round_view(game, number) for number in range(1, len(game.finished) + 1)]
    for view in boards:
        list(board_parts(view))  # fills the cache of parts
    seconds, sizes = [], []
    for view in boards * options.times:
        start = time.thread_time()
        drawn = _draw_board(view)
        seconds.append(time.thread_time() - start)
        sizes.append(len(drawn) / 1000)
    report.line("a board, processor: median, p99", in_ms(seconds))
    report.check("a board, processor: median", median(seconds) * 1000, MOST_MS, " ms")
    report.check("a board, size: median", median(sizes), MOST_KB, " KB")


if __name__ == "__main__":
    run(
        __doc__,
        measure,
        option("--times", type=int, default=1, help="how often each board is drawn"),
        option("--samples", type=Path, help="write sample pictures to this folder and stop"),
    )
