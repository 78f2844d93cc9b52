"""The exact value of every position of a turn, by recursion over the lattice of keeps (rules R3).

Two steps are repeated.

* *Chance*: the value of a keep is the mean over the six faces of the value of the keep with that face added, E(keep) =
  mean E(keep + face). The values are computed from the full rolls down, with 5,544 additions for seven dice.
* *Choice*: the best keep of a roll is the best of the roll itself and the best keeps of all multisets with one die
  less. The best keeps are computed from the empty keep up.

``SET_ASIDE`` does the same over 31,824 pairs (set aside, rolled).

All arrays may have a second axis, with one column for each utility. So several utilities can be solved together.

Of choices with equal value, the solver takes the one that keeps most dice, so it prefers stopping to rolling. The order
of additions changes the last bits of a value. So values are compared after rounding to multiples of the largest utility
/ 2**40. The rounded value is a whole number, and the number of the keep is put into its low bits. The largest of these
keys names the best choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from highscore.cards import Card, RollType
from highscore.dice import DICE, FACES, Face
from highscore.odds.lattice import Floats, Indices, Ints, build_lattice, freeze

_VORTEX = Face.VORTEX - 1
_NUMBER_BITS = 11
_NUMBER_MASK = (1 << _NUMBER_BITS) - 1
TIE_BITS = 40
"""Before values are compared, they are rounded to multiples of the largest utility / 2**40."""

Choices = NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The solution of all positions of a turn. Keeps and rolls are numbered as in the lattice."""

    roll_type: RollType
    dice: int
    keeps: tuple[Floats, ...]
    """FOUR_FULL, ANY_THREE: ``keeps[left][keep]`` is the value of a keep if the other dice are rolled and ``left`` more
    rolls are left after that. The last array is for the first roll, and has only the empty keep.

    SET_ASIDE: there is one array. ``keeps[0][aside]`` is the value of the dice set aside if the others are rolled.
    """
    choices: tuple[Choices, ...]
    """FOUR_FULL, ANY_THREE: ``choices[left - 1][roll]`` is the best keep of a roll with ``left`` rolls left. If it is
    the roll itself, the best choice is to stop.

    SET_ASIDE: ``choices[n][aside * rolls + roll]`` is the best multiset to have set aside before the next roll, if n
    dice are aside and the others show ``roll``. ``rolls`` is the number of different rolls of the others.
    """


def solve_plan(card: Card, dice: int, final: Floats) -> Plan:
    """Solve a turn of ``dice`` dice (1 to 7). ``final`` is the value of each roll, in the order of the lattice."""
    scale = compute_scale(final)
    if card.roll_type is RollType.SET_ASIDE:
        return _solve_set_aside(dice, card.vortex.frozen, final, scale)
    return _solve_rolls(card.roll_type, dice, card.vortex.frozen, final, scale)


_SIXTH = np.full(len(FACES), 1 / len(FACES))


@lru_cache(maxsize=DICE)
def _list_layers(dice: int) -> tuple[slice, ...]:
    return tuple(build_lattice().find_layer(size) for size in range(dice + 1))


@lru_cache(maxsize=DICE)
def _list_additions(dice: int) -> tuple[Indices, ...]:
    """Return, for 0 to ``dice`` - 1 dice, the keeps with one more die, as an array (face, keep)."""
    return tuple(freeze(np.ascontiguousarray(build_lattice().add[:, layer])) for layer in _list_layers(dice)[:-1])


@lru_cache(maxsize=2 * DICE)
def _list_removals(dice: int, vortices_stay: bool) -> tuple[Indices, ...]:
    """Return, for 1 to ``dice`` dice, each keep itself and those with one die less. Frozen vortices are never
    removed."""
    on = build_lattice()
    faces = [face for face in range(on.faces) if face != _VORTEX or not vortices_stay]
    return tuple(
        freeze(np.vstack((np.arange(layer.start, layer.stop), on.remove[faces, layer])))
        for layer in _list_layers(dice)[1:]
    )


@lru_cache(maxsize=DICE)
def _list_parents(dice: int) -> tuple[Indices, ...]:
    """Return, for 1 to ``dice`` dice, the keeps with one die less, as an array (face, keep).

    If a keep has no die of the face, the number is the one after the last keep.
    """
    on = build_lattice()
    last = on.first[dice + 1]
    return tuple(freeze(np.minimum(on.parent[:, layer], last)) for layer in _list_layers(dice)[1:])


def compute_scale(final: Floats) -> float:
    """Return the factor from values to keys. ``final`` is the value of each roll."""
    return 2.0**TIE_BITS / (float(np.abs(final).max()) or 1.0)


def make_choice_keys(values: Floats, numbers: Ints, scale: float) -> Ints:
    """Return whole numbers that sort the choices by value, and choices of equal value by the number of the keep."""
    named = numbers if values.ndim == 1 else numbers[:, None]
    return (np.rint(values * scale).astype(np.int64) << _NUMBER_BITS) + named


