"""The reason why one choice is better than another, in the few figures that people reason with."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from highscore.cards import Card
from highscore.dice import DICE, FACES, Face
from highscore.odds.lattice import Floats, build_lattice
from highscore.odds.policy import RankedChoice
from highscore.odds.results import LIMIT, list_results

MOST_AIMED_FOR = 3
"""The most dice of one face that somebody hopes for at the same time."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The faces that a player hopes for in the next roll."""

    face: Face
    dice: int
    """The number of dice of that face."""
    points: int
    """The points that these dice add to the dice that stay."""
    chance: float
    """The chance of at least so many of that face in the next roll."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The figures for and against rolling on by the best choice that does so, then playing best."""

    now: int
    """The result of the dice as they lie."""
    above: float
    """The chance of a final result above ``now``."""
    below: float
    aim: Aim | None
    """None if no dice stay, or no face is of more use than another."""


def find_reason(card: Card, now: int, going_on: RankedChoice, outcome: Floats) -> Reason:
    """Return the reason for or against a choice to roll on; ``outcome`` are the chances of the results after it."""
    above, below = float(outcome[LIMIT + now + 1 :].sum()), float(outcome[: LIMIT + now].sum())
    return Reason(now, above, below, _find_aim(card, going_on.kept))


def _find_aim(card: Card, kept: tuple[Face, ...]) -> Aim | None:
    """Return the dice of one face that add most points, each times its chance in the next roll."""
    rolled = DICE - len(kept)
    if not kept or not rolled:
        return None
    on = build_lattice()
    start = on.numbers[tuple(map(kept.count, FACES))]
    without = _find_worth(card, start, len(kept))
    best: Aim | None = None
    for face in FACES:
        number = start
        for dice in range(1, min(rolled, MOST_AIMED_FOR) + 1):
            number = int(on.add[FACES.index(face), number])
            aim = Aim(face, dice, _find_worth(card, number, len(kept) + dice) - without, _compute_chance(rolled, dice))
            if aim.points > 0 and (best is None or aim.points * aim.chance > best.points * best.chance):
                best = aim
    return best


def _find_worth(card: Card, number: int, dice: int) -> int:
    return int(list_results(card, dice)[number - build_lattice().first[dice]])


def _compute_chance(rolled: int, dice: int) -> float:
    """Return the chance that at least so many of the rolled dice show a certain face."""
    faces = len(FACES)
    fewer = sum(comb(rolled, number) * (faces - 1) ** (rolled - number) for number in range(dice))
    return float(1 - fewer / faces**rolled)
