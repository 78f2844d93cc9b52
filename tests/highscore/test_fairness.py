"""Sealed dice and cards: what changes them, and what does not. ``test_fairness_document`` has their format."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given

from highscore import STANDARD_DECK, Deck, Face
from highscore.fairness import (
    EARLIER,
    Source,
    format_code,
    hash_words,
    lock_challenge,
    lock_game,
    make_code,
    pick_faces,
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


def lock(
    game: str = "g",
    seal: str = "SEAL",
    order: str = "open",
    deck: Deck = STANDARD_DECK,
    ids: Sequence[str] = ("1", "", "3"),
    words: Sequence[str] = ("ab", "c", ""),
) -> str:
    return lock_game(game, seal, order, deck, ids, words)


def test_whatever_is_fixed_changes_the_lock_and_nothing_can_be_shifted_in_it() -> None:
    cards = STANDARD_DECK.cards
    decks = Deck("standard", cards[:20]), Deck("standard", cards[::-1]), Deck("Box", cards)
    ids = ("1", "3", ""), ("", "1", "3"), ("1", "", "4"), ("1", "house", "3")
    words = ("a", "bc", ""), ("ab", "", "c"), ("abc", "", ""), ("", "ab", "c"), ("Ab", "c", "")
    locks = [
        lock(),
        lock(game="h"),
        lock(seal="LEAS"),
        lock(order="clockwise"),
        lock(ids=("1", ""), words=("ab", "c")),
        *(lock(deck=each) for each in decks),
        *(lock(ids=each) for each in ids),
        *(lock(words=each) for each in words),
        *(lock_challenge("g", "SEAL", day, deck) for day in ("open", "") for deck in (STANDARD_DECK, decks[0])),
    ]
    assert len({*locks}) == len(locks)


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
    other = source_of(SEED, TurnOrder.CLOCKWISE, words, opening)
    assert other.seal == SOURCE.seal
    assert (other.lock == SOURCE.lock) == (words == WORDS)
    assert [other.draw_faces(1, seat, 1) for seat in range(5)] != [SOURCE.draw_faces(1, seat, 1) for seat in range(5)]
    assert other.draw_cards(STANDARD_DECK) != SOURCE.draw_cards(STANDARD_DECK)
    starts = [
        [Source(SEED, str(game), of.lock, of.opening).draw_start_seat(5) for game in range(9)] for of in (other, SOURCE)
    ]
    assert starts[0] != starts[1]


def test_words_cannot_be_shifted_and_another_game_has_other_dice() -> None:
    assert len({hash_words(words) for words in (("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"))}) == 4
    assert hash_words(("1:a",)) != hash_words(("", "a"))
    other = Source(SEED, "0123456789ac", SOURCE.lock, OPENING)
    assert other.draw_faces(1, 0, 1) != SOURCE.draw_faces(1, 0, 1)
    assert other.seal != SOURCE.seal


def test_faces_due_are_those_of_the_dice_that_are_rolled() -> None:
    faces = SOURCE.draw_faces(1, 0, 1)
    assert text(pick_faces(faces, (1, 4, 6))) == "343"
    assert pick_faces(faces, range(7)) == faces


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
