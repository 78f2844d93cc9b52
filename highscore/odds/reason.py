"""Why one choice is better than another, in the few figures that people reason with."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from highscore.cards import Card
from highscore.dice import DICE, FACES, Face
from highscore.odds.lattice import Floats, build_lattice
from highscore.odds.policy import RankedChoice
from highscore.odds.results import LIMIT, list_results

MOST_AIMED_FOR = 3
"""Dice of one face that somebody hopes for at the same time."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What the dice that are rolled next are hoped to show."""

    face: Face
    dice: int
    """How many dice of that face."""
    points: int
    """How much more the dice that stay are worth with them than without."""
    chance: float
    """Of at least so many of that face in the next roll."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks for rolling on, and what against it: the best choice that does so, played on at its best."""

    now: int
    """What the dice are worth as they lie."""
    above: float
    """The chance of a final result above that."""
    below: float
    aim: Aim | None
    """None where no dice stay, or one face is of no more use than another."""


def find_reason(card: Card, now: int, going_on: RankedChoice, outcome: Floats) -> Reason:
    """The reason for or against a choice after which dice are rolled, with the chances of the results after it."""
    above, below = float(outcome[LIMIT + now + 1 :].sum()), float(outcome[: LIMIT + now].sum())
    return Reason(now, above, below, _find_aim(card, going_on.kept))


def _find_aim(card: Card, kept: tuple[Face, ...]) -> Aim | None:
    """The dice of one face that promise most: what they add times the chance that the next roll has them."""
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
    """That at least so many of the rolled dice show a certain face."""
    faces = len(FACES)
    fewer = sum(comb(rolled, number) * (faces - 1) ** (rolled - number) for number in range(dice))
    return float(1 - fewer / faces**rolled)
