"""Exported games as documents: what is written reads back, and whatever else is read is refused with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, TurnOrder
from highscore.proof import MAX_NAME, MAX_SIZE, ExportError, ProofError, export_json, read_export, verify
from tests.highscore.exported import Document, document, played, text_of
from tests.highscore.strategies import damaged, json_values


def test_a_game_of_five_fits_into_an_export_many_times() -> None:
    assert len(text_of(5).encode()) * 20 < MAX_SIZE


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
