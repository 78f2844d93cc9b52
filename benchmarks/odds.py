"""How fast and how good the odds are: ``python -m benchmarks.odds``.

* All 21 cards are solved in a new process on one core. Target: 0.5 s.
* Hints in random games, if the odds of the turn are already in the caches. Targets: a median of 5 ms, a 99th percentile
  of 20 ms.
* Games of four sharks, each with empty caches. Target: 0.5 s for the slowest.
* The memory of all tables after such games. Target: 50 MB.
* The chip points that a shark wins against a steady player in random rounds. Target: more than 0, with 95 % confidence.

Times are processor times, so that other work on the machine does not count. The benchmark takes about a minute.

``--model-error`` also measures how much the model of later players (docs/odds.md) loses against exact best replies, for
every card. That takes several minutes more.
"""

import os
import random
import subprocess
import sys
import time
from math import sqrt

import numpy as np

from benchmarks.games import play_on
from benchmarks.report import Arguments, Report, option, run
from highscore import STANDARD_DECK, Awaiting, Card, CardRevealed, Game, StartPlayerDrawn, TurnOrder, apply_event
from highscore.deck import ROUNDS
from highscore.house import Temperament
from highscore.odds.chips import EXACT_LATER, _compute_chances, _make_field, make_chip_utility
from highscore.odds.facts import compute_facts
from highscore.odds.hint import find_hint
from highscore.odds.policy import POINTS, aim_at_least, solve_card
from highscore.turn import begin_turn

clock = time.process_time
"""The processor time of this process."""


def measure_solutions(report: Report) -> None:
    """Measure the solution of all cards in new processes on one core, without the import of NumPy."""
    program = (
        "import time\n"
        "from highscore import STANDARD_DECK\n"
        "from highscore.odds import POINTS, solve_card\n"
        "start = time.process_time()\n"
        "for card in STANDARD_DECK: solve_card(card, POINTS).start\n"
        "print(time.process_time() - start)\n"
    )
    single = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    taken = [
        float(
            subprocess.run(
                [sys.executable, "-c", program], check=True, capture_output=True, env=os.environ | single
            ).stdout
        )
        for _ in range(5)
    ]
    report.check("all 21 cards solved, slowest of 5 processes", max(taken), 0.5, " s")


def forget() -> None:
    """Empty the caches of everything that depends on cards, tracks and goals."""
    for cached in (solve_card, _compute_chances, _make_field, compute_facts):
        cached.cache_clear()


def new_game(players: int, rng: random.Random) -> tuple[Game, list[Card]]:
    return Game(players, TurnOrder.CLOCKWISE), rng.sample(STANDARD_DECK.cards, ROUNDS)


def measure_hints(report: Report, games: int) -> None:
    """Measure hints for three goals at every choice in random games."""
    rng = random.Random(5)
    hinted: list[float] = []
    forget()
    for number in range(games):
        players = 2 + number % 4
        game, cards = new_game(players, rng)
        while not game.over:
            if game.awaiting is Awaiting.PLAYER:
                seat = game.may_act[0]
                solve_card(game.find_run(seat).card, make_chip_utility(game, seat))
            if game.awaiting is Awaiting.CHOICE:
                for goal in (None, POINTS, aim_at_least(rng.randrange(1, 36))):
                    start = clock()
                    find_hint(game, game.may_act[0], goal)
                    hinted.append(clock() - start)
            game = play_on(game, cards, [rng.choice(list(Temperament))] * players, rng)
    median, late = np.percentile(hinted, 50) * 1e3, np.percentile(hinted, 99) * 1e3
    report.check(f"median of {len(hinted):,} hints", median, 5, " ms")
    report.check("hint, 99th percentile", late, 20, " ms")


def measure_sharks(report: Report, games: int) -> None:
    """Measure games of four sharks, each with empty caches."""
    rng = random.Random(6)
    taken = []
    for _ in range(games):
        game, cards = new_game(4, rng)
        forget()
        start = clock()
        while not game.over:
            game = play_on(game, cards, [Temperament.SHARK] * 4, rng)
        taken.append(clock() - start)
    report.line(f"game of four sharks, median of {games}", f"{np.median(taken):.2f} s")
    report.check("game of four sharks, slowest", max(taken), 0.5, " s")


