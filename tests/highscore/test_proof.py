"""Exported games: what is written reads back, the dice are checked, and whatever else is read is refused by name."""

import hashlib
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Abandoned, Deck, Game, TurnOrder
from highscore.events import Event
from highscore.fairness import EARLIER, VERSION, Source, challenge_source
from highscore.notation import format_results
from highscore.proof import (
    MAX_NAME,
    MAX_SIZE,
    Export,
    ExportError,
    ProofError,
    format_export,
    read_export,
    verify_export,
)
from tests.highscore import referee
from tests.highscore.exports import GAME, export_of, source_of
from tests.highscore.strategies import damaged, play_drawn
from tests.sampling import sample

Document = dict[str, Any]
Change = Callable[[Document], object]
SEED = hashlib.sha256(b"a seed").digest()
NAMES = ("Ada", "Grace", "Kurt", "Emmy", "Blaise")
OPENING = 1424242424242424242
WORDS = ("clover", "", "größer", "7", "")


def played(
    players: int,
    order: TurnOrder,
    deck: Deck = STANDARD_DECK,
    limit: int | None = None,
    version: str = VERSION,
) -> Export:
    """Return a game decided at random, to the end or abandoned after ``limit`` events."""
    source = source_of(SEED, order, WORDS[:players], OPENING, deck, version)
    games = play_drawn(Game(players, order), random.Random(players), source, deck, by_house=0.1)
    *_earlier, (_game, events) = games
    if limit is not None:
        events = (*events[:limit], Abandoned("by the host"))
    return export_of(source, order, NAMES[:players], events, deck, WORDS[:players])


@cache
def text_of(players: int, limit: int | None = None) -> str:
    return format_export(played(players, TurnOrder.CLOCKWISE, limit=limit))


def document(players: int = 3, limit: int | None = None) -> Document:
    loaded: Document = json.loads(text_of(players, limit))
    return loaded


def check(exported: Document) -> None:
    verify_export(read_export(json.dumps(exported)))


@pytest.mark.parametrize("order", TurnOrder, ids=lambda order: order.value)
@pytest.mark.parametrize("players", sample([2, 5, 3, 4], 2))
def test_a_finished_game_is_proved(players: int, order: TurnOrder) -> None:
    export = played(players, order)
    assert len(format_export(export).encode()) * 20 < MAX_SIZE
    assert read_export(format_export(export)) == export
    proof = verify_export(export)
    assert proof.state.complete
    assert (proof.cards, proof.export) == (7, export)
    assert proof.decisions >= 7 * players
    assert proof.rolls >= 7 * players
    assert proof.dice >= 7 * proof.cards * players


def test_the_seed_of_an_export_is_not_in_its_repr() -> None:
    export = played(2, TurnOrder.OPEN, limit=3)
    for shown in (repr(export), repr(verify_export(export))):
        assert repr(SEED) not in shown
        assert SEED.hex() not in shown


def test_an_export_that_could_not_be_read_back_is_refused_when_it_is_made() -> None:
    export = played(2, TurnOrder.OPEN, limit=3)
    with pytest.raises(ExportError, match="one lucky word for each player"):
        replace(export, lucky_words=())
    long = "x" * (MAX_NAME + 1)
    for part, value in (("game", long), ("seal", long), ("names", ("", long)), ("lucky_words", ("", long))):
        with pytest.raises(ExportError, match="is too long for an export; 200 characters are read back"):
            replace(export, **{part: value})  # type: ignore[arg-type]
    longest = replace(export, names=("Ada", "ß" * MAX_NAME))
    assert read_export(format_export(longest)) == longest


def play_alone(source: Source, decisions: int) -> tuple[Game, tuple[Event, ...]]:
    games = play_drawn(Game(1, TurnOrder.OWN_PACE), random.Random(3), source, STANDARD_DECK)
    return next(islice(games, decisions, None))


def challenge(name: str, decisions: int = 5) -> Export:
    """Return a challenge of which so many decisions were made at random; its cards follow from a name."""
    source = challenge_source(SEED, GAME, name, VERSION)
    _game, events = play_alone(source, decisions)
    return export_of(source, TurnOrder.OWN_PACE, ("Ada",), events)


@pytest.mark.parametrize("name", ["2026-01-31", "cup 0123456789ab 1", "cup 0123456789ab 14"])
def test_a_challenge_is_proved_with_the_cards_of_its_name(name: str) -> None:
    export = challenge(name)
    assert read_export(format_export(export)) == export
    assert not verify_export(export).state.over
    assert verify_export(export).decisions == 5
    other = replace(export, day="cup 0123456789ab 2")
    with pytest.raises(ProofError, match="The lock doesn't match"):
        verify_export(other)
    with pytest.raises(ProofError, match="Event 2: the seed gives 'card"):
        verify_export(replace(other, lock=other.make_lock()))


