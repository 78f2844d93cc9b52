"""What players of five kinds lose per decision: ``python -m benchmarks.grades``.

The benchmark prints the table in docs/odds.md, from which the bounds of the grades in ``highscore.odds.grades`` follow:
a bound is about the geometric mean of the medians on both sides of it. Players who err choose at random among the
choices that lose at most a certain number of points on average.

There is a part for games round by round, one for games in own pace, and one for players who play alone. After the table
of each part, the benchmark prints the standard deviation of a player's luck in a game, and how many players get each
word for their luck.

Two to five players of random kinds play together. There is no target. The benchmark takes about ten minutes.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import inf
from statistics import median, pstdev

from benchmarks.games import begin_game
from benchmarks.report import Arguments, Report, option, run
from highscore import STANDARD_DECK, Decided, Game, Source, TakeDice, TurnOrder, play_event
from highscore.events import Decision
from highscore.house import Temperament, choose_decision
from highscore.odds import analysis
from highscore.odds.grades import GRADES, choose_scale
from highscore.odds.policy import POINTS, solve_card

KINDS: dict[str, Temperament | float] = {
    "Abacus": Temperament.STEADY,
    "Pebble": Temperament.CAUTIOUS,
    "errs by up to 3 points": 3.0,
    "errs by up to 6 points": 6.0,
    "random": inf,
}
PLAYED = {
    "round by round": (TurnOrder.CLOCKWISE, (2, 3, 4, 5)),
    "own pace": (TurnOrder.OWN_PACE, (2, 3, 4, 5)),
    "alone": (TurnOrder.OWN_PACE, (1,)),
}


def choose(game: Game, seat: int, kind: Temperament | float, draw: random.Random) -> Decision:
    turn = game.find_run(seat).turn
    if turn is None:
        return TakeDice()
    if isinstance(kind, Temperament):
        return choose_decision(game, seat, kind)
    return draw.choice([each.choice for each in solve_card(turn.card, POINTS).rank_choices(turn) if each.loss <= kind])


def play(kinds: Sequence[str], order: TurnOrder, draw: random.Random) -> tuple[Game, analysis.Report]:
    source = Source(draw.randbytes(32), "grades")
    game, happened = begin_game(len(kinds), order, source)
    events = [*happened]
    while not game.over:
        seat = game.may_act[0]
        decided = Decided(seat, choose(game, seat, KINDS[kinds[seat]], draw))
        game, happened = play_event(game, decided, source, STANDARD_DECK)
        events += happened
    return game, analysis.analyse_game(len(kinds), order, events)


def measure(options: Arguments, report: Report) -> None:
    draw = random.Random(options.seed)
    for name, (order, sizes) in PLAYED.items():
        lost, lucks, words = defaultdict[str, list[float]](list), list[float](), Counter[int]()
        grades = defaultdict[str, Counter[str | None]](Counter)
        for number in range(options.games):
            kinds = draw.sample(list(KINDS), sizes[number % len(sizes)])
            game, made = play(kinds, order, draw)
            scale = choose_scale(game)
            for kind, player in zip(kinds, made.players, strict=True):
                lost[kind].append(player.per_decision or 0.0)
                grades[kind][scale.grade(player)] += 1
                lucks.append(player.luck)
                words[scale.rate_luck(player.luck)] += 1
        for kind in KINDS:
            shares = " | ".join(f"{grades[kind][grade] / len(lost[kind]):.0%}" for grade in GRADES)
            print(f"| {name}, {kind} | {median(lost[kind]):.3f} | {shares} |")
        report.line(f"{name}: standard deviation of luck", f"{pstdev(lucks):.2f}")
        report.line("luck from -2 to 2", " ".join(f"{words[step] / len(lucks):.0%}" for step in range(-2, 3)))


if __name__ == "__main__":
    run(__doc__, measure, option("--games", type=int, default=400), option("--seed", type=int, default=1))
