"""docs/fairness.md suffices to write a verifier: this one follows its words, without the module that they describe."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from pathlib import Path

from highscore.deck import STANDARD_DECK

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
EXAMPLE = {name: re.findall("`([^`]*)`", value) for name, value in ROWS}
VERSION = "highscore-fair-1"
WORDS = ("clover", "", "größer")


def joined(*texts: str) -> bytes:
    return b"".join(str(len(text.encode())).encode() + b":" + text.encode() for text in texts)


def sha256(*texts: str) -> str:
    return hashlib.sha256(joined(*texts)).hexdigest()


def below(limit: int, *what: str) -> Iterator[int]:
    (seed,), (game,), (opening,) = EXAMPLE["seed"], EXAMPLE["game"], EXAMPLE["opening"]
    for block in range(100):
        message = joined(VERSION, game, sha256(*WORDS), opening, *what, str(block))
        for byte in hmac.new(bytes.fromhex(seed), message, hashlib.sha256).digest():
            if byte < 256 - 256 % limit:
                yield byte % limit


def roll(*what: str) -> str:
    numbers = below(6, *what)
    return "".join("12345V"[next(numbers)] for _place in range(7))


def test_the_example_follows_from_the_words_of_the_page() -> None:
    assert EXAMPLE["lucky words"] == [word for word in WORDS if word]
    assert EXAMPLE["seal"] == [sha256(VERSION, *EXAMPLE["game"], *EXAMPLE["seed"])]
    assert EXAMPLE["digest"] == [sha256(*WORDS)]
    assert EXAMPLE["start player of 3"] == [str(next(below(3, "start")))]
    cards = [card.id for card in STANDARD_DECK]
    for step in range(7):
        other = step + next(below(len(cards) - step, "deck", str(step)))
        cards[step], cards[other] = cards[other], cards[step]
    assert EXAMPLE["cards"] == [" ".join(cards[:7])]
    assert EXAMPLE["round 1, seat 0, roll 1"] == [roll("1", "0", "1")]
    assert EXAMPLE["round 7, seat 2, roll 3"] == [roll("7", "2", "3")]