def a_dare(seat: int, version: str = VERSION) -> Export:
    """Make some decisions of a dare at random, and return it. It has the dice of one seat of a game of three."""
    of_game = played(3, TurnOrder.CLOCKWISE, version=version)
    game, events = play_alone(replace(of_game.source, seat=seat), decisions=9)
    alone: Document = {"names": ("Dot",), "lucky_words": ("",), "ids": (None,), "turn_order": TurnOrder.OWN_PACE}
    return replace(of_game, **alone, events=events, results=format_results(game), seat=seat)


@pytest.mark.parametrize(("seat", "version"), [(0, VERSION), (2, VERSION), (2, EARLIER)])
def test_a_dare_is_proved_with_the_cards_and_the_dice_of_its_seat(seat: int, version: str) -> None:
    export, of_game = a_dare(seat, version), played(3, TurnOrder.CLOCKWISE, version=version)
    assert read_export(format_export(export)) == export
    proof = verify_export(export)
    assert (proof.state.over, export.words_deleted, export.lock) == (False, False, of_game.lock)
    assert export.source.draw_faces(3, 0, 2) == of_game.source.draw_faces(3, seat, 2)
    assert export.source.draw_cards(export.deck) == of_game.source.draw_cards(export.deck)
    referee.Referee(json.loads(format_export(export)))
    other_lock = "a" * 64 if version == EARLIER else "A" * 32
    for other in (replace(export, seat=1), replace(export, lock=other_lock), replace(export, opening=7)):
        with pytest.raises(ProofError, match="Event"):
            verify_export(other)
        with pytest.raises(referee.Wrong):
            referee.Referee(json.loads(format_export(other)))
    with pytest.raises(ProofError, match="without an opening message"):
        verify_export(replace(export, opening=None))


@pytest.mark.parametrize("damage", [{"seat": 5}, {"seat": -1}, {"seat": "1"}, {"seat": True}, {"day": "2026-01-31"}])
def test_a_seat_that_no_dare_has_is_refused(damage: Document) -> None:
    with pytest.raises(ExportError, match='"seat"'):
        read_export(json.dumps({**json.loads(format_export(a_dare(1))), **damage}))


def forgotten(players: int) -> Export:
    """Return a game after its first player had everything about them deleted."""
    export = played(players, TurnOrder.CLOCKWISE)
    return replace(export, names=("", *export.names[1:]), lucky_words=("",) * players, ids=(None,) * players)


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_of_which_data_was_deleted_is_proved_by_the_lock(players: int) -> None:
    export = forgotten(players)
    assert WORDS[0] not in format_export(export)
    assert read_export(format_export(export)) == export
    proof, whole = verify_export(export), verify_export(played(players, TurnOrder.CLOCKWISE))
    assert proof.state == whole.state
    assert (proof.export.words_deleted, whole.export.words_deleted) == (True, False)


def test_without_the_right_lock_a_game_of_which_data_was_deleted_proves_nothing() -> None:
    with pytest.raises(ProofError, match="Event"):
        verify_export(replace(forgotten(2), lock="A" * 32))
    for damage in (None, "", "ABC", "a" * 32, "0" * 32, "A" * 33, "0" * 64, 7, ["a"]):
        with pytest.raises(ExportError, match='"lock" has to be'):
            read_export(json.dumps({**json.loads(format_export(forgotten(2))), "lock": damage}))


@pytest.mark.parametrize("order", TurnOrder, ids=lambda order: order.value)
def test_a_file_of_the_earlier_version_is_proved_with_or_without_its_words(order: TurnOrder) -> None:
    export = played(3, order, version=EARLIER)
    text = format_export(export)
    assert '"words_digest"' in text
    assert '"id"' not in text
    assert read_export(text) == export
    assert verify_export(export).state.complete
    assert verify_export(replace(export, lucky_words=("",) * 3)).export.words_deleted
    with pytest.raises(ProofError, match=LOCK_DIFFERS):
        verify_export(replace(export, lucky_words=("another", "", "")))
    with pytest.raises(ProofError, match=SEAL):
        verify_export(replace(export, version=VERSION, lock="A" * 32))


def put(**entries: Any) -> Change:
    return lambda exported: exported.update(entries)


def on_event(word: str, change: Callable[[str], str]) -> Change:
    """Change the line of the first event that has this word."""

    def tamper(exported: Document) -> None:
        at = next(at for at, line in enumerate(exported["events"]) if word in line.split())
        exported["events"][at] = change(exported["events"][at])

    return tamper


