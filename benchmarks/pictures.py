"""How fast and how small the pictures are: ``python -m benchmarks.pictures [--check] [--times N]``.

Plays random games and draws every position of them as the bot would, one picture after the other in one thread.

* ``board``: what a move costs, from a position to the bytes of the PNG, with its parts kept as in a bot that has run
  for a while;
* ``board, put together`` and ``board, packed``: the two halves of it;
* ``board, first of a process``: nothing is kept yet;
* ``standings``, and every application emoji from nothing.

Times are of the processor (median) and of the clock (median, p99); only the first does not grow when others keep the
machine busy. ``--check`` exits with 1 when a board takes more than 6 ms of the processor or more than 40 KB (medians).
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.ui.pictures import EMOJI, BoardView, board_alt, board_png, game_view, results_png, results_view, round_view
from bot.ui.pictures.board import board_picture, png
from highscore import STANDARD_DECK, Awaiting, CardRevealed, Decided, Game, Rolled, StartPlayerDrawn, TurnOrder
from highscore import apply as applied
from highscore.deck import ROUNDS
from highscore.dice import FACES
from highscore.game import legal_decisions

T = TypeVar("T")

GAMES = 6
MOST_MS = 6.0
MOST_KB = 40.0

_FIRST = """
import time
from bot.ui.pictures import BoardView, board_png, seat_views
from highscore import STANDARD_DECK
start, worked = time.perf_counter(), time.thread_time()
board_png(BoardView(seat_views(5, ()), STANDARD_DECK.cards[0]))
print(time.thread_time() - worked, time.perf_counter() - start)
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table."""

    name: str
    busy: list[float]
    """Seconds of the processor."""
    seconds: list[float]
    """Seconds of the clock."""
    sizes: list[int]

    def __str__(self) -> str:
        ordered = sorted(self.seconds)
        worst = ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))]
        waited = statistics.median(ordered) * 1000
        bytes_ = f"{statistics.median(self.sizes) / 1000:9.1f} {max(self.sizes) / 1000:9.1f}" if self.sizes else ""
        return f"{self.name:28} {len(ordered):6} {self.median:9.2f} {waited:9.2f} {worst * 1000:9.2f} {bytes_}"

    @property
    def median(self) -> float:
        """Milliseconds of the processor."""
        return statistics.median(self.busy) * 1000


def positions(players: int, draw: random.Random) -> Iterator[Game]:
    """Every position of a game in which everybody decides at random."""
    cards = draw.sample(STANDARD_DECK.cards, ROUNDS)
    game = Game(players, TurnOrder.CLOCKWISE)
    while not game.over:
        match game.awaiting:
            case Awaiting.START_PLAYER:
                game = applied(game, StartPlayerDrawn(draw.randrange(players)))
            case Awaiting.CARD:
                game = applied(game, CardRevealed(cards[len(game.finished)]))
            case Awaiting.DICE:
                assert game.turn is not None
                game = applied(game, Rolled(tuple(draw.choice(FACES) for _ in game.turn.to_roll)))
            case _:
                seat = draw.choice(game.may_act)
                game = applied(game, Decided(seat, draw.choice(legal_decisions(game, seat))))
        yield game


def measured(name: str, draw: Callable[[T], object], views: Sequence[T]) -> Line:
    """Draws each view once."""
    busy, seconds, sizes = [], [], []
    for view in views:
        start, worked = time.perf_counter(), time.thread_time()
        drawn = draw(view)
        busy.append(time.thread_time() - worked)
        seconds.append(time.perf_counter() - start)
        if isinstance(drawn, bytes):
            sizes.append(len(drawn))
    return Line(name, busy, seconds, sizes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument("--times", type=int, default=1, help="how often everything is drawn")
    asked = parser.parse_args()

    draw = random.Random(7)
    boards: list[BoardView] = []
    ends: list[Game] = []
    for number in range(GAMES):
        for game in positions(2 + number % 4, draw):
            if game.card is not None:
                boards.append(game_view(game, () if game.turn is None else game.turn.free[:2]))
        boards += map(round_view, game.finished)
        ends.append(game)
    first = [
        subprocess.run([sys.executable, "-c", _FIRST], check=True, capture_output=True, text=True).stdout.split()
        for _ in range(3)
    ]
    for view in boards:  # Now the parts are kept.
        board_picture(view)
    boards *= asked.times
    board = measured("board", board_png, boards)
    lines = [
        board,
        measured("board, put together", board_picture, boards),
        measured("board, packed", png, [board_picture(view) for view in boards[:200]]),
        Line("board, first of a process", [float(busy) for busy, _ in first], [float(all_) for _, all_ in first], []),
        measured("standings", results_png, [results_view(game) for game in ends] * 10),
        measured("emoji, each from nothing", lambda name: EMOJI[name](), list(EMOJI)),
        measured("alt text of a board", board_alt, boards),
    ]
    print(f"{'':28} {'times':>6} {'CPU ms':>9} {'median ms':>9} {'p99 ms':>9} {'median KB':>9} {'most KB':>9}")
    for line in lines:
        print(line)
    kilobytes = statistics.median(board.sizes) / 1000
    good = board.median <= MOST_MS and kilobytes <= MOST_KB
    print(f"\ntarget: a board in {MOST_MS:g} ms and {MOST_KB:g} KB (medians): {'met' if good else 'MISSED'}")
    return 1 if asked.check and not good else 0


if __name__ == "__main__":
    sys.exit(main())
