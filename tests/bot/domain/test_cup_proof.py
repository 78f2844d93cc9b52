"""The file of a cup: the bot's own check and the independent referee agree on it, good, tampered with, or damaged."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from bot.domain.cup_leg import Format
from bot.domain.cup_proof import CupProof, format_cup, verify_cup
from highscore import STANDARD_DECK, HighScoreError
from highscore.fairness import EARLIER, VERSION
from highscore.odds.facts import compute_par
from highscore.proof import ExportError
from tests.bot.domain import cups, referee

File = dict[str, Any]


def some_cup(number: int, form: Format, entrants: int | None = None, version: str = VERSION) -> CupProof:
    chance = cups.Chance.seeded(number)
    people = entrants or chance.chance.randint(4, 40)
    return with_pars(cups.play_cup(cups.cup_of(people, form, 5, chance.chance.randbytes(32), version), chance))


def with_pars(done: cups.PlayedCup) -> CupProof:
    cards = [leg.groups[0].source.draw_cards(STANDARD_DECK) for leg in done.legs]
    done.legs = [replace(leg, par=compute_par(drawn)) for leg, drawn in zip(done.legs, cards, strict=True)]
    return cups.record_played(done)


@cache
def play_thirteen() -> str:
    everybody = cups.Chance(random.Random(1), coming=1.0, leaving=0.0, highest=30, whole=1.0)
    return format_cup(with_pars(cups.play_cup(cups.cup_of(13), everybody)))


def thirteen() -> File:
    file: File = json.loads(play_thirteen())
    return file


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("version", [VERSION, EARLIER])
def test_every_draw_is_repeated_from_the_file(number: int, form: Format, version: str) -> None:
    cup = some_cup(number, form, version=version)
    text = format_cup(cup)
    assert ('"entrants_lock"' in text, '"digest"' in text) == (version == VERSION, version == EARLIER)
    proof = verify_cup(text.encode())
    assert (format_cup(proof), proof) == (text, cup)
    assert referee.differences(text) == []


def tampering() -> dict[str, Callable[[File], None]]:
    """Return ways to change a file of a knockout of 13 entrants, of whom three have a bye in the first leg."""

    def swap(file: File) -> None:
        one, other = file["legs"][0]["groups"][:2]
        one["entrants"][0], other["entrants"][0] = other["entrants"][0], one["entrants"][0]

    def change_result(file: File) -> None:
        leg = file["legs"][0]
        group = leg["groups"][0]
        (winner,) = group["go_on"]
        (loser,) = {*group["entrants"]} - {winner}
        leg["results"][str(loser)], leg["results"][str(winner)] = [30] * 7, [0] * 7

    return {
        "swap two entrants": swap,
        "change a result": change_result,
        "reverse the groups": lambda file: file["legs"][0]["groups"].reverse(),
        "give another bye": lambda file: file["legs"][0]["byes"].__setitem__(
            0, file["legs"][0]["groups"][0]["entrants"][0]
        ),
        "choose the winner": lambda file: file.__setitem__("winners", [(file["winners"][0] + 1) % 13]),
        "choose who goes on": lambda file: file["legs"][0]["groups"][0]["go_on"].__setitem__(0, 12),
        "another seal of a group": lambda file: file["legs"][1]["groups"][0].__setitem__("seal", "0" * 64),
        "another seed": lambda file: file.__setitem__("seed", "00" * 32),
        "another seal": lambda file: file.__setitem__("seal", "0" * 64),
        "another lock": lambda file: file.__setitem__("lock", "A" * 32),
        "another lock with the entrants": lambda file: file.__setitem__("entrants_lock", "A" * 32),
        "another name of the deck": lambda file: file["deck"].__setitem__("name", "Box"),
        "another kind": lambda file: file.__setitem__("kind", "league"),
        "another opening": lambda file: file.__setitem__("opening", "1424242424242424243"),
        "another entrant": lambda file: file["entrants"][0].__setitem__("id", "999"),
        "another order of the entrants": lambda file: file["entrants"].reverse(),
        "a missing entrant": lambda file: file["entrants"].pop(),
        "a missing leg": lambda file: file["legs"].pop(),
        "another card": lambda file: file["legs"][0]["cards"].reverse(),
        "somebody left out": lambda file: file["entrants"].__setitem__(0, None),
        "a winner who had left": lambda file: file["entrants"][file["winners"][0]].__setitem__("left", 1),
    }


@pytest.mark.parametrize("how", tampering())
def test_what_was_changed_is_found_by_the_bot_and_by_the_referee(how: str) -> None:
    file = thirteen()
    tampering()[how](file)
    assert file != thirteen()
    with pytest.raises(HighScoreError):
        verify_cup(json.dumps(file))
    try:
        found = referee.differences(json.dumps(file))
    except (IndexError, KeyError, TypeError):
        found = ["the file does not fit"]
    assert found


def test_after_a_deletion_the_count_and_the_published_lock_still_decide_the_draws() -> None:
    cup = some_cup(3, Format.KNOCKOUT, 9)
    deleted = replace(cup, entrants=(replace(cup.entrants[0], user_id=None, name=""), *cup.entrants[1:]))
    assert format_cup(verify_cup(format_cup(deleted))) == format_cup(deleted)
    assert referee.differences(format_cup(deleted)) == []
    for change in ({"entrants_lock": "A" * 32}, {"entrants": json.loads(format_cup(deleted))["entrants"][:-1]}):
        with pytest.raises(HighScoreError):
            verify_cup(json.dumps(json.loads(format_cup(deleted)) | change))


DAMAGES: dict[str, list[Any]] = {
    "format": ["highscore-game-1"],
    "fairness": ["highscore-fair-3", "highscore-fair-1", ["highscore-fair-2"]],
    "kind": ["swiss"],
    "length": [0, "5", True],
    "seed": ["00", "x" * 64, None],
    "opening": ["x", "9" * 5000, "9" * 4000, "-5", 1424242424242424242],
    "entrants_lock": ["\x1b[31m" + "A" * 27, "a" * 32, "A" * 31, None],
    "cup": [1, "\ud800"],
    "name": ["x" * 1000],
    "entrants": [
        *([], {"0": "x"}, [{"id": "1"}] * 4, [{"id": "1", "name": "x"}] * 129),
        *([{"id": "1", "name": "x", "left": "1"}] * 8, [{"id": "1", "name": "x", "left": []}] * 8),
    ],
    "deck": [{"name": "standard", "cards": ["nonsense"]}, []],
    "legs": [[{}], None, [1] * 20],
    "winners": [[99], 5],
    "ended": [0],
}
DAMAGES_OF_A_LEG: dict[str, list[Any]] = {
    "par": [float("nan"), 1e400, "x", 1.0],
    "results": [{"0": [1] * 8}, {"x": []}, {"00": []}, {"0": [1.5]}, {"0": [True]}, {"0": [1e400]}, []],
    "groups": [[]],
    "byes": [None],
}
DAMAGED = [
    pytest.param(of_leg, key, value, id=f"{'leg ' * of_leg}{key} {repr(value)[:40]}")
    for of_leg, damages in ((False, DAMAGES), (True, DAMAGES_OF_A_LEG))
    for key, values in damages.items()
    for value in values
]


@pytest.mark.parametrize(("of_leg", "key", "value"), DAMAGED)
def test_a_damaged_file_is_refused_in_a_sentence(of_leg: bool, key: str, value: object) -> None:
    file = json.loads(format_cup(some_cup(2, Format.LEAGUE, 8)))
    damaged = file["legs"][1] if of_leg else file
    damaged[key] = value
    with pytest.raises(HighScoreError):
        verify_cup(json.dumps(file))


@pytest.mark.parametrize("text", ["", "[]", "null", "x", '{"format": "highscore-cup-1", "format": "x"}', b"\xff"])
def test_what_is_no_file_is_refused_in_a_sentence(text: str | bytes) -> None:
    with pytest.raises(ExportError):
        verify_cup(text)