def on_result(line: str, old: str, new: str) -> Change:
    """Change the line of the results that begins like this."""

    def tamper(exported: Document) -> None:
        (at,) = (at for at, told in enumerate(exported["results"]) if told.startswith(line))
        assert old in exported["results"][at]
        exported["results"][at] = exported["results"][at].replace(old, new, 1)

    return tamper


SEAL = "The seed does not match the seal"
LOCK_DIFFERS = "The lock doesn't match"
DIFFERS = r"Event \d+: the seed gives '.*', the game has '"
OTHER_CARD = "Event 2: the seed gives 'card .*', the game has 'card "
OTHER_DICE = "Event 4: the seed gives 'rolled .*', the game has 'rolled "
STOPS = "The game is not over yet: its events stop in the middle"
TAMPERED: dict[str, tuple[Change, str]] = {
    "other seed": (put(seed="00" * 32), SEAL),
    "other seal": (put(seal="0" * 64), SEAL),
    "other game": (put(game="ba9876543210"), SEAL),
    "other word": (lambda exported: exported["players"][1].update(lucky_word="horseshoe"), LOCK_DIFFERS),
    "swapped seats": (lambda exported: exported["players"].reverse(), LOCK_DIFFERS),
    "one word forgotten": (lambda exported: exported["players"][0].update(lucky_word=""), LOCK_DIFFERS),
    "other user id": (lambda exported: exported["players"][0].update(id="999"), LOCK_DIFFERS),
    "the house's seat": (lambda exported: exported["players"][1].update(id="999"), LOCK_DIFFERS),
    "other turn order": (put(turn_order="open"), LOCK_DIFFERS),
    "other name of the deck": (lambda exported: exported["deck"].update(name="Box"), LOCK_DIFFERS),
    "other lock": (put(lock="A" * 32), LOCK_DIFFERS),
    "no opening": (put(opening=None), "The game was played without an opening message"),
    "other opening": (put(opening=str(OPENING + 1)), DIFFERS),
    "other die": (on_event("rolled", lambda line: line[:-1] + ("4" if line[-1] == "5" else "5")), OTHER_DICE),
    "sorted dice": (on_event("rolled", lambda line: "rolled " + " ".join(sorted(line.split()[1:]))), OTHER_DICE),
    "other card": (
        on_event("card", lambda line: next(f"card {card}" for card in STANDARD_DECK if str(card) not in line)),
        OTHER_CARD,
    ),
    "other part of the card": (
        on_event("card", lambda line: line.replace(line.split()[-1], "FOUR_FULL" if "ANY" in line else "ANY_THREE")),
        OTHER_CARD,
    ),
    "other start": (
        on_event("start", lambda line: f"start {(int(line[-1]) + 1) % 3}"),
        r"Event 1: the seed gives 'start \d', the game has 'start \d'",
    ),
    "other deck": (lambda exported: exported["deck"]["cards"].reverse(), LOCK_DIFFERS),
    "smaller deck": (lambda exported: exported["deck"]["cards"].pop(), LOCK_DIFFERS),
    "a roll dropped": (lambda exported: exported["events"].pop(3), "Event 4: "),
    "two events swapped": (
        lambda exported: exported["events"].__setitem__(slice(2, 4), exported["events"][3:1:-1]),
        "Event 3: ",
    ),
    "illegal": (lambda exported: exported["events"].insert(4, exported["events"][2]), "Event 5: You already have the"),
    "out of turn": (
        on_event("take", lambda line: f"{(int(line[0]) + 1) % 3} take"),
        "Event 3: It is not your turn yet",
    ),
    "other result": (on_result("round 3", " at ", "1 at "), "lead to 'round 3: .*', the results have 'round 3"),
    "other chip": (on_result("round 1", "silver", "gold"), "lead to 'round 1: .*', the results have 'round 1"),
    "other points": (on_result("place 2", " gold", "0 gold"), "lead to 'place 2: .*', the results have 'place 2"),
    "one line less": (lambda exported: exported["results"].pop(), "'place 3: .*', the results have 'nothing more'"),
    "one line more": (
        lambda exported: exported["results"].append("place 1: seat 0"),
        "The events lead to 'nothing more', the results have 'place 1: seat 0'",
    ),
    "unfinished": (lambda exported: exported["events"].pop(), STOPS),
    "no events": (put(events=[]), STOPS),
    "after the end": (lambda exported: exported["events"].append("abandoned"), r"Event \d+: This game is over"),
    "unrevealed": (put(seed=None), "The seed is not revealed yet. A game can be checked when it is over"),
    "one player": (
        lambda exported: exported.update(players=exported["players"][:1], events=[]),
        "High Score is for 2 to 5 players, not 1",
    ),
    "six players": (
        lambda exported: exported.update(players=exported["players"] * 2),
        "High Score is for 2 to 5 players, not 6",
    ),
    "one player less": (
        lambda exported: exported.update(
            players=exported["players"][:2], lock=source_of(SEED, TurnOrder.CLOCKWISE, WORDS[:2]).lock
        ),
        r"Event \d+: the seed gives",
    ),
}