def _pick_values(values: Floats, numbers: Ints) -> Floats:
    return values[numbers] if values.ndim == 1 else np.take_along_axis(values, numbers, axis=0)


def _expect_keeps(rolls: Floats, dice: int) -> Floats:
    """Return the value of every keep if the other dice are rolled once, from the values of the full rolls."""
    on = build_lattice()
    values = np.empty((on.first[dice + 1], *rolls.shape[1:]))
    values[on.find_layer(dice)] = rolls
    for layer, added in zip(_list_layers(dice)[-2::-1], reversed(_list_additions(dice)), strict=True):
        around = values.take(added, axis=0)
        values[layer] = (_SIXTH @ around.reshape(on.faces, -1)).reshape(around.shape[1:])
    return values


def _find_best_keeps(keys: Ints, dice: int, vortices_stay: bool) -> Ints:
    """Return, for each roll, the largest key of all keeps in it. Overwrites ``keys``."""
    for layer, taken in zip(_list_layers(dice)[1:], _list_removals(dice, vortices_stay), strict=True):
        np.maximum.reduce(keys.take(taken, axis=0), axis=0, out=keys[layer])
    return keys[layer]


@lru_cache(maxsize=2 * DICE)
def _list_full_rerolls(dice: int, vortices_stay: bool) -> Indices:
    """Return for each roll the keep if all dice that are not frozen are rolled again (R3.1, R3.4)."""
    on = build_lattice()
    vortices = (
        on.counts[on.find_layer(dice), _VORTEX] if vortices_stay else np.zeros(on.count_multisets(dice), dtype=np.int64)
    )
    return freeze(np.array([on.numbers[(0,) * _VORTEX + (int(count),)] for count in vortices], dtype=np.intp))


def _solve_rolls(roll_type: RollType, dice: int, vortices_stay: bool, final: Floats, scale: float) -> Plan:
    on = build_lattice()
    layer, numbers = on.find_layer(dice), np.arange(on.first[dice + 1])
    rolls, keeps, choices = final, list[Floats](), list[Choices]()
    for _ in range(roll_type.max_rolls - 1):
        options = _expect_keeps(rolls, dice)
        keeps.append(options)
        # If all dice are kept, the turn is over, and its value does not depend on how many rolls are left.
        options[layer] = final
        keys = make_choice_keys(options, numbers, scale)
        if roll_type is RollType.ANY_THREE:
            best = _find_best_keeps(keys, dice, vortices_stay)
        else:
            best = np.maximum(keys[layer], keys[_list_full_rerolls(dice, vortices_stay)])
        chosen = best & _NUMBER_MASK
        rolls = _pick_values(options, chosen)
        choices.append(freeze(chosen.astype(np.int16)))
    keeps.append(np.tensordot(on.chance[layer], rolls, axes=1)[None])
    return Plan(roll_type, dice, tuple(map(freeze, keeps)), tuple(choices))


@lru_cache(maxsize=2 * DICE)
def list_set_aside_moves(dice: int, vortices_stay: bool) -> tuple[Indices, ...]:
    """Return the pair (dice aside, dice rolled) to which setting one rolled die aside leads.

    There is an array for each number of dice aside from 0 to ``dice`` - 1, indexed by the face set aside and the number
    of the pair before. Its values are numbers of pairs with one more die aside. Pairs are numbered from 0 for each
    number of dice aside: first all rolls with the first combination aside, then all with the second.

    A face that was not rolled leads to the same pair as a face that was rolled. If vortices freeze and a vortex was
    rolled, every face leads to the pair with that vortex set aside (R3.4).
    """
    on = build_lattice()
    levels = []
    for size in range(dice):
        asides, rolled = on.find_layer(size), on.find_layer(dice - size)
        has_face = on.counts[rolled].T > 0
        allowed = has_face & ~has_face[_VORTEX] if vortices_stay else has_face.copy()
        allowed[_VORTEX] = has_face[_VORTEX]
        face = np.where(allowed, np.arange(on.faces)[:, None], allowed.argmax(axis=0))
        more = on.add[:, asides] - on.first[size + 1]
        less = on.remove[:, rolled] - on.first[dice - size - 1]
        row = more[face].transpose(0, 2, 1) * on.count_multisets(dice - size - 1)
        moves = row + less[face, np.arange(face.shape[1])][:, None, :]
        levels.append(freeze(moves.reshape(on.faces, -1)))
    return tuple(levels)


