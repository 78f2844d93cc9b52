"""The scorings once more, as plainly as the rulebook puts them, to compare the engine with.

Nothing here is taken from the engine: dice are characters, groups are found by trying every way to split the dice, and
a vortex of choice by trying every number for every vortex.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, product

from tests.highscore.odds.settings import LARGE

ALL_ROLLS: tuple[str, ...] = tuple(map("".join, combinations_with_replacement("12345V", 7)))
"""The 792 rolls of seven dice, whatever their order."""

TRY_ALL = 5 if LARGE else 1
"""Up to so many vortices every order of chosen values is tried; with more, every selection of them once."""


def expected(scoring: str, vortex: str, roll: str) -> int:
    """Return the result of a roll such as ``5542V11`` on a card, by brute force."""
    return max(_result(scoring, roll, values) for values in _all_values(vortex, roll))


def _all_values(vortex: str, roll: str) -> Iterator[tuple[int, ...]]:
    """Yield every way to give the dice numbers."""
    if vortex != "choice":
        yield tuple((0 if vortex == "frozen" else int(vortex)) if die == "V" else int(die) for die in roll)
        return
    vortices = roll.count("V")
    ways = (
        product(range(7), repeat=vortices) if vortices <= TRY_ALL else combinations_with_replacement(range(7), vortices)
    )
    for way in ways:
        chosen = iter(way)
        yield tuple(next(chosen) if die == "V" else int(die) for die in roll)


def _result(scoring: str, roll: str, values: tuple[int, ...]) -> int:
    if scoring == "ASCENDING":
        return _ascending(roll, values)
    counting = _counting(scoring.removesuffix("_MINUS"), tuple(sorted(values)))
    return counting - (sum(values) - counting) if scoring.endswith("_MINUS") else counting


def _ascending(roll: str, values: Sequence[int]) -> int:
    reached = ""
    for step in "12345V":
        if step not in roll:
            break
        reached += step
    return sum(value for die, value in zip(roll, values, strict=True) if die in reached)


@cache
def _counting(what: str, values: tuple[int, ...]) -> int:
    """Return the sum of the dice that count."""
    amounts = {value: values.count(value) for value in values}
    match what:
        case "TOTAL":
            return sum(values)
        case "SAME":
            return sum(value * amount for value, amount in amounts.items() if amount >= 2)
        case "PAIRS":
            return sum(value * (amount - amount % 2) for value, amount in amounts.items())
        case "TRIPLES":
            return sum(value * (amount - amount % 3) for value, amount in amounts.items())
        case "ODD":
            return sum(value for value in values if value in (1, 3, 5))
        case "VALUES_SHOWN":
            return sum(value for value in values if value in (1, 2, 3, 4))
        case "TENS":
            return 10 * most_tens(values)
        case _:
            raise KeyError(what)


def most_tens(values: Sequence[int]) -> int:
    """Return the most groups of ten in any way to split the dice into groups."""
    dice = range(len(values))
    tens = {group for group in range(1, 2 ** len(values)) if sum(values[at] for at in dice if group >> at & 1) == 10}
    return max(sum(group in tens for group in split) for split in _splits(len(values)))


@cache
def _splits(dice: int) -> tuple[tuple[int, ...], ...]:
    """Return every way to split so many dice into groups, each group as the bits of its dice: 877 ways for seven."""
    if dice == 0:
        return ((),)
    new = 1 << (dice - 1)
    found: list[tuple[int, ...]] = []
    for split in _splits(dice - 1):
        found.append((*split, new))
        found += [(*split[:at], split[at] | new, *split[at + 1 :]) for at in range(len(split))]
    return tuple(found)
