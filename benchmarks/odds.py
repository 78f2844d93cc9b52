"""Speed of the odds: ``python -m benchmarks.odds``.

Measures, in one run, against stated targets:

* the policies of all cards, one at a time;
* all 21 cards solved from nothing, in a fresh process on one core;
* hints in the states of played games, with the round's tables built, and building those;
* whole games of four sharks, from nothing;
* the memory of all tables after all that;
* the margin of a shark over a steady player in thrown rounds of two.

Times are processor times, so that other work on the machine does not count. ``--model-error`` measures what the model
of later players (docs/odds.md) costs against exact best replies, for every card; it takes some minutes.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from math import sqrt

import numpy as np

from benchmarks.games import play_on
from benchmarks.report import Arguments, Report, option, run
from highscore import STANDARD_DECK, Awaiting, Card, CardRevealed, Game, StartPlayerDrawn, TurnOrder
from highscore import apply_event as applied
from highscore.deck import ROUNDS
from highscore.house import Temperament
from highscore.odds.chips import EXACT_LATER, _compute_chances, _make_field, make_chip_utility
from highscore.odds.facts import compute_facts as card_facts
from highscore.odds.hint import find_hint
from highscore.odds.policy import POINTS, Policy, aim_at_least, solve_card
from highscore.turn import begin_turn

clock = time.process_time
"""Processor time of this process: what the work takes when nobody else is on the machine. The last line tells how much
longer it took by the clock on the wall."""


def best_of(run: Callable[[], object], times: int) -> float:
    """Return the seconds of the fastest of some runs: the time of the work when nobody else takes the core."""
    taken = []
    for _ in range(times):
        start = clock()
        run()
        taken.append(clock() - start)
    return min(taken)


def measure_policies(report: Report) -> None:
    each = sorted(best_of(lambda card=card: Policy(card, POINTS), 30) for card in STANDARD_DECK)  # type: ignore[misc]
    report.line("policy, seven dice: fastest, slowest card", f"{each[0] * 1e3:.2f}, {each[-1] * 1e3:.2f} ms")


def solve_from_nothing(report: Report) -> None:
    """Solve all cards in a fresh process, on one core; importing NumPy is not counted."""
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
    worst = max(taken)
    report.line("all 21 cards from nothing, worst of 5 processes", f"{worst:.3f} s", "under 0.5 s", worst < 0.5)


def forget() -> None:
    """Empty the caches that depend on cards, tracks and goals."""
    for cached in (solve_card, _compute_chances, _make_field, card_facts):
        cached.cache_clear()


def new_game(players: int, rng: random.Random) -> tuple[Game, list[Card]]:
    return Game(players, TurnOrder.CLOCKWISE), rng.sample(STANDARD_DECK.cards, ROUNDS)


def measure_hints(report: Report, games: int) -> None:
    """Measure hints for three goals in every state of played games that waits for a choice."""
    rng = random.Random(5)
    hinted: list[float] = []
    built: list[float] = []
    forget()
    for number in range(games):
        players = 2 + number % 4
        game, cards = new_game(players, rng)
        while not game.over:
            if game.awaiting is Awaiting.PLAYER:
                start = clock()
                seat = game.may_act[0]
                solve_card(game.find_run(seat).card, make_chip_utility(game, seat))
                built.append(clock() - start)
            if game.awaiting is Awaiting.CHOICE:
                for goal in (None, POINTS, aim_at_least(rng.randrange(1, 36))):
                    start = clock()
                    find_hint(game, game.may_act[0], goal)
                    hinted.append(clock() - start)
            game = play_on(game, cards, [rng.choice(list(Temperament))] * players, rng)
    median, late = np.percentile(hinted, 50) * 1e3, np.percentile(hinted, 99) * 1e3
    report.line(f"hint, {len(hinted):,} of them, median", f"{median:.2f} ms", "under 5 ms", bool(median < 5))
    report.line("hint, 99th percentile", f"{late:.2f} ms", "under 20 ms", bool(late < 20))
    spread = np.percentile(built, [50, 99, 100]) * 1e3
    report.line("building a turn's tables: median, p99, most", "{:.1f}, {:.0f}, {:.0f} ms".format(*spread))


def measure_sharks(report: Report, games: int) -> None:
    """Measure whole games of four sharks, each from empty caches."""
    rng = random.Random(6)
    taken = []
    for _ in range(games):
        game, cards = new_game(4, rng)
        forget()
        start = clock()
        while not game.over:
            game = play_on(game, cards, [Temperament.SHARK] * 4, rng)
        taken.append(clock() - start)
    taken.sort()
    report.line(
        f"game of four sharks, median of {games}", f"{taken[games // 2]:.3f} s", "under 0.5 s", taken[games // 2] < 0.5
    )
    report.line("game of four sharks, slowest", f"{taken[-1]:.3f} s", "under 0.5 s", taken[-1] < 0.5)


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
    odds.card_facts(card)
gc.collect()
print(tracemalloc.get_traced_memory()[0])
"""


