"""Exported games and the check of their dice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given

from highscore import Card, Deck, TurnOrder
from highscore.fairness import Source
from highscore.proof import Export, ExportError, ProofError, export_json, read_export, verify
from tests.highscore.exported import SEED, WORDS, Document, document, played
from tests.highscore.strategies import decks


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


def test_a_card_played_twice_is_found() -> None:
    deck = Deck("same", tuple(Card.parse(f"card-{at}: TOTAL 0 SET_ASIDE") for at in range(7)))
    exported = json.loads(export_json(played(2, TurnOrder.CLOCKWISE, deck)))
    cards = [at for at, line in enumerate(exported["events"]) if line.startswith("card ")]
    exported["events"][cards[1]] = exported["events"][cards[0]]
    with pytest.raises(ProofError, match="the seed gives 'card card-"):
        check(exported)
