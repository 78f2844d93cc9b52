"""docs/fairness.md suffices to write a verifier: this one follows its words, without the module that they describe."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from highscore.deck import STANDARD_DECK
from highscore.proof import export_json
from highscore.turn_order import TurnOrder
from tests.highscore.test_proof import played

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
EXAMPLE = {name: re.findall("`([^`]*)`", value) for name, value in ROWS}
VERSION = "highscore-fair-1"
WORDS = ("clover", "", "größer")


def joined(*texts: str) -> bytes:
    return b"".join(str(len(text.encode())).encode() + b":" + text.encode() for text in texts)


def sha256(*texts: str) -> str:
    return hashlib.sha256(joined(*texts)).hexdigest()


@dataclass(frozen=True)
class Draws:
    seed: str
    game: str
    digest: str
    opening: str

    def below(self, limit: int, *what: str) -> Iterator[int]:
        for block in range(100):
            message = joined(VERSION, self.game, self.digest, self.opening, *what, str(block))
            for byte in hmac.new(bytes.fromhex(self.seed), message, hashlib.sha256).digest():
                if byte < 256 - 256 % limit:
                    yield byte % limit

    def cards(self, deck: Sequence[str]) -> list[str]:
        cards = [*deck]
        for step in range(7):
            other = step + next(self.below(len(cards) - step, "deck", str(step)))
            cards[step], cards[other] = cards[other], cards[step]
        return cards[:7]

    def roll(self, *what: int) -> str:
        numbers = self.below(6, *map(str, what))
        return "".join("12345V"[next(numbers)] for _place in range(7))


def test_the_example_follows_from_the_words_of_the_page() -> None:
    assert EXAMPLE["lucky words"] == [word for word in WORDS if word]
    assert EXAMPLE["seal"] == [sha256(VERSION, *EXAMPLE["game"], *EXAMPLE["seed"])]
    assert EXAMPLE["digest"] == [sha256(*WORDS)]
    draws = Draws(*(EXAMPLE[name][0] for name in ("seed", "game", "digest", "opening")))
    assert EXAMPLE["start player of 3"] == [str(next(draws.below(3, "start")))]
    assert EXAMPLE["cards"] == [" ".join(draws.cards([card.id for card in STANDARD_DECK]))]
    assert EXAMPLE["round 1, seat 0, roll 1"] == [draws.roll(1, 0, 1)]
    assert EXAMPLE["round 7, seat 2, roll 3"] == [draws.roll(7, 2, 3)]


def expected(file: dict[str, Any]) -> Iterator[str]:
    """The events of a file that are drawn, as the page says that they have to be."""
    words = [player["lucky_word"] for player in file["players"]]
    draws = Draws(file["seed"], file["game"], sha256(*words), file["opening"])
    cards = draws.cards(file["deck"]["cards"])
    due, turns, rolls = iter(cards), [0] * len(words), [0] * len(words)
    aside: list[set[int]] = [set() for _word in words]
    seat, places = 0, list[int]()
    for line in file["events"]:
        if line.startswith("start "):
            yield f"start {next(draws.below(len(words), 'start'))}"
        elif line.startswith("card "):
            yield f"card {next(due)}"
        elif line.startswith("rolled "):
            rolls[seat] += 1
            faces = draws.roll(turns[seat], seat, rolls[seat])
            yield " ".join(["rolled", *(faces[place] for place in places)])
            if " frozen " in cards[turns[seat] - 1]:
                aside[seat] |= {place for place in places if faces[place] == "V"}
        elif line[0].isdigit():
            number, decision, *these = line.replace("house ", "").split()
            seat, chosen = int(number), {int(place) - 1 for place in these if place != "-"}
            if decision == "take":
                turns[seat], rolls[seat], aside[seat] = turns[seat] + 1, 0, set()
            elif decision == "set":
                aside[seat] |= chosen
            places = sorted(chosen) if decision == "roll" else [at for at in range(7) if at not in aside[seat]]


@pytest.mark.parametrize("order", TurnOrder, ids=lambda order: order.value)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_file_is_checked_by_the_words_of_the_page(players: int, order: TurnOrder) -> None:
    file = json.loads(export_json(played(players, order)))
    assert file["seal"] == sha256(VERSION, file["game"], file["seed"])
    assert file["words_digest"] == sha256(*(player["lucky_word"] for player in file["players"]))
    drawn = [line for line in file["events"] if line.split()[0] in ("start", "card", "rolled")]
    assert len(drawn) >= 8 + 7 * players
    assert list(expected(file)) == drawn
    changed = file | {"opening": str(int(file["opening"]) + 1)}
    assert list(expected(changed)) != drawn
