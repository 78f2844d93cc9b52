"""Sealed dice and cards: what changes them, and what does not. ``test_fairness_document`` has their format."""

from collections import Counter

import pytest
from hypothesis import given

from highscore import STANDARD_DECK, Face
from highscore.fairness import VERSION, Source, pick_faces
from tests.highscore.strategies import seeds

SEED = bytes(range(32))
WORDS = ("clover", "", "größer")
OPENING = 1424242424242424242
SOURCE = Source(SEED, "0123456789ab", WORDS, opening=OPENING)


def text(faces: tuple[Face, ...]) -> str:
    return "".join(map(str, faces))


def test_the_answers_of_this_version_never_change() -> None:
    assert VERSION == "highscore-fair-1"
    assert SOURCE.seal == "aba8603ca6ad29bc9b35150635d6888f97b8b5072a5bf6b8a45d18d6dbacb57d"
    assert SOURCE.words_digest == "e364803de7ee4dc29056227eeb9e816f8d7500f28410b4b6a4bcbd7bb00aad37"
    assert text(SOURCE.draw_faces(1, 0, 1)) == "5545V22"
    assert text(SOURCE.draw_faces(1, 1, 1)) == "11143V5"
    assert text(SOURCE.draw_faces(1, 0, 2)) == "1214315"
    assert text(SOURCE.draw_faces(7, 4, 7)) == "5V33145"
    assert [SOURCE.draw_start_seat(players) for players in (2, 3, 4, 5)] == [1, 0, 1, 4]
    ids = "tens-minus-six ascending-ten values-minus-five odd-five total-frozen same-minus10 odd-minus-ten"
    assert " ".join(card.id for card in SOURCE.draw_cards(STANDARD_DECK)) == ids


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


@pytest.mark.parametrize(
    ("words", "opening"),
    [
        *((words, OPENING) for words in (("", "", "größer"), ("Clover", "", "größer"), ("", "clover", "größer"))),
        (WORDS[:2], OPENING),
        *((WORDS, opening) for opening in (None, 0, OPENING - 1, OPENING + 1)),
    ],
)
def test_a_lucky_word_or_another_opening_changes_dice_cards_and_lot_but_not_the_seal(
    words: tuple[str, ...], opening: int | None
) -> None:
    other = Source(SEED, SOURCE.game, words, opening=opening)
    assert other.seal == SOURCE.seal
    assert (other.words_digest == SOURCE.words_digest) == (words == WORDS)
    assert [other.draw_faces(1, seat, 1) for seat in range(5)] != [SOURCE.draw_faces(1, seat, 1) for seat in range(5)]
    assert other.draw_cards(STANDARD_DECK) != SOURCE.draw_cards(STANDARD_DECK)
    starts = [
        [Source(SEED, str(game), of.lucky_words, opening=of.opening).draw_start_seat(5) for game in range(9)]
        for of in (other, SOURCE)
    ]
    assert starts[0] != starts[1]


def test_words_cannot_be_shifted_and_another_game_has_other_dice() -> None:
    digests = {Source(SEED, "g", words).words_digest for words in (("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"))}
    assert len(digests) == 4
    assert Source(SEED, "g", ("1:a",)).words_digest != Source(SEED, "g", ("", "a")).words_digest
    other = Source(SEED, "0123456789ac", WORDS, opening=OPENING)
    assert other.draw_faces(1, 0, 1) != SOURCE.draw_faces(1, 0, 1)
    assert other.seal != SOURCE.seal


def test_faces_due_are_those_of_the_dice_that_are_rolled() -> None:
    faces = SOURCE.draw_faces(1, 0, 1)
    assert text(pick_faces(faces, (1, 4, 6))) == "5V2"
    assert pick_faces(faces, range(7)) == faces


@given(seeds)
def test_a_seed_has_32_bytes_and_is_never_in_a_repr(seed: bytes) -> None:
    source = Source(seed, "game", ("word",))
    for shown in (repr(source), str(source), f"{source}", repr([source])):
        assert seed.hex() not in shown
        assert repr(seed) not in shown
        assert "<secret>" in shown
    for length in (0, 31, 33):
        with pytest.raises(ValueError, match=f"a seed has 32 bytes, this one has {length}"):
            Source(bytes(length), "game")
