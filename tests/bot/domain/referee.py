"""A small referee of cups: reads the file of a cup, works out by R9.8 what has to be in it, and names what differs.

Written from the rule and from docs/fairness.md alone. Nothing here is taken from the bot or the engine: numbers are
counted one by one, and the draws are those of the referee of games.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

from tests.highscore.referee import EARLIER, VERSION, Draws, code, joined, of_challenge, of_deck, seal_of, sha256

CARDS = 7


def differences(text: str) -> list[str]:
    """Return what an exported cup has that R9.8 does not give, in words; nothing if it is right."""
    return list(Referee(json.loads(text)).differences())


class Referee:
    """The way through one exported cup, leg by leg."""

    def __init__(self, cup: dict[str, Any]) -> None:
        self.cup = cup
        self.knockout = cup["kind"] == "knockout"
        self.earlier = cup["fairness"] == EARLIER
        self.lock: str = cup["digest" if self.earlier else "entrants_lock"]
        self.alive = [number for number, each in enumerate(cup["entrants"]) if each is not None]
        """Those who are still in a knockout; in a league everybody."""
        self.rests = dict.fromkeys(self.alive, 0)
        self.scores: dict[int, list[Fraction]] = {entrant: [] for entrant in self.alive}
        self.margins: dict[int, list[Fraction]] = {entrant: [] for entrant in self.alive}
        self.winners: list[int] | None = None

    def differences(self) -> Iterator[str]:
        cup = self.cup
        yield from differ("the format", "highscore-cup-1", cup["format"])
        if cup["fairness"] not in (VERSION, EARLIER):
            yield f"the fairness: {cup['fairness']}"
        yield from differ("the seal", seal_of(cup["fairness"], cup["cup"], cup["seed"]), cup["seal"])
        if not self.earlier:
            lock = code("cup", cup["cup"], cup["seal"], cup["kind"], str(cup["length"]), *of_deck(cup["deck"]))
            yield from differ("the lock", lock, cup["lock"])
        ids = [cup["entrants"][one]["id"] for one in self.alive]
        if None not in ids:
            entrants = sha256(*ids) if self.earlier else code("entrants", cup["lock"], *ids)
            yield from differ("the lock with the entrants", entrants, self.lock)
        for number, leg in enumerate(cup["legs"], 1):
            if self.winners is not None:
                yield f"leg {number}: the cup was over"
            for line in self.leg(number, leg):
                yield f"leg {number}: {line}"
        yield from self.end()

    def leg(self, number: int, leg: dict[str, Any]) -> Iterator[str]:
        gone = [one for one in self.alive if (self.left(one) or number + 1) <= number]
        drawn = [*leg["byes"], *(one for group in leg["groups"] for one in group["entrants"])]
        groups, byes = self.draw(number, [one for one in self.alive if one not in gone or one in drawn])
        yield from differ("the groups", groups, [group["entrants"] for group in leg["groups"]])
        yield from differ("the byes", sorted(byes), sorted(leg["byes"]))
        yield from differ("the cards", self.cards(number), leg["cards"])
        for one in byes:
            self.rests[one] += 1
        final = len(groups) == 1 and not byes
        going = list(byes)
        share: dict[int, Fraction] = {}
        for at, group in enumerate(leg["groups"]):
            here = [one for one in group["entrants"] if one not in gone]
            begun = {one: leg["results"][str(one)] for one in here if str(one) in leg["results"]}
            draws = self.group(number, at)
            yield from differ("the group's name", draws.game, group["game"])
            yield from differ("its seal", seal_of(draws.version, draws.game, draws.seed), group["seal"])
            if "first_dice" in group:
                yield from differ("the first dice", [*draws.roll(1, 0, 1)], group["first_dice"])
                for one, other in permutations(begun, 2):
                    told = group["matches"][f"{one}-{other}"]
                    yield from differ(f"{one} against {other}", match(begun[one], begun[other]), told)
            if self.knockout:
                on = self.going_on(draws, here, begun, final)
                yield from differ("goes on", on, group["go_on"])
                going += on
            else:
                for one in group["entrants"]:
                    share[one] = matchpoints(one, begun)
                    if "shares" in group:
                        yield from differ(f"the share of {one}", str(share[one]), group["shares"][str(one)])
        if self.knockout:
            self.alive = sorted(going)
            if final:
                self.winners = going
            return
        for one in self.alive:
            self.scores[one].append(share.get(one, Fraction(0)))
            attempt = [] if one in gone else leg["results"].get(str(one), [])
            points = sum(x for x in attempt if x > 0)
            self.margins[one].append(points - Fraction(leg["par"]))

    def left(self, one: int) -> int | None:
        """Return the first leg that an entrant who has left did not finish."""
        leg: int | None = self.cup["entrants"][one]["left"]
        return leg

    def draw(self, number: int, people: list[int]) -> tuple[list[list[int]], list[int]]:
        draws = Draws(self.cup["seed"], self.cup["cup"], self.lock, self.cup["opening"], self.cup["fairness"])
        many = len(people)
        order = draws.shuffle(people, many, "leg", str(number))
        if not self.knockout:
            # Groups of four while that leaves nobody over; those left over join one each, the first groups first.
            sizes = [4] * (many // 4) or [0]
            for extra in range(many - sum(sizes)):
                sizes[extra % len(sizes)] += 1
            return cut(order, sizes), []
        power = 1
        while power * 4 <= many:
            power *= 2
        if number == 1 and many <= 3 * power:
            return cut(order, [3] * (many - 2 * power) + [2] * (3 * power - many)), []
        full = 1
        while full < many:
            full *= 2
        resting: list[int] = []
        while len(resting) < full - many:
            resting.append(min((one for one in order if one not in resting), key=lambda one: self.rests[one]))
        playing = [one for one in order if one not in resting]
        return cut(playing, [2] * (len(playing) // 2)), resting

    def cards(self, number: int) -> list[str]:
        draws = of_challenge(f"cup {self.cup['cup']} {number}")
        return [line.split(":")[0] for line in draws.cards(self.cup["deck"]["cards"])]

    def group(self, number: int, at: int) -> Draws:
        """Return the draws of a group, whose seed and name follow from the cup's seed."""
        message = joined(self.cup["fairness"], self.cup["cup"], "group", str(number), str(at))
        seed = hmac.new(bytes.fromhex(self.cup["seed"]), message, hashlib.sha256).digest()
        lock = sha256("") if self.earlier else ""
        return Draws(seed.hex(), hashlib.sha256(seed).hexdigest()[:12], lock, "", self.cup["fairness"])

    def going_on(self, draws: Draws, here: list[int], begun: dict[int, list[int]], final: bool) -> list[int]:
        if len(here) <= 1:
            return here
        if len(begun) <= 1:
            return list(begun)
        merit = {}
        for one, attempt in begun.items():
            halves = 0
            for other in begun:
                if other != one:
                    won, _lost, halved = match(attempt, begun[other])
                    halves += 2 * won + halved
            merit[one] = (halves, sum(x for x in attempt if x > 0), len(attempt))
        best = [one for one in begun if merit[one] == max(merit.values())]
        if len(best) == 1 or final:
            return best
        return draws.shuffle(best, 1, "level")

    def end(self) -> Iterator[str]:
        """Compare the winners, and in a league the table."""
        cup = self.cup
        if cup["ended"]:
            yield from differ("the winners", [], cup["winners"])
            return
        staying = [one for one in self.alive if self.left(one) is None]
        if self.knockout:
            if self.winners is None and len(staying) > 1:
                yield "the cup is not over"
            won = staying if self.winners is None else self.winners
            yield from differ("the winners", sorted(won), sorted(cup["winners"]))
            return
        if len(cup["legs"]) != cup["length"] and (len(staying) > 1 or len(cup["legs"]) > cup["length"]):
            yield "the cup has too few or too many legs"
        if len(cup["legs"]) < cup["length"]:
            yield from differ("the winners", staying, cup["winners"])
            return
        sums: dict[int, tuple[Fraction, Fraction]] = {}
        for one in self.alive:
            pairs = sorted(zip(self.scores[one], self.margins[one], strict=True))
            if len(pairs) > 4:
                del pairs[0]
            sums[one] = (sum((a for a, _ in pairs), Fraction(0)), sum((b for _, b in pairs), Fraction(0)))
        table: list[list[Any]] = []
        for one in self.alive:
            ahead = [other for other in self.alive if sums[other] > sums[one]]
            table.append([len(ahead) + 1, one, str(sums[one][0]), str(sums[one][1])])
        if "table" in cup:
            yield from differ("the table", sorted(table), sorted(cup["table"]))
        first = [one for place, one, *_ in sorted(table) if place == 1]
        yield from differ("the winners", [one for one in first if sums[one][0] > 0], cup["winners"])


