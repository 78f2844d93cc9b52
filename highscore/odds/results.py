"""The results of all rolls on a card, as an array (rules R4).

``highscore.scoring.score_dice`` explains one roll. The solver needs the results of all 792 rolls on each of 21 cards
within milliseconds. Tests check that both agree.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from highscore.cards import CHOICE_VALUES, MAX_VORTEX, TEN, Card, Scoring, VortexKind, VortexValue
from highscore.dice import DICE, Face
from highscore.odds.lattice import Ints, Lattice, build_lattice, freeze

LIMIT = DICE * MAX_VORTEX
"""No result on any card is below -LIMIT or above LIMIT."""

RESULTS = range(-LIMIT, LIMIT + 1)
"""Every possible result on any card, -210 to 210. Arrays "for each of RESULTS" have one entry for each, in this
order."""

_NUMBERS = tuple(face.value for face in Face if face is not Face.VORTEX)


def list_results(card: Card, dice: int = DICE) -> Ints:
    """Return the result of every roll of ``dice`` dice (0 to 7), in the order of the lattice. Read-only."""
    return _compute_results(card.scoring, card.vortex, dice)


@lru_cache(maxsize=256)
def _compute_results(scoring: Scoring, vortex: VortexValue, dice: int) -> Ints:
    if vortex.kind is VortexKind.CHOICE:
        return freeze(_choose_values(scoring, dice))
    faces = build_lattice()
    return freeze(_score_layer(faces, scoring, (*_NUMBERS, vortex.number), dice))


def _choose_values(scoring: Scoring, dice: int) -> Ints:
    """Return the results if each choice vortex takes its best value (R4).

    First, compute the results of all multisets of ``dice`` values from 0 to 6. The best result of a smaller multiset is
    the best one after adding any value. So a roll's result is the best result of its dice other than vortices.
    """
    values = build_lattice(len(CHOICE_VALUES))
    best = np.zeros(values.first[dice + 1], dtype=np.int64)
    best[values.find_layer(dice)] = _score_layer(values, scoring, tuple(CHOICE_VALUES), dice)
    for size in reversed(range(dice)):
        layer = values.find_layer(size)
        best[layer] = best[values.add[:, layer]].max(axis=0)
    faces = build_lattice()
    plain = [(0, *map(int, row[:-1]), 0) for row in faces.counts[faces.find_layer(dice)]]
    return best[[values.numbers[row] for row in plain]]


def _score_layer(on: Lattice, scoring: Scoring, values: tuple[int, ...], dice: int) -> Ints:
    """Return the results of all rolls of ``dice`` dice. ``values`` are the values of the faces; equal values are the
    same number (R4)."""
    counts = on.counts[on.find_layer(dice)]
    total = counts @ np.array(values, dtype=np.int64)
    counting = _sum_counting(on, scoring, values, counts, dice)
    result: Ints = 2 * counting - total if scoring.subtracts_rest else counting
    return result


def _sum_counting(on: Lattice, scoring: Scoring, values: tuple[int, ...], counts: Ints, dice: int) -> Ints:
    """Return the sum of the dice that count (R4.1 to R4.11)."""
    worth = np.array(values, dtype=np.int64)
    match scoring:
        case Scoring.ASCENDING:
            ascending: Ints = (counts * np.cumprod(counts > 0, axis=1)) @ worth
            return ascending
        case Scoring.TENS_MINUS:
            return TEN * _count_tens(on, values, dice)
    number = np.array(sorted(set(values)), dtype=np.int64)
    amounts = counts @ (worth[:, None] == number).astype(np.int64)
    match scoring:
        case Scoring.SAME | Scoring.SAME_MINUS:
            amounts = np.where(amounts > 1, amounts, 0)
        case _ if scoring.set_size:
            amounts = amounts // scoring.set_size * scoring.set_size
        case _:
            amounts = amounts * [scoring.can_count(int(value)) for value in number]
    counting: Ints = amounts @ number
    return counting


def _count_tens(on: Lattice, values: tuple[int, ...], dice: int) -> Ints:
    """Return the largest number of groups of ten in each roll (R4.4). A group of ten is dice whose sum is 10.

    First, find the multisets that consist only of groups of ten. Any other multiset has as many groups as the best of
    the multisets that it contains.
    """
    sums = on.counts @ np.array(values, dtype=np.int64)
    nothing_else = ~on.counts[:, [at for at, value in enumerate(values) if value == 0]].any(axis=1)
    single = [tuple(map(int, row)) for row in on.counts[(sums == TEN) & nothing_else] if sum(row) <= dice]
    groups = np.zeros(on.first[dice + 1], dtype=np.int64)
    whole = {(0,) * on.faces}
    for number in range(1, dice + 1):
        whole = {
            union
            for some in whole
            for group in single
            if sum(union := tuple(a + b for a, b in zip(some, group, strict=True))) <= dice
        }
        groups[[on.numbers[union] for union in whole]] = number
    for size in range(1, dice + 1):
        layer = on.find_layer(size)
        groups[layer] = np.maximum(groups[layer], groups[on.remove[:, layer]].max(axis=0))
    return groups[on.find_layer(dice)]