def _solve_set_aside(dice: int, vortices_stay: bool, final: Floats, scale: float) -> Plan:
    on = build_lattice()
    columns = final.shape[1:]
    values = np.empty((on.first[dice + 1], *columns))
    values[on.find_layer(dice)] = final
    numbers = np.arange(on.first[dice + 1])
    best = make_choice_keys(final, numbers[on.find_layer(dice)], scale)
    choices = []
    moves = list_set_aside_moves(dice, vortices_stay)
    for size in reversed(range(dice)):
        asides, rolled = on.find_layer(size), on.find_layer(dice - size)
        pairs = (on.count_multisets(size), on.count_multisets(dice - size), *columns)
        best_moves = best.take(moves[size][0], axis=0)
        for face in range(1, on.faces):
            np.maximum(best_moves, best.take(moves[size][face], axis=0), out=best_moves)
        chosen = best_moves & _NUMBER_MASK
        worth = _pick_values(values, chosen).reshape(pairs)
        values[asides] = np.tensordot(worth, on.chance[rolled], axes=([1], [0]))
        choices.append(freeze(chosen.astype(np.int16)))
        # Pairs with one die less aside lead to these pairs by setting a die aside. After that, the rest may be rolled.
        own = np.expand_dims(make_choice_keys(values[asides], numbers[asides], scale), 1)
        best = best_moves.reshape(pairs)
        if vortices_stay:
            free_of_vortices = on.counts[rolled, _VORTEX] == 0
            best[:, free_of_vortices] = np.maximum(best[:, free_of_vortices], own)
        else:
            np.maximum(best, own, out=best)
        best = best.reshape(best_moves.shape)
    return Plan(RollType.SET_ASIDE, dice, (freeze(values),), tuple(reversed(choices)))


def follow_plan(plan: Plan, keep: int, left: int, columns: int | None = None) -> Floats:
    """Return the chance of each final roll if the dice that are not in ``keep`` are rolled, and the plan is followed.

    ``left`` is the number of rolls left after this one (unused for SET_ASIDE). ``columns`` is the number of utilities
    if the plan was solved for several; the result has as many columns.
    """
    on = build_lattice()
    width = 1 if columns is None else columns
    mass = np.zeros((on.first[plan.dice + 1], width))
    mass[keep] = 1.0
    if plan.roll_type is RollType.SET_ASIDE:
        final = _follow_set_aside(plan, keep, mass)
    else:
        final = _follow_rolls(plan, left, mass)
    return final[:, 0] if columns is None else final


def _scatter_mass(to: Choices, mass: Floats, size: int) -> Floats:
    """Return an array with ``size`` rows: for each lattice number, the sum of the chances in ``mass`` that ``to`` sends
    there.

    The columns are added up separately.
    """
    width = mass.shape[1]
    flat = to.astype(np.int64) * width + np.arange(width)
    added: Floats = np.bincount(flat.ravel(), weights=mass.ravel(), minlength=size * width).astype(
        np.float64, copy=False
    )
    return added.reshape(size, width)


def _follow_rolls(plan: Plan, left: int, mass: Floats) -> Floats:
    full = build_lattice().find_layer(plan.dice)
    final: Floats | float = 0.0
    while True:
        # The extra row at the end stays zero. Keeps without a die of a face have this row as their parent.
        reached = np.vstack((mass, np.zeros((1, mass.shape[1]))))
        for layer, parents in zip(_list_layers(plan.dice)[1:], _list_parents(plan.dice), strict=True):
            before = reached.take(parents, axis=0)
            reached[layer] += (_SIXTH @ before.reshape(len(parents), -1)).reshape(before.shape[1:])
        rolls = reached[full]
        if left == 0:
            return rolls + final
        left -= 1
        mass = _scatter_mass(plan.choices[left].reshape(len(rolls), -1), rolls, len(mass))
        final = final + mass[full]
        mass[full] = 0.0


def _follow_set_aside(plan: Plan, keep: int, mass: Floats) -> Floats:
    on = build_lattice()
    for size in range(int(on.counts[keep].sum()), plan.dice):
        asides, rolled = on.find_layer(size), on.find_layer(plan.dice - size)
        reached = mass[asides][:, None, :] * on.chance[rolled][None, :, None]
        flat = reached.reshape(-1, mass.shape[1])
        mass += _scatter_mass(plan.choices[size].reshape(len(flat), -1), flat, len(mass))
    return mass[on.find_layer(plan.dice)]


def follow_rerolls(chance: Floats, worth: Floats, rolls: int) -> Floats:
    """Return the chance of each result if all dice are rolled up to ``rolls`` times, stopping when that is best.

    This is a faster way to solve FOUR_FULL if no vortex freezes. ``chance`` is the chance of each result in one roll;
    ``worth`` has one row for each result and one column for each utility. If stopping is as good as rolling, the player
    stops, as in ``solve_plan``.
    """
    quantum = compute_scale(worth)
    stops = []
    going_on = chance @ worth
    for _ in range(rolls - 1):
        stop = np.rint(worth * quantum) >= np.rint(going_on * quantum)
        stops.append(stop)
        going_on = chance @ np.where(stop, worth, going_on)
    final = np.zeros_like(worth)
    reached = np.ones(worth.shape[1])
    for stop in reversed(stops):
        final += np.where(stop, chance[:, None] * reached, 0.0)
        reached = reached * (chance @ ~stop)
    return final + chance[:, None] * reached
