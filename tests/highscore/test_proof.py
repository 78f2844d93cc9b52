"""Exported games and the check of their dice."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Abandoned, Card, Deck, Game, TurnOrder, apply
from highscore.dealer import next_chance
from highscore.fairness import Source
from highscore.game import Event
from highscore.proof import MAX_NAME, MAX_SIZE, Export, ExportError, ProofError, export_json, read_export, verify
from tests.highscore.strategies import damaged, decided, decks, json_values

Document = dict[str, Any]
SEED = hashlib.sha256(b"a seed").digest()
NAMES = ("Ada", "Grace", "Kurt", "Emmy", "Blaise")
WORDS = ("clover", "", "größer", "7", "")


def played(players: int, order: TurnOrder, deck: Deck = STANDARD_DECK, limit: int | None = None) -> Export:
    """A game decided at random, to the end or abandoned after ``limit`` events."""
    source = Source(SEED, "0123456789ab", WORDS[:players])
    rng = random.Random(players)
    game, events = Game(players, order), list[Event]()
    while not game.over:
        event: Event = next_chance(game, source, deck) or decided(game, rng)
        if limit is not None and len(events) >= limit:
            event = Abandoned("by the host")
        game = apply(game, event)
        events.append(event)
    return Export(source.game, source.seal, SEED, order, NAMES[:players], WORDS[:players], deck, tuple(events))


@cache
def text_of(players: int, limit: int | None = None) -> str:
    """An exported game on the standard deck as text."""
    return export_json(played(players, TurnOrder.CLOCKWISE, limit=limit))


def document(players: int = 3, limit: int | None = None) -> Document:
    """An exported game as JSON values, to be tampered with."""
    loaded: Document = json.loads(text_of(players, limit))
    return loaded


def check(exported: Document) -> None:
    """Read and verify."""
    verify(read_export(json.dumps(exported)))


@pytest.mark.parametrize("order", TurnOrder, ids=lambda order: order.value)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_finished_game_is_proved(players: int, order: TurnOrder) -> None:
    export = played(players, order)
    assert read_export(export_json(export)) == export
    proof = verify(export)
    assert proof.state.complete
    assert (proof.cards, proof.export) == (7, export)
    assert proof.decisions >= 7 * players
    assert proof.rolls >= 7 * players
    assert proof.dice >= 7 * proof.cards * players


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 4, 30, 60])
def test_an_abandoned_game_is_proved_up_to_its_end(limit: int) -> None:
    proof = verify(played(3, TurnOrder.OPEN, limit=limit))
    assert proof.state.abandoned
    assert "abandoned in round" in proof.lines()[3]


@given(decks)
def test_a_game_with_a_deck_of_ones_own_is_proved(deck: Deck) -> None:
    export = played(2, TurnOrder.OPEN, deck)
    assert read_export(export_json(export).encode()) == export
    assert f"a deck of {len(deck)} cards called {deck.name!r}" in verify(export).lines()[1]


def test_remarks_may_stand_anywhere_and_prove_nothing() -> None:
    original = document(2, 20)
    for at in range(len(original["events"]) + 1):
        lines = [*original["events"][:at], "remark seat 1 left", *original["events"][at:]]
        check({**original, "events": lines})


def test_the_proof_says_in_words_what_was_checked() -> None:
    proof = verify(played(2, TurnOrder.CLOCKWISE))
    lines = proof.lines()
    assert lines[0].startswith(f"The seed matches the seal {proof.export.seal}.")
    assert lines[1].startswith("The start player and 7 challenge cards from the standard deck follow from the seed")
    assert lines[2] == f"{proof.rolls} rolls with {proof.dice} dice follow from the seed and the lucky words."
    assert lines[3].startswith(f"{proof.decisions} decisions were legal. The game was played to the end: ")
    assert "Ada" in lines[3]
    assert "Grace" in lines[3]


def forgotten(players: int) -> Export:
    """A game after its first player had everything about them deleted."""
    export = played(players, TurnOrder.CLOCKWISE)
    digest = Source(SEED, export.game, export.lucky_words).words_digest
    words, names = ("", *export.lucky_words[1:]), ("", *export.names[1:])
    return replace(export, names=names, lucky_words=words, words_digest=digest)


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_whose_lucky_word_was_deleted_is_proved_by_the_digest_of_all_words(players: int) -> None:
    export = forgotten(players)
    assert WORDS[0] not in export_json(export)
    assert read_export(export_json(export)) == export
    proof = verify(export)
    assert proof.state == verify(played(players, TurnOrder.CLOCKWISE)).state
    assert export.words_digest is not None
    assert export.words_digest in proof.lines()[-1]
    assert "deleted" not in " ".join(verify(played(players, TurnOrder.CLOCKWISE)).lines())


def test_without_the_digest_a_deleted_word_would_prove_nothing() -> None:
    with pytest.raises(ProofError, match="Event"):
        verify(replace(forgotten(2), words_digest=None))
    with pytest.raises(ProofError, match="Event"):
        verify(replace(forgotten(2), words_digest="0" * 64))


@pytest.mark.parametrize("digest", ["", "abc", "Z" * 64, 7, ["a"]])
def test_a_digest_that_is_none_is_no_export(digest: object) -> None:
    exported = json.loads(export_json(forgotten(2)))
    exported["words_digest"] = digest
    with pytest.raises(ExportError, match="words_digest"):
        read_export(json.dumps(exported))


def test_a_game_of_five_fits_into_an_export_many_times() -> None:
    assert len(text_of(5).encode()) * 20 < MAX_SIZE


def first(exported: Document, word: str) -> int:
    """Where the first event that has this word is."""
    return next(at for at, line in enumerate(exported["events"]) if word in line.split())


def other_seed(exported: Document) -> None:
    exported["seed"] = "00" * 32


def other_seal(exported: Document) -> None:
    exported["seal"] = "0" * 64


def other_game(exported: Document) -> None:
    exported["game"] = "ba9876543210"


def other_word(exported: Document) -> None:
    exported["players"][1]["lucky_word"] = "horseshoe"


def swapped_words(exported: Document) -> None:
    one, two, *_ = exported["players"]
    one["lucky_word"], two["lucky_word"] = two["lucky_word"], one["lucky_word"]


def other_die(exported: Document) -> None:
    at = first(exported, "rolled")
    shown = exported["events"][at]
    exported["events"][at] = shown[:-1] + ("5" if shown[-1] != "5" else "4")


def sorted_dice(exported: Document) -> None:
    at = first(exported, "rolled")
    exported["events"][at] = "rolled " + " ".join(sorted(exported["events"][at].split()[1:]))


def other_card(exported: Document) -> None:
    shown = exported["events"][1].removeprefix("card ")
    exported["events"][1] = "card " + next(line for line in exported["deck"]["cards"] if line != shown)


def other_part(exported: Document) -> None:
    shown = exported["events"][1]
    exported["events"][1] = shown.replace(shown.split()[-1], "ANY_THREE" if "ANY_THREE" not in shown else "FOUR_FULL")


def other_start(exported: Document) -> None:
    start = int(exported["events"][0].split()[1])
    exported["events"][0] = f"start {(start + 1) % 3}"


def other_deck(exported: Document) -> None:
    exported["deck"]["cards"].reverse()


def smaller_deck(exported: Document) -> None:
    exported["deck"]["cards"].pop()


def illegal_decision(exported: Document) -> None:
    at = first(exported, "take")
    exported["events"][at + 2] = exported["events"][at]


def out_of_turn(exported: Document) -> None:
    at = first(exported, "take")
    exported["events"][at] = f"{(int(exported['events'][at][0]) + 1) % 3} take"


def unfinished(exported: Document) -> None:
    exported["events"].pop()


def no_events(exported: Document) -> None:
    exported["events"] = []


def after_the_end(exported: Document) -> None:
    exported["events"].append("abandoned")


def unrevealed(exported: Document) -> None:
    exported["seed"] = None


def one_player(exported: Document) -> None:
    del exported["players"][1:]
    exported["events"] = []


def six_players(exported: Document) -> None:
    exported["players"] *= 2


def one_player_less(exported: Document) -> None:
    exported["players"].pop()


TAMPERED: list[tuple[Callable[[Document], None], str]] = [
    (other_seed, "The seed does not match the seal"),
    (other_seal, "The seed does not match the seal"),
    (other_game, "The seed does not match the seal"),
    (other_word, r"Event \d+: the seed gives '.*', the game has '"),
    (swapped_words, r"Event \d+: the seed gives '.*', the game has '"),
    (other_die, "Event 4: the seed gives 'rolled .*', the game has 'rolled "),
    (sorted_dice, "Event 4: the seed gives 'rolled .*', the game has 'rolled "),
    (other_card, "Event 2: the seed gives 'card .*', the game has 'card "),
    (other_part, "Event 2: the seed gives 'card .*', the game has 'card "),
    (other_start, r"Event 1: the seed gives 'start \d', the game has 'start \d'"),
    (other_deck, "Event 2: the seed gives 'card .*', the game has 'card "),
    (smaller_deck, r"Event \d+: the seed gives 'card .*', the game has 'card "),
    (illegal_decision, "Event 5: You have the dice already"),
    (out_of_turn, "Event 3: It is not your turn yet"),
    (unfinished, "The game is not over; its events stop in the middle"),
    (no_events, "The game is not over; its events stop in the middle"),
    (after_the_end, r"Event \d+: This game is over"),
    (unrevealed, "The seed is not revealed yet; a game can be checked when it is over"),
    (one_player, "High Score is for 2 to 5 players, not 1"),
    (six_players, "High Score is for 2 to 5 players, not 6"),
    (one_player_less, r"Event \d+: the seed gives"),
]


@pytest.mark.parametrize(("tamper", "reason"), TAMPERED, ids=lambda value: getattr(value, "__name__", ""))
def test_each_kind_of_tampering_is_found_and_named(tamper: Callable[[Document], None], reason: str) -> None:
    exported = document()
    check(exported)
    tamper(exported)
    with pytest.raises(ProofError, match=reason):
        check(exported)


@pytest.mark.parametrize("limit", [45, None])
def test_no_event_can_be_dropped_doubled_or_swapped(limit: int | None) -> None:
    original = document(2, limit)
    lines = original["events"]
    for at, line in enumerate(lines):
        dropped, doubled = lines[:at] + lines[at + 1 :], [*lines[:at], line, *lines[at:]]
        # Without the event before it, "abandoned" is what giving up a moment earlier looks like.
        just_before_the_end = lines[at + 1 : at + 2] == ["abandoned by the host"]
        for tampered in (doubled, _swapped(lines, at), *([] if just_before_the_end else [dropped])):
            if tampered != lines:
                with pytest.raises(ProofError):
                    check({**original, "events": tampered})


def _swapped(lines: list[str], at: int) -> list[str]:
    return [*lines[:at], *reversed(lines[at : at + 2]), *lines[at + 2 :]]


def test_no_die_of_a_game_can_be_changed() -> None:
    original = document(2, 60)
    for at, line in enumerate(original["events"]):
        if line.startswith("rolled "):
            for place in range(7, len(line), 2):
                face = "1" if line[place] != "1" else "V"
                lines = [
                    *original["events"][:at],
                    line[:place] + face + line[place + 1 :],
                    *original["events"][at + 1 :],
                ]
                with pytest.raises(ProofError, match=f"Event {at + 1}: the seed gives '{line}'"):
                    check({**original, "events": lines})


def test_the_seed_of_an_export_is_not_in_its_repr() -> None:
    export = played(2, TurnOrder.OPEN, limit=3)
    for shown in (repr(export), repr(verify(export))):
        assert repr(SEED) not in shown
        assert SEED.hex() not in shown


def test_an_export_that_could_not_be_read_back_is_refused_when_it_is_made() -> None:
    export = played(2, TurnOrder.OPEN, limit=3)
    with pytest.raises(ExportError, match="one lucky word for each player"):
        replace(export, lucky_words=())
    for part in ("game", "seal"):
        with pytest.raises(ExportError, match="is too long for an export; 200 characters are read back"):
            replace(export, **{part: "x" * (MAX_NAME + 1)})  # type: ignore[arg-type]
    for part in ("names", "lucky_words"):
        with pytest.raises(ExportError, match="is too long for an export; 200 characters are read back"):
            replace(export, **{part: ("", "x" * (MAX_NAME + 1))})  # type: ignore[arg-type]
    longest = replace(export, names=("Ada", "ß" * MAX_NAME))
    assert read_export(export_json(longest)) == longest


def put(**entries: Any) -> Callable[[Document], None]:
    """Replaces entries of a document."""

    def change(exported: Document) -> None:
        exported.update(entries)

    return change


DECK = {"name": "Box", "cards": [str(card) for card in STANDARD_DECK]}
UNREADABLE: dict[str, tuple[Callable[[Document], None], str]] = {
    "another format": (put(format="highscore-game-2"), 'its "format" has to be "highscore-game-1"'),
    "another scheme": (put(fairness="highscore-fair-2"), 'its "fairness" has to be "highscore-fair-1"'),
    "a deep scheme": (put(fairness=[[[[]]]]), 'its "fairness" has to be "highscore-fair-1"'),
    "a number as game": (put(game=5), '"game" has to be a text of at most 200 characters'),
    "a long game": (put(game="x" * 201), '"game" has to be a text of at most 200 characters'),
    "half a character": (put(game="\ud800"), '"game" has half a character in it'),
    "half a word": (put(players=[{"name": "a", "lucky_word": "\udfff"}] * 2), '"lucky_word" has half a character'),
    "no seal": (lambda exported: exported.pop("seal"), '"seal" has to be a text'),
    "a number as seed": (put(seed=5), '"seed" has to be a text'),
    "another word as seed": (put(seed="xyz"), '"seed" has to be 32 bytes in hexadecimal digits'),
    "a short seed": (put(seed="00"), '"seed" has to be 32 bytes in hexadecimal digits'),
    "a long seed": (put(seed="00" * 33), '"seed" has to be 32 bytes in hexadecimal digits'),
    "no order": (put(turn_order=None), '"turn_order" has to be a text'),
    "another order": (put(turn_order="random"), "\"turn_order\" is 'random'; it is clockwise or open"),
    "no players": (put(players={}), '"players" has to be a list'),
    "players as texts": (put(players=["Ada"]), 'each of "players" has a "name" and a "lucky_word"'),
    "a player without a word": (put(players=[{"name": "Ada"}]), '"lucky_word" has to be a text'),
    "a deck by name": (put(deck="standard"), '"deck" has a "name" and "cards"'),
    "a deck of numbers": (put(deck={"name": "Box", "cards": [1]}), '"cards" has to be a list of texts'),
    "a small deck": (put(deck={**DECK, "cards": DECK["cards"][:6]}), "deck 'Box' has 6 cards"),
    "a bad card": (put(deck={**DECK, "cards": ["a: ODD_MINUS -1 ANY_THREE"]}), "ODD_MINUS subtracts"),
    "events as a text": (put(events="start 1"), '"events" has to be a list'),
    "a number as event": (put(events=[1]), '"events" has to be a list of texts'),
    "no event": (put(events=["begin"]), "'begin' is no event"),
}


@pytest.mark.parametrize(("change", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_document_that_is_no_export_is_refused_with_the_reason(
    change: Callable[[Document], None], reason: str
) -> None:
    exported = document()
    change(exported)
    with pytest.raises(ExportError, match=reason):
        read_export(json.dumps(exported))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "the file is not JSON"),
        (b"\xff\xfe\x00", "the file is not JSON"),
        ("[" * 200_000, "the file is not JSON"),
        ('{"seed": ' + "9" * 5_000 + "}", "the file is not JSON"),
        ("[]", "the file is no exported game"),
        ("NaN", "the file is no exported game"),
        ('{"format": "highscore-game-1", "fairness": ' + "[" * 900 + "]" * 900 + "}", 'its "fairness" has to be'),
        (" " * (MAX_SIZE + 1), "the file is larger than 1,000,000 bytes"),
    ],
    ids=["empty", "bytes", "deep", "long number", "list", "NaN", "deep entry", "large"],
)
def test_a_file_that_is_no_export_is_refused_with_the_reason(content: str | bytes, reason: str) -> None:
    with pytest.raises(ExportError, match=reason):
        read_export(content)


def only_named_errors(content: str | bytes) -> None:
    """Reads and verifies; whatever error is not an ExportError or a ProofError comes out."""
    with suppress(ExportError, ProofError):
        verify(read_export(content))


@given(st.data())
def test_a_damaged_export_is_proved_or_a_named_error(data: st.DataObject) -> None:
    only_named_errors(json.dumps(data.draw(damaged(document(2, 45)))))


@given(st.data())
def test_an_export_with_bytes_knocked_out_is_proved_or_a_named_error(data: st.DataObject) -> None:
    content = bytearray(text_of(2, 45).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    only_named_errors(bytes(content))
    only_named_errors(bytes(content)[: data.draw(st.integers(0, len(content)))])


@given(st.binary(max_size=60) | st.text(max_size=60) | json_values.map(json.dumps))
def test_anything_else_is_a_named_error(content: str | bytes) -> None:
    with pytest.raises(ExportError):
        read_export(content)


@given(json_values, st.sampled_from(sorted(json.loads(text_of(2, 4)))))
def test_any_json_in_an_entry_is_proved_or_a_named_error(value: Any, key: str) -> None:
    only_named_errors(json.dumps({**document(2, 45), key: value}))


def test_a_card_played_twice_is_found() -> None:
    deck = Deck("same", tuple(Card.parse(f"card-{at}: TOTAL 0 SET_ASIDE") for at in range(7)))
    exported = json.loads(export_json(played(2, TurnOrder.CLOCKWISE, deck)))
    cards = [at for at, line in enumerate(exported["events"]) if line.startswith("card ")]
    exported["events"][cards[1]] = exported["events"][cards[0]]
    with pytest.raises(ProofError, match="the seed gives 'card card-"):
        check(exported)
