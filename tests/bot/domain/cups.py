"""Cups that were never played: attempts by chance, people who leave by chance, and the export a referee reads."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.domain.cup_draw import Contest, Draw, Format, draw_leg, list_winners, make_table
from bot.domain.cup_leg import (
    Group,
    Leg,
    Played,
    decide_group,
    name_cards,
    play_match,
    share_of,
)
from highscore.deck import STANDARD_DECK
from highscore.fairness import hash_words

PAR = 110.25
SEED = bytes(range(32))


def cup_of(entrants: int, form: Format = Format.KNOCKOUT, length: int = 7, seed: bytes = SEED) -> Contest:
    words = [str(1000 + entrant) for entrant in range(entrants)]
    return Contest("0123456789ab", form, entrants, seed, hash_words(words), 1424242424242424242, length)


def leg_of(
    *groups: Sequence[int],
    played: Mapping[int, Played],
    byes: Sequence[int] = (),
    left: Collection[int] = (),
    number: int = 1,
    par: float = PAR,
) -> Leg:
    """Return a closed leg, each group with a seed of its own."""
    made = (
        Group(f"{number:06x}{at:06x}", tuple(each), name_cards("0123456789ab", number), bytes([number, at] * 16))
        for at, each in enumerate(groups)
    )
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
        return Played(results, chance.choice([0.0, 0.0004, 0.0006, 2.5, chance.random()]))

    def leavers(self, there: Collection[int]) -> set[int]:
        return {entrant for entrant in there if self.chance.random() < self.leaving}


@dataclass
class PlayedCup:
    """A cup played to its end."""

    cup: Contest
    legs: list[Leg] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    gone: list[frozenset[int]] = field(default_factory=list)
    """Those who had left before each leg's draw."""
    left: set[int] = field(default_factory=set)


def play_cup(cup: Contest, chance: Chance) -> PlayedCup:
    """Play a cup leg by leg until nothing more is drawn."""
    done = PlayedCup(cup)
    while (draw := draw_leg(cup, done.legs, done.left)) is not None:
        done.draws.append(draw)
        done.gone.append(frozenset(done.left))
        playing = [entrant for group in draw.groups for entrant in group]
        played = {entrant: attempt for entrant in playing if (attempt := chance.attempt()) is not None}
        done.left |= chance.leavers(range(cup.entrants))
        par = chance.chance.choice([PAR, 98.3, 104.7])
        number = len(done.legs) + 1
        leg = leg_of(*draw.groups, played=played, byes=draw.byes, left=done.left, number=number, par=par)
        done.legs.append(leg)
        last = leg.final if cup.format is Format.KNOCKOUT else number == cup.length
        done.left |= set() if last else chance.leavers(range(cup.entrants))  # between two legs
    return done


def export_cup(done: PlayedCup) -> str:
    """Return everything of a cup as text: what was drawn, what was played, and what came of it."""
    cup = done.cup
    table = make_table(cup, done.legs, done.left) if cup.format is Format.LEAGUE else ()
    document: dict[str, Any] = {
        "id": cup.id,
        "format": cup.format.value,
        "length": cup.length,
        "seed": cup.seed.hex(),
        "seal": cup.source.seal,
        "entrants": [str(1000 + entrant) for entrant in range(cup.entrants)],
        "digest": cup.digest,
        "opening": str(cup.opening),
        "deck": [card.id for card in STANDARD_DECK],
        "legs": [
            _export_leg(cup, number, leg, gone)
            for number, (leg, gone) in enumerate(zip(done.legs, done.gone, strict=True), 1)
        ],
        "left": sorted(done.left),
        "table": [[line.place, line.entrant, str(line.total), str(line.over_par)] for line in table],
        "winners": list(list_winners(cup, done.legs, done.left)),
    }
    return json.dumps(document)


def _export_leg(cup: Contest, number: int, leg: Leg, gone: Collection[int]) -> dict[str, Any]:
    cards = {tuple(card.id for card in group.source.draw_cards(STANDARD_DECK)) for group in leg.groups}
    assert len(cards) == 1, "all groups of a leg have the same cards"
    return {
        "par": leg.par,
        "gone": sorted(gone),
        "left": sorted(leg.left),
        "byes": list(leg.byes),
        "cards": list(*cards),
        "attempts": {
            str(entrant): {"results": list(each.results), "given_away": each.given_away}
            for entrant, each in leg.played.items()
        },
        "groups": [_export_group(cup, group, leg) for group in leg.groups],
    }


def _export_group(cup: Contest, group: Group, leg: Leg) -> dict[str, Any]:
    attempts = {one: attempt for one in group.entrants if (attempt := leg.attempt_of(one)) is not None}
    told: dict[str, Any] = (
        {"go_on": list(decide_group(group, leg).on)}
        if cup.format is Format.KNOCKOUT
        else {"shares": {str(one): str(share_of(one, leg)) for one in group.entrants}}
    )
    return {
        "id": group.id,
        "seed": group.seed.hex(),
        "entrants": list(group.entrants),
        "first_dice": [face.value for face in group.source.draw_faces(1, 0, 1)],
        "matches": {
            f"{one}-{other}": list(play_match(attempt, attempts[other]))
            for one, attempt in attempts.items()
            for other in attempts
            if other != one
        },
        **told,
    }