def match(attempt: list[int], other: list[int]) -> list[int]:
    """Return the cards won, lost and halved."""
    won = lost = halved = 0
    for card in range(CARDS):
        mine, theirs = result(attempt, card), result(other, card)
        if mine is None and theirs is None:
            continue
        if theirs is None or (mine is not None and mine > theirs):
            won += 1
        elif mine is None or theirs > mine:
            lost += 1
        else:
            halved += 1
    return [won, lost, halved]


def matchpoints(one: int, begun: dict[int, list[int]]) -> Fraction:
    """Return the percent of the points that somebody won in a league's group."""
    if one not in begun:
        return Fraction(0)
    cards = [result(begun[one], card) for card in range(CARDS)]
    points, possible, met = Fraction(0), 0, False
    for card, mine in enumerate(cards):
        for other, attempt in begun.items():
            theirs = result(attempt, card)
            if other == one or (mine is not None and theirs is None):
                continue
            possible += 1
            if mine is not None and theirs is not None:
                met = True
                points += Fraction(1) if mine > theirs else Fraction(1, 2) if mine == theirs else Fraction(0)
    if met:
        return points / possible * 100
    return Fraction(sum(60 for mine in cards if mine is not None), CARDS)


def result(results: list[int], card: int) -> int | None:
    """Return what a card counted, or None if it was not finished."""
    return max(results[card], 0) if card < len(results) else None


def cut(order: list[int], sizes: list[int]) -> list[list[int]]:
    rest = iter(order)
    return [[next(rest) for _ in range(size)] for size in sizes]


def differ(what: str, right: object, told: object) -> Iterator[str]:
    if right != told:
        yield f"{what}: {told} instead of {right}"
