"""A stranger's check of a proof file, written from docs/fairness.md and docs/rules.md alone.

Nothing here is taken from the engine; the scorings are the plain ones of ``reference``.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.highscore.reference import expected

VERSION, EARLIER = "highscore-fair-2", "highscore-fair-1"
CHIPS = {"gold": 3, "silver": 2, "bronze": 1}
Thing = TypeVar("Thing")


class Wrong(Exception):
    """The file does not hold what it says."""


def joined(*texts: str) -> bytes:
    return b"".join(str(len(text.encode())).encode() + b":" + text.encode() for text in texts)


def sha256(*texts: str) -> str:
    return hashlib.sha256(joined(*texts)).hexdigest()


def code(*texts: str) -> str:
    """Return the first 160 bits of a hash, five bits a sign."""
    bits = int(sha256(VERSION, *texts)[:40], 16)
    return "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[bits >> 5 * at & 31] for at in reversed(range(32)))


def of_deck(deck: dict[str, Any]) -> list[str]:
    return [deck["name"], str(len(deck["cards"])), *deck["cards"]]


def seal_of(version: str, game: str, seed: str) -> str:
    return sha256(EARLIER, game, seed) if version == EARLIER else code("seal", game, seed)


def lock_of(file: dict[str, Any]) -> str:
    """Return the lock of a file, or the digest of an earlier one."""
    seats = [(player.get("id"), player["lucky_word"]) for player in file["players"]]
    if file["fairness"] == EARLIER:
        return sha256(*(word for _id, word in seats))
    if file.get("day"):
        return code("challenge", file["game"], file["seal"], file["day"], *of_deck(file["deck"]))
    fixed = file["game"], file["seal"], file["turn_order"], *of_deck(file["deck"])
    return code("game", *fixed, *(text or "" for seat in seats for text in seat))


@dataclass(frozen=True)
class Draws:
    seed: str
    game: str
    lock: str
    opening: str
    version: str = VERSION

    def below(self, limit: int, *what: str) -> Iterator[int]:
        for block in range(100):
            message = joined(self.version, self.game, self.lock, self.opening, *what, str(block))
            for byte in hmac.new(bytes.fromhex(self.seed), message, hashlib.sha256).digest():
                if byte < 256 - 256 % limit:
                    yield byte % limit

    def cards(self, deck: Sequence[str]) -> list[str]:
        return self.shuffle(deck, 7, "deck")

    def shuffle(self, things: Sequence[Thing], steps: int, *what: str) -> list[Thing]:
        found = [*things]
        for step in range(steps):
            other = step + next(self.below(len(found) - step, *what, str(step)))
            found[step], found[other] = found[other], found[step]
        return found[:steps]

    def roll(self, *what: int) -> str:
        numbers = self.below(6, *map(str, what))
        return "".join("12345V"[next(numbers)] for _place in range(7))


def of_challenge(day: str) -> Draws:
    """Return the draws of the cards of a challenge."""
    name = f"highscore-daily-1 {day}"
    return Draws(hashlib.sha256(name.encode()).hexdigest(), name, sha256(), "", EARLIER)


@dataclass
class Seat:
    results: list[int] = field(default_factory=list)
    playing: bool = False
    rolls: int = 0
    faces: list[str] = field(default_factory=lambda: [""] * 7)
    aside: set[int] = field(default_factory=set)
    froze: bool = False
    rolling: list[int] = field(default_factory=list)

    @property
    def free(self) -> list[int]:
        return [at for at in range(7) if at not in self.aside]


class Referee:
    """Follows the events of a file."""

    def __init__(self, file: dict[str, Any]) -> None:
        version = file["fairness"]
        if file["format"] != "highscore-game-1" or version not in (VERSION, EARLIER):
            raise Wrong("another format")
        self.order, self.day = file["turn_order"], file.get("day")
        words = [player["lucky_word"] for player in file["players"]]
        if file["seal"] != seal_of(version, file["game"], file["seed"]):
            raise Wrong("the seal")
        lock = file.get("words_digest" if version == EARLIER else "lock") or ""
        keys = {"name", "lucky_word"} if version == EARLIER else {"id", "name", "lucky_word"}
        known = [player.get("id") is not None for player in file["players"]]
        if any(set(player) != keys for player in file["players"]) or len(set(known)) > 1:
            raise Wrong("the players")
        self.seat = file.get("seat")
        alone = self.day or self.seat is not None
        if alone and (self.order, len(words)) != ("own_pace", 1):
            raise Wrong("the challenge")
        deleted = not any(words) and not any(known)
        if lock != lock_of(file) and (self.day or not deleted) and self.seat is None:
            raise Wrong("the lock")
        if self.day:
            lock = sha256("") if version == EARLIER else ""
        self.draws = Draws(file["seed"], file["game"], lock, file["opening"] or "", version)
        self.cards = (of_challenge(self.day) if self.day else self.draws).cards(file["deck"]["cards"])
        self.seats = {number: Seat() for number in range(len(words))}
        self.players = len(words)
        self.start: int | None = None
        self.up = 0
        self.ended: list[int] = []  # the seats of this round, as their turns ended
        self.rounds: list[list[tuple[int, int, int | None, str]]] = []
        self.given_up = False
        for line in file["events"]:
            self.follow(line)
        if (self.due() and file["events"]) or not (alone or self.given_up or len(self.rounds) == 7):
            raise Wrong("the events stop in the middle")

    def follow(self, line: str) -> None:
        word, *rest = line.split()
        if word == "remark":
            return
        if self.given_up or len(self.rounds) == 7:
            raise Wrong("it goes on after its end")
        if word == "abandoned":
            self.given_up = True
        elif word == "left-out":
            self.leave_out(int(rest[0]))
        elif due := self.due():
            if line != due:
                raise Wrong(f"{due} is due, not {line}")
            self.draw(word, rest)
        elif word in map(str, self.seats):
            self.decide(int(word), *(part for part in rest if part != "house"))
        else:
            raise Wrong(f"{line} is not due")

    def due(self) -> str | None:
        """Return the thing that has to be drawn next."""
        if self.given_up or len(self.rounds) == 7:
            return None
        if self.start is None:
            return f"start {next(self.draws.below(self.players, 'start'))}"
        for number, seat in self.seats.items():
            if seat.rolling:
                place = number if self.seat is None else self.seat
                faces = self.draws.roll(len(seat.results) + 1, place, seat.rolls + 1)
                return " ".join(["rolled", *(faces[at] for at in seat.rolling)])
        furthest = max(len(seat.results) for seat in self.seats.values())
        needed = furthest + 1 if self.order == "own_pace" else len(self.rounds) + 1
        return f"card {self.cards[self.up]}" if self.up < min(needed, 7) else None

    def draw(self, word: str, rest: list[str]) -> None:
        if word == "start":
            self.start = int(rest[0])
        elif word == "card":
            self.up += 1
        else:
            number, seat = next((number, seat) for number, seat in self.seats.items() if seat.rolling)
            vortex, roll_type = self.cards[len(seat.results)].split()[2:]
            frozen = {at for at, face in zip(seat.rolling, rest, strict=True) if face == "V" and vortex == "frozen"}
            for at, face in zip(seat.rolling, rest, strict=True):
                seat.faces[at] = face
            seat.aside |= frozen
            seat.rolling, seat.rolls = [], seat.rolls + 1
            last = seat.rolls == {"FOUR_FULL": 4, "ANY_THREE": 3}.get(roll_type)
            single = roll_type == "SET_ASIDE" and len(seat.free) == 1 and not frozen
            if last or single or not seat.free:
                self.end_turn(number, seat)
            seat.froze = bool(frozen)

    def decide(self, number: int, verb: str, *places: str) -> None:
        seat = self.seats[number]
        if verb == "take":
            if number not in self.may_take():
                raise Wrong(f"seat {number} cannot take the dice")
            seat.playing, seat.rolls, seat.aside, seat.rolling = True, 0, set(), list(range(7))
            return
        if not seat.playing:
            raise Wrong(f"seat {number} has no dice")
        card = self.cards[len(seat.results)]
        roll_type, chosen = card.split()[3], [int(place) - 1 for place in places if place != "-"]
        if not set(chosen) <= set(seat.free) or len(set(chosen)) < len(chosen):
            raise Wrong(f"seat {number} cannot {verb} {places}")
        if verb == "set" and roll_type == "SET_ASIDE" and (chosen or seat.froze):
            seat.aside |= set(chosen)
            seat.rolling = seat.free
            if not seat.free:
                self.end_turn(number, seat)
        elif (
            verb == "roll"
            and (roll_type == "ANY_THREE" or (roll_type == "FOUR_FULL" and chosen == seat.free))
            and chosen
        ):
            seat.rolling = sorted(chosen)
        elif verb == "stop" and roll_type != "SET_ASIDE":
            self.end_turn(number, seat)
        else:
            raise Wrong(f"seat {number} cannot {verb} on {card}")

    def may_take(self) -> list[int]:
        waiting = [number for number in self.around() if not self.seats[number].playing]
        if self.order == "own_pace":
            return [number for number in waiting if len(self.seats[number].results) < 7]
        if len(waiting) < len(self.seats):
            return []
        waiting = [number for number in waiting if number not in self.ended]
        return waiting[:1] if self.order == "clockwise" else waiting

    def around(self) -> list[int]:
        """Return the seats in order from the one with which the round starts."""
        start = self.start or 0
        return sorted(self.seats, key=lambda number: (number - start) % self.players)

    def leave_out(self, number: int) -> None:
        if self.order != "own_pace" or number not in self.seats or self.seats[number].results or len(self.seats) == 1:
            raise Wrong(f"seat {number} cannot be left out")
        del self.seats[number]
        self.score_rounds()

    def end_turn(self, number: int, seat: Seat) -> None:
        _name, scoring, vortex, _roll_type = self.cards[len(seat.results)].split()
        seat.results.append(expected(scoring, vortex, "".join(seat.faces)))
        seat.playing = False
        self.ended.append(number)
        self.score_rounds()

    def score_rounds(self) -> None:
        while len(self.rounds) < 7 and all(len(seat.results) > len(self.rounds) for seat in self.seats.values()):
            order = self.around() if self.order == "own_pace" else self.ended
            taken, pieces = set[int](), list[tuple[int, int, int | None]]()
            for number in order:
                result = self.seats[number].results[len(self.rounds)]
                at = next((at for at in range(result, 0, -1) if at not in taken), None)
                taken |= {at} if at else set()
                pieces.append((number, result, at))
            ahead = sorted((piece for piece in pieces if piece[1] > 0), key=lambda piece: -(piece[2] or 0))
            chips = {1: [], 2: ["gold", "bronze"]}.get(len(self.seats), [*CHIPS])
            won = {piece[0]: chip for piece, chip in zip(ahead, chips, strict=False)}
            self.rounds.append([(*piece, won.get(piece[0], "")) for piece in pieces])
            self.ended = []
            gold = next((number for number, chip in won.items() if chip == "gold"), self.start)
            self.start = self.around()[1 % len(self.seats)] if self.order == "own_pace" else gold

    def results(self) -> list[str]:
        lines = [
            f"round {number}: "
            + ", ".join(
                f"seat {seat} {result}{f' at {at}' if at else ''}{f' {chip}' if chip else ''}"
                for seat, result, at, chip in pieces
            )
            for number, pieces in enumerate(self.rounds, start=1)
        ]
        if len(self.seats) == 1:
            ((number, seat),) = self.seats.items()
            return [*lines, f"sum: seat {number} {sum(max(result, 0) for result in seat.results)}"]
        won = {
            number: [piece[3] for pieces in self.rounds for piece in pieces if piece[0] == number]
            for number in self.seats
        }
        keys = {
            number: (sum(CHIPS.get(chip, 0) for chip in chips), chips.count("gold"), chips.count("silver"))
            for number, chips in won.items()
        }
        for number in sorted(keys, key=lambda number: (*(-part for part in keys[number]), number)):
            place = 1 + sum(other > keys[number] for other in keys.values())
            points, gold, silver = keys[number]
            bronze = won[number].count("bronze")
            lines.append(f"place {place}: seat {number} {points} gold {gold} silver {silver} bronze {bronze}")
        return lines


def check(file: dict[str, Any]) -> None:
    """Raise Wrong where the file does not hold what it says."""
    if (results := Referee(file).results()) != file["results"]:
        raise Wrong(f"the results are {results}")
