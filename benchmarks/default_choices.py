"""How good the default choice is, and how many presses it saves: ``python -m benchmarks.default_choices``.

The first part is the table in docs/odds.md. It has the exact average of each card for a player who always presses the
highlighted button (``highscore.default_choice``), for the plainest house player, and for best play.

The second part is the average number of presses in random turns of the plainest house player. It is counted in two
ways: if the player presses every die to roll again or to set aside, and if the player presses only the dice that differ
from the default choice. The press that begins a turn is included.

There is no target. The benchmark takes about a minute, half of it for each part.
"""

import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations_with_replacement
from math import floor
from statistics import fmean
from typing import NamedTuple

import numpy as np

from benchmarks.report import Arguments, Report, option, run
from highscore import STANDARD_DECK, Card, RollType, SetAside, Stop, Turn
from highscore.default_choice import find_default_choice
from highscore.dice import DICE, FACES, Face
from highscore.odds.lattice import build_lattice
from highscore.odds.policy import POINTS, Policy, cap_at, solve_card
from highscore.odds.question import read_position
from highscore.odds.results import list_results
from highscore.turn import Choice, begin_turn, make_choice, roll_dice


class Averages(NamedTuple):
    default: float
    house: float
    best: float


def compute_averages(card: Card) -> Averages:
    best, house = solve_card(card, POINTS), find_plainest_house_player(card)
    default = _compute_set_aside(card) if card.roll_type is RollType.SET_ASIDE else _compute_rolls(card)
    return Averages(default, float(house.compute_outcome(begin_turn(card)) @ POINTS.values), best.start)


def find_plainest_house_player(card: Card) -> Policy:
    return solve_card(card, cap_at(floor(solve_card(card, POINTS).start)))


def format_row(name: str, averages: Averages) -> str:
    """Return a line of the table in docs/odds.md."""
    return f"| {name} | {averages.default:.2f} | {averages.house:.2f} | {averages.best:.2f} |"


def _compute_rolls(card: Card) -> float:
    """Return the average of the default choice on a FOUR_FULL or ANY_THREE card."""
    on = build_lattice()
    full = on.find_layer(DICE)
    stays = [_find_staying(read_position(card, _write(faces))) for faces in combinations_with_replacement(FACES, DICE)]
    values = np.zeros(full.stop)
    values[full] = list_results(card)
    for _ in range(card.roll_type.max_rolls - 1):
        for size in reversed(range(DICE)):
            layer = on.find_layer(size)
            values[layer] = values[on.add[:, layer]].mean(axis=0)
        values[full] = values[stays]
    return float(on.chance[full] @ values[full])


def _compute_set_aside(card: Card) -> float:
    """Return the average of the default choice on a SET_ASIDE card."""
    on = build_lattice()
    values = np.zeros(on.first[DICE + 1])
    values[on.find_layer(DICE)] = list_results(card)
    for size in reversed(range(DICE)):
        rolls = [_write(faces) for faces in combinations_with_replacement(FACES, DICE - size)]
        for aside in combinations_with_replacement(FACES, size):
            stays = [_find_staying(read_position(card, roll, set_aside=_write(aside))) for roll in rolls]
            values[_find_number(aside)] = on.chance[on.find_layer(DICE - size)] @ values[stays]
    return float(values[0])


def _write(faces: Iterable[Face]) -> str:
    return "".join(map(str, faces))


def _find_number(faces: Iterable[Face]) -> int:
    shown = list(faces)
    return build_lattice().numbers[tuple(map(shown.count, FACES))]


def _find_staying(turn: Turn) -> int:
    """Return the number, in the lattice, of the dice that are not rolled again after the default choice."""
    after = turn if turn.to_roll or turn.over else make_choice(turn, find_default_choice(turn).choice)
    return _find_number(face for at, face in enumerate(after.dice) if at not in after.to_roll)


def count_presses(turn: Turn, choice: Choice) -> tuple[int, int]:
    """Return the number of presses for a choice if no dice are preselected, and if those of the default choice are."""
    if turn.card.roll_type is RollType.FOUR_FULL or make_choice(turn, choice).over:
        return 1, 1
    assert not isinstance(choice, Stop)
    kept = choice.positions if isinstance(choice, SetAside) else set(turn.free) - set(choice.positions)
    wanted, default = (Counter(turn.faces[at] for at in dice) for dice in (kept, find_default_choice(turn).kept))
    return len(choice.positions) + 1, ((wanted - default) + (default - wanted)).total() + 1


def play_turn(card: Card, rng: random.Random) -> tuple[int, int]:
    """Play a random turn, and return the sums of both numbers of ``count_presses``, plus the press that begins it."""
    house, turn, picked, changed = find_plainest_house_player(card), begin_turn(card), 1, 1
    while not turn.over:
        if turn.to_roll:
            turn = roll_dice(turn, rng.choices(FACES, k=len(turn.to_roll)))
        else:
            choice = house.find_best(turn).choice
            presses = count_presses(turn, choice)
            picked, changed = picked + presses[0], changed + presses[1]
            turn = make_choice(turn, choice)
    return picked, changed


def measure(options: Arguments, report: Report) -> None:
    rows = {f"`{card.id}`": compute_averages(card) for card in STANDARD_DECK}
    rows["all 21 cards"] = Averages(*map(fmean, zip(*rows.values(), strict=True)))
    print("\n".join(format_row(*row) for row in rows.items()))
    rng = random.Random(1)
    for roll_type in RollType:
        cards = [card for card in STANDARD_DECK if card.roll_type is roll_type]
        turns = [play_turn(card, rng) for card in cards for _ in range(options.turns)]
        picked, changed = map(fmean, zip(*turns, strict=True))
        report.line(f"presses of a turn, {roll_type.value}: picked, changed", f"{picked:.2f}, {changed:.2f}")


if __name__ == "__main__":
    run(__doc__, measure, option("--turns", type=int, default=1000, help="random turns on each card"))
