"""Cups that were never played: attempts by chance, people who leave by chance, and the export a referee reads."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.domain.cup import Entrant
from bot.domain.cup_leg import (
    Contest,
    Format,
    Group,
    Leg,
    Played,
    compare_attempts,
    draw_leg,
    list_winners,
    lock_cup,
    lock_entrants,
    make_table,
    share_of,
)
from bot.domain.cup_proof import CupProof, format_cup
from highscore import deck, fairness

PAR = 110.25
SEED = bytes(range(32))


def cup_of(
    entrants: int, form: Format = Format.KNOCKOUT, length: int = 7, seed: bytes = SEED, version: str = fairness.VERSION
) -> Contest:
    numbers, legs = tuple(range(entrants)), length if form is Format.LEAGUE else 0
    lock = lock_cup(fairness.Source(seed, "0123456789ab", version=version), form, legs, deck.STANDARD_DECK)
    digest = lock_entrants(lock, [str(1000 + entrant) for entrant in numbers])
    return Contest("0123456789ab", form, numbers, seed, digest, 1424242424242424242, legs)


def leg_of(
    *groups: Sequence[int],
    played: Mapping[int, Played],
    byes: Sequence[int] = (),
    left: Collection[int] = (),
    number: int = 1,
    par: float = PAR,
    cup: Contest | None = None,
) -> Leg:
    """Return a closed leg, each group with the seed that follows from that of a cup."""
    cup = cup or cup_of(0)
    made = (cup.make_group(number, at, tuple(each)) for at, each in enumerate(groups))
    return Leg(tuple(made), tuple(byes), dict(played), frozenset(left), par)


@dataclass
class Chance:
    """Chance that decides who comes, how well they play, and who leaves; ties are frequent."""

    chance: random.Random
    coming: float
    """The share of attempts that are begun."""
    leaving: float
    """The share of people who leave in a leg, or before it."""
    highest: int
    """The highest result."""
    whole: float
    """The share of attempts that are finished."""

    @classmethod
    def seeded(cls, number: int) -> Chance:
        chance = random.Random(number)
        coming, leaving = chance.choice([1.0, 0.95, 0.7, 0.3]), chance.choice([0.0, 0.0, 0.03, 0.2])
        return cls(chance, coming, leaving, chance.choice([1, 3, 30]), chance.choice([1.0, 0.8, 0.3]))

    def attempt(self) -> Played | None:
        chance = self.chance
        if chance.random() >= self.coming:
            return None
        cards = 7 if chance.random() < self.whole else chance.randrange(7)
        results = tuple(chance.randint(-2, self.highest) for _ in range(cards))
        return Played(results)

    def leavers(self, there: Collection[int]) -> set[int]:
        return {entrant for entrant in there if self.chance.random() < self.leaving}


@dataclass
class PlayedCup:
    cup: Contest
    legs: list[Leg] = field(default_factory=list)
    gone: list[frozenset[int]] = field(default_factory=list)
    """Those who had left before each leg's draw."""
    left: set[int] = field(default_factory=set)


def play_cup(cup: Contest, chance: Chance) -> PlayedCup:
    done = PlayedCup(cup)
    while (draw := draw_leg(cup, done.legs, done.left)) is not None:
        playing = [entrant for group in draw.groups for entrant in group]
        assert not {*playing, *draw.byes} & done.left
        done.gone.append(frozenset(done.left))
        played = {entrant: attempt for entrant in playing if (attempt := chance.attempt()) is not None}
        done.left |= chance.leavers(cup.entrants)
        par = chance.chance.choice([PAR, 98.3, 104.7])
        number = len(done.legs) + 1
        leg = leg_of(*draw.groups, played=played, byes=draw.byes, left=done.left, number=number, par=par, cup=cup)
        done.legs.append(leg)
        done.left |= chance.leavers(cup.entrants)  # after it is closed
    return done


def record_played(done: PlayedCup) -> CupProof:
    cup = done.cup
    won, left = list_winners(cup, done.legs, done.left), dict.fromkeys(done.left, len(done.legs) + 1)
    for number, leg in reversed([*enumerate(done.legs, 1)]):
        left |= dict.fromkeys(leg.left, number)
    entrants = tuple(Entrant(1000 + one, f"Player {one}", left.get(one), won=one in won) for one in cup.entrants)
    return CupProof(cup, "Cup", deck.STANDARD_DECK, entrants, tuple(done.legs), ended=False)


def export_cup(record: CupProof) -> str:
    """Return the file of a cup, with what else the bot works out of it: dice, matches, shares, the table."""
    cup, document = record.contest, json.loads(format_cup(record))
    for leg, told in zip(record.legs, document["legs"], strict=True):
        for group, more in zip(leg.groups, told["groups"], strict=True):
            more |= _work_out(cup, group, leg)
    if cup.format is Format.LEAGUE:
        table = make_table(cup, record.legs)
        document["table"] = [[line.place, line.entrant, str(line.total), str(line.over_par)] for line in table]
    return json.dumps(document)


def _work_out(cup: Contest, group: Group, leg: Leg) -> dict[str, Any]:
    attempts = leg.attempts_in(group)
    return {
        "first_dice": [str(face) for face in group.source.draw_faces(1, 0, 1)],
        "matches": {
            f"{one}-{other}": list(compare_attempts(attempt, attempts[other]))
            for one, attempt in attempts.items()
            for other in attempts
            if other != one
        },
        **(
            {"shares": {str(one): str(share_of(one, leg)) for one in group.entrants}}
            if cup.format is Format.LEAGUE
            else {}
        ),
    }
