"""Sealed dice and cards: what changes them, and what does not. ``test_fairness_document`` has their format."""

from collections import Counter

import pytest
from hypothesis import given

from highscore import STANDARD_DECK, Face
from highscore.fairness import (
    EARLIER,
    Source,
    format_code,
    make_code,
    version_of,
)
from highscore.turn_order import TurnOrder
from tests.highscore.exports import GAME, source_of
from tests.highscore.strategies import seeds

SEED = bytes(range(32))
WORDS = ("clover", "", "größer")
OPENING = 1424242424242424242
SOURCE = source_of(SEED, TurnOrder.CLOCKWISE, WORDS, OPENING)
BEFORE = source_of(SEED, TurnOrder.CLOCKWISE, WORDS, OPENING, version=EARLIER)


def text(faces: tuple[Face, ...]) -> str:
    return "".join(map(str, faces))


def test_the_answers_of_the_earlier_version_never_change() -> None:
    assert EARLIER == "highscore-fair-1"
    assert BEFORE.seal == "aba8603ca6ad29bc9b35150635d6888f97b8b5072a5bf6b8a45d18d6dbacb57d"
    assert BEFORE.lock == "e364803de7ee4dc29056227eeb9e816f8d7500f28410b4b6a4bcbd7bb00aad37"
    assert text(BEFORE.draw_faces(1, 0, 1)) == "5545V22"
    assert text(BEFORE.draw_faces(1, 1, 1)) == "11143V5"
    assert text(BEFORE.draw_faces(1, 0, 2)) == "1214315"
    assert text(BEFORE.draw_faces(7, 4, 7)) == "5V33145"
    assert [BEFORE.draw_start_seat(players) for players in (2, 3, 4, 5)] == [1, 0, 1, 4]
    ids = "tens-minus-six ascending-ten values-minus-five odd-five total-frozen same-minus10 odd-minus-ten"
    assert " ".join(card.id for card in BEFORE.draw_cards(STANDARD_DECK)) == ids


def test_a_code_has_160_bits_and_says_which_version_it_is_of() -> None:
    assert make_code("seal", GAME, SEED.hex()) == SOURCE.seal == "NYYK4TWNK4BV22XE5SNNQNYTZYIOYLJM"
    assert format_code(SOURCE.seal) == "NYYK 4TWN K4BV 22XE 5SNN QNYT ZYIO YLJM"
    assert format_code(BEFORE.seal) == BEFORE.seal
    assert [version_of(each) for each in (SOURCE.seal, SOURCE.lock)] == [SOURCE.version] * 2
    assert [version_of(each) for each in (BEFORE.seal, BEFORE.lock, None)] == [EARLIER] * 3


def test_r1_all_bytes_below_252_give_every_face_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [*range(252, 256), *range(256)]
    monkeypatch.setattr(Source, "_draw_bytes", lambda _self, *_what: iter(every))
    faces = list(SOURCE._draw_below(6, "anything"))
    assert Counter(faces) == dict.fromkeys(range(6), 42)


def test_a_block_used_up_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def digest(_key: bytes, message: bytes, _name: str) -> bytes:
        asked.append(message)
        return b"\xff" * 32 if len(asked) < 3 else bytes(range(5, 37))

    monkeypatch.setattr("highscore.fairness.hmac.digest", digest)
    assert text(SOURCE.draw_faces(1, 0, 1)) == "V12345V"
    assert [message[-3:] for message in asked] == [b"1:0", b"1:1", b"1:2"]


@given(seeds)
def test_a_seed_has_32_bytes_and_is_never_in_a_repr(seed: bytes) -> None:
    source = Source(seed, "game", "lock")
    for shown in (repr(source), str(source), f"{source}", repr([source])):
        assert seed.hex() not in shown
        assert repr(seed) not in shown
        assert "<secret>" in shown
    for length in (0, 31, 33):
        with pytest.raises(ValueError, match=f"a seed has 32 bytes, this one has {length}"):
            Source(bytes(length), "game")