def measure_memory(report: Report, games: int) -> None:
    """Measure all that is still held after some games of sharks and the facts of all cards, in a fresh process."""
    program = MEMORY_PROGRAM.replace("GAMES", str(games))
    held = int(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout) / 1e6
    report.line(f"memory of all tables after {games} games", f"{held:.1f} MB", "under 50 MB", held < 50)


def duel(report: Report, rounds: int) -> None:
    """Let a shark and a steady player throw dice, one round a card; every second round the shark plays first."""
    rng = random.Random(11)
    margins: tuple[list[int], list[int]] = ([], [])
    for number in range(rounds):
        shark = number % 2
        temperaments = [Temperament.STEADY] * 2
        temperaments[shark] = Temperament.SHARK
        game = applied(Game(2, TurnOrder.CLOCKWISE), StartPlayerDrawn(0))
        while not game.finished:
            game = play_on(game, [STANDARD_DECK.cards[number // 2 % len(STANDARD_DECK)]], temperaments, rng)
        chips = game.finished[0].chips
        points = [chips[seat].points if seat in chips else 0 for seat in range(2)]
        margins[shark].append(points[shark] - points[1 - shark])
    mean, half = interval([*margins[0], *margins[1]])
    report.line(
        f"shark minus steady, chip points a round, {rounds:,} rounds",
        f"{mean:+.4f} ± {half:.4f}",
        "above 0 (95 %)",
        mean - half > 0,
    )
    for place, name in enumerate(("first", "last")):
        mean, half = interval(margins[place])
        report.line(f"  the shark playing {name}", f"{mean:+.4f} ± {half:.4f}")


def interval(values: list[int]) -> tuple[float, float]:
    """Return the mean and half of its 95 % confidence interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, 1.96 * sqrt(variance / len(values))


def model_error(report: Report) -> None:
    """Measure the cost of the model of later players to the first of three to five, in chip points a round."""
    for later in (2, 3, 4):
        errors, losses = [], []
        for card in STANDARD_DECK:
            if later <= EXACT_LATER[card.roll_type]:
                continue
            game = applied(applied(Game(later + 1, TurnOrder.CLOCKWISE), StartPlayerDrawn(0)), CardRevealed(card))
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
    """Measure everything that the options ask for."""
    began, used = time.perf_counter(), sum(os.times()[:4])
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, {os.cpu_count()} cores")
    solve_from_nothing(report)
    measure_policies(report)
    measure_hints(report, options.games)
    measure_sharks(report, options.games)
    measure_memory(report, options.games)
    if options.rounds > 1:
        duel(report, options.rounds)
    if options.model_error:
        model_error(report)
    ratio = (time.perf_counter() - began) / (sum(os.times()[:4]) - used)
    report.line("the clock on the wall ran faster by a factor of", f"{ratio:.1f}")


if __name__ == "__main__":
    run(
        __doc__,
        measure,
        option("--rounds", type=int, default=10_000, help="rounds between shark and steady; 0 for none"),
        option("--games", type=int, default=20, help="games for hints and sharks"),
        option("--model-error", action="store_true", help="measure the model of later players; minutes"),
    )