@pytest.mark.parametrize(("tamper", "reason"), TAMPERED.values(), ids=TAMPERED)
def test_each_kind_of_tampering_is_found_and_named(tamper: Change, reason: str) -> None:
    exported = document()
    check(exported)
    tamper(exported)
    with pytest.raises(ProofError, match=reason):
        check(exported)


DECK = {"name": "Box", "cards": [str(card) for card in STANDARD_DECK]}
UNREADABLE: dict[str, tuple[Change, str]] = {
    "another format": (put(format="highscore-game-2"), 'its "format" has to be "highscore-game-1"'),
    "another scheme": (put(fairness="highscore-fair-3"), 'its "fairness" has to be "highscore-fair-2" or'),
    "no user id for one": (
        lambda exported: exported["players"][0].update(id=None),
        "there has to be a user ID for each player, or none at all",
    ),
    "a number as user id": (lambda exported: exported["players"][0].update(id=5), '"id" has to be a text'),
    "a long game": (put(game="x" * 201), '"game" has to be a text of at most 200 characters'),
    "half a character": (put(game="\ud800"), '"game" has half a character in it'),
    "no seal": (lambda exported: exported.pop("seal"), '"seal" has to be a text'),
    "a number as seed": (put(seed=5), '"seed" has to be a text'),
    "another word as seed": (put(seed="xyz"), '"seed" has to be 32 bytes in hexadecimal digits'),
    "another order": (put(turn_order="random"), "\"turn_order\" is 'random'; it is one of clockwise, open, own_pace"),
    **{
        f"{value!r} as opening": (put(opening=value), '"opening" has to be')
        for value in (OPENING, "", "0", "-1", "0123", "１２３", "9" * 20, str(2**63))
    },
    "no players": (put(players={}), '"players" has to be a list'),
    "a player without a word": (put(players=[{"name": "Ada"}]), '"lucky_word" has to be a text'),
    "a deck by name": (put(deck="standard"), '"deck" has a "name" and "cards"'),
    "a deck of numbers": (put(deck={"name": "Box", "cards": [1]}), '"cards" has to be a list of texts'),
    "a small deck": (put(deck={**DECK, "cards": DECK["cards"][:6]}), "deck 'Box' has 6 cards"),
    "events as a text": (put(events="start 1"), '"events" has to be a list'),
    "a seed in capitals": (lambda exported: exported.update(seed=exported["seed"].upper()), '"seed" is not spelled as'),
    "dice without spaces": (
        on_event("rolled", lambda line: "rolled " + line[7:].replace(" ", "")),
        '"events" is not spelled as in an exported game',
    ),
    "a plus sign": (
        put(deck={**DECK, "cards": [card.replace(" 5 ", " +5 ") for card in DECK["cards"]]}),
        '"deck" is not',
    ),
    "more about a player": (lambda exported: exported["players"][0].update(won=True), '"players" is not spelled as'),
    "results as a text": (put(results="round 1"), '"results" has to be a list'),
    "results of numbers": (put(results=[1]), '"results" has to be a list of texts'),
    "no event": (put(events=["begin"]), "'begin' is no event"),
}


@pytest.mark.parametrize(("change", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_document_that_is_no_export_is_refused_with_the_reason(change: Change, reason: str) -> None:
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
        ('{"seed": null, "deck": {"name": "Box", "name": "Bux"}}', "the file is not JSON: a key comes twice in it"),
        ("[]", "the file is no exported game"),
        ("NaN", "the file is no exported game"),
        ('{"format": "highscore-game-1", "fairness": ' + "[" * 900 + "]" * 900 + "}", 'its "fairness" has to be'),
        (" " * (MAX_SIZE + 1), "the file is larger than 1,000,000 bytes"),
    ],
    ids=["empty", "bytes", "deep", "long number", "doubled", "list", "NaN", "deep entry", "large"],
)
def test_a_file_that_is_no_export_is_refused_with_the_reason(content: str | bytes, reason: str) -> None:
    with pytest.raises(ExportError, match=reason):
        read_export(content)


def only_named_errors(content: str | bytes) -> None:
    """Read and verify; any error but an ExportError or a ProofError comes out."""
    with suppress(ExportError, ProofError):
        verify_export(read_export(content))


@given(st.data())
def test_a_damaged_export_is_proved_or_a_named_error(data: st.DataObject) -> None:
    only_named_errors(json.dumps(data.draw(damaged(document(2, 45)))))
    content = bytearray(text_of(2, 45).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    only_named_errors(bytes(content))
    only_named_errors(bytes(content)[: data.draw(st.integers(0, len(content)))])