MEMORY_PROGRAM = """
import gc, random, tracemalloc
from benchmarks import odds
tracemalloc.start()
rng = random.Random(7)
for number in range(GAMES):
    game, cards = odds.new_game(2 + number % 4, rng)
    while not game.over:
        game = odds.play_on(game, cards, [odds.Temperament.SHARK] * game.players, rng)
for card in odds.STANDARD_DECK:
    odds.compute_facts(card)
gc.collect()
print(tracemalloc.get_traced_memory()[0])
"""


def measure_memory(report: Report, games: int) -> None:
    """Measure the memory in use after games of sharks and the facts of all cards, in a new process."""
    program = MEMORY_PROGRAM.replace("GAMES", str(games))
    used = int(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout) / 1e6
    report.check(f"memory of all tables after {games} games", used, 50, " MB")


def measure_margin(report: Report, rounds: int) -> None:
    """Measure how many more chip points than a steady player a shark wins in a round.

    Each card is played for two rounds in a row, so that the shark plays first in one of them. The deck is repeated.
    """
    rng = random.Random(11)
    margins: list[int] = []
    for number in range(rounds):
        shark = number % 2
        temperaments = [Temperament.STEADY] * 2
        temperaments[shark] = Temperament.SHARK
        game = apply_event(Game(2, TurnOrder.CLOCKWISE), StartPlayerDrawn(0))
        while not game.finished:
            game = play_on(game, [STANDARD_DECK.cards[number // 2 % len(STANDARD_DECK)]], temperaments, rng)
        chips = game.finished[0].chips
        points = [chips[seat].points if seat in chips else 0 for seat in range(2)]
        margins.append(points[shark] - points[1 - shark])
    mean, half = compute_interval(margins)
    report.line(
        f"shark minus steady, chip points a round, {rounds:,} rounds",
        f"{mean:+.4f} ± {half:.4f}",
        "above 0 (95 %)",
        mean - half > 0,
    )


def compute_interval(values: list[int]) -> tuple[float, float]:
    """Return the mean and half the width of its 95 % confidence interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, 1.96 * sqrt(variance / len(values))


def measure_model_error(report: Report) -> None:
    """Measure what the model of later players costs the first of three to five players, in chip points per round."""
    for later in (2, 3, 4):
        errors, losses = [], []
        for card in STANDARD_DECK:
            if later <= EXACT_LATER[card.roll_type]:
                continue
            game = apply_event(Game(later + 1, TurnOrder.CLOCKWISE), StartPlayerDrawn(0))
            game = apply_event(game, CardRevealed(card))
            start = clock()
            exact = make_chip_utility(game, 0, near=later)
            taken = clock() - start
            model = make_chip_utility(game, 0)
            best, by_model = solve_card(card, exact), solve_card(card, model).compute_outcome(begin_turn(card))
            errors.append(float(best.compute_outcome(begin_turn(card)) @ np.abs(exact.values - model.values)))
            losses.append(max(0.0, best.start - float(by_model @ exact.values)))
            print(f"  {later} later, {card.id:<22} value {errors[-1]:.4f}, play {losses[-1]:.5f}, exact {taken:.1f} s")
            forget()
        report.line(f"{later} later players: mean error of a value", f"{np.mean(errors):.4f} (most {max(errors):.4f})")
        report.line(f"{later} later players: chips lost by play", f"{np.mean(losses):.5f} (most {max(losses):.5f})")


def measure(options: Arguments, report: Report) -> None:
    measure_solutions(report)
    measure_hints(report, options.games)
    measure_sharks(report, options.games)
    measure_memory(report, options.games)
    if options.rounds > 1:
        measure_margin(report, options.rounds)
    if options.model_error:
        measure_model_error(report)


if __name__ == "__main__":
    run(
        __doc__,
        measure,
        option("--rounds", type=int, default=10_000, help="rounds of a shark and a steady player; 0 for none"),
        option("--games", type=int, default=20, help="games for the hints and the sharks"),
        option("--model-error", action="store_true", help="measure the model of later players, too"),
    )
