"""Exported daily challenges (R9.4): read back, checked, and every forgery found."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highscore import STANDARD_DECK, Deck, Rolled
from highscore.daily import cards_of
from highscore.daily_proof import FORMAT, DailyExport, daily_export_json, is_daily, read_daily_export, verify_daily
from highscore.dice import FACES
from highscore.fairness import Source
from highscore.game import CardRevealed, Decided, Event, TakeDice
from highscore.proof import ExportError, ProofError, read_export
from tests.highscore.test_daily import by_chance, play_all

DAY = "2026-03-29"
GAME = '{"format": "highscore-game-1"}'
DECIDED = Decided(0, TakeDice())
Forge = Callable[[DailyExport], DailyExport]


def exported(choices: int = 1, moves: int | None = None) -> DailyExport:
    """A play by chance; with ``moves`` only so many decisions of it."""
    source = Source(bytes(range(1, 33)), "feedfacecafe")
    _states, events = play_all(by_chance(random.Random(choices)), source, cards_of(DAY, STANDARD_DECK))
    if moves is not None:
        ends = [at for at, event in enumerate(events) if isinstance(event, Decided)]
        events = events[: ends[moves]]
    return DailyExport(source.game, DAY, source.seal, source.seed, STANDARD_DECK, "Ada", tuple(events))


@given(st.integers())
def test_a_finished_play_checks_out(choices: int) -> None:
    export = exported(choices)
    proof = verify_daily(read_daily_export(daily_export_json(export)))
    assert proof.export == export
    assert proof.state.complete
    assert proof.rolls == sum(isinstance(event, Rolled) for event in export.events)
    assert proof.decisions == sum(isinstance(event, Decided) for event in export.events)
    text = "\n".join(proof.lines())
    assert all(part in text for part in (export.seal, DAY, f"Ada has {proof.state.score} points"))


@given(st.integers(), st.integers(0, 6))
def test_a_play_that_was_not_finished_checks_out_as_far_as_it_goes(choices: int, moves: int) -> None:
    proof = verify_daily(exported(choices, moves))
    assert not proof.state.complete
    assert f"{len(proof.state.finished)} of 7" in "\n".join(proof.lines())


def test_somebody_who_did_not_play_can_check_the_seal_and_the_cards() -> None:
    lines = verify_daily(replace(exported(), name="", events=())).lines()
    assert len(lines) == 2
    assert "the standard deck" in lines[1]


@given(st.integers(), st.data())
def test_one_other_die_is_found(choices: int, data: st.DataObject) -> None:
    export = exported(choices)
    rolled = {at: event for at, event in enumerate(export.events) if isinstance(event, Rolled)}
    at = data.draw(st.sampled_from(sorted(rolled)))
    faces = rolled[at].faces
    other = Rolled((FACES[faces[0] % 6], *faces[1:]))
    with pytest.raises(ProofError, match=f"^Event {at + 1}:"):
        verify_daily(replace(export, events=(*export.events[:at], other, *export.events[at + 1 :])))


def _without(at: int) -> Forge:
    return lambda export: replace(export, events=(*export.events[:at], *export.events[at + 1 :]))


def _other_card(export: DailyExport) -> DailyExport:
    other: Event = next(event for card in STANDARD_DECK if (event := CardRevealed(card)) != export.events[0])
    return replace(export, events=(other, *export.events[1:]))


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (lambda export: replace(export, seed=None), "not revealed"),
        (lambda export: replace(export, seed=bytes(32)), "does not match the seal"),
        (lambda export: replace(export, daily="another"), "does not match the seal"),
        (lambda export: replace(export, seal="0" * 64), "does not match the seal"),
        (lambda export: replace(export, day="2026-03-30"), "Event 1:"),
        (lambda export: replace(export, deck=Deck("other", STANDARD_DECK.cards[::-1])), "Event 1:"),
        (_other_card, "Event 1:"),
        (_without(0), "Event 1:"),
        (_without(1), "Event 2:"),
        (_without(2), "Event 3:"),
        (lambda export: replace(export, events=export.events[:2]), "stop where"),
        (lambda export: replace(export, events=(*export.events, DECIDED)), "seven cards"),
    ],
)
def test_what_does_not_follow_from_date_and_seed_is_found(forge: Forge, sentence: str) -> None:
    with pytest.raises(ProofError, match=sentence):
        verify_daily(forge(exported()))


def test_the_two_kinds_of_export_are_told_apart() -> None:
    text = daily_export_json(exported())
    assert (is_daily(text), is_daily(GAME)) == (True, False)
    with pytest.raises(ExportError, match="format"):
        read_export(text)
    with pytest.raises(ExportError, match=FORMAT):
        read_daily_export(GAME)


@pytest.mark.parametrize(
    "changes",
    [
        {"fairness": "highscore-fair-0"},
        {"daily": 7},
        {"day": "yesterday"},
        {"day": None},
        {"seal": None},
        {"seed": "ff"},
        {"deck": {"name": "none", "cards": []}},
        {"player": "A" * 201},
        {"events": ["0 dance"]},
    ],
)
def test_a_damaged_export_is_refused(changes: dict[str, Any]) -> None:
    document = {**json.loads(daily_export_json(exported())), **changes}
    with pytest.raises(ExportError):
        read_daily_export(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "null", '"highscore-daily-1"', "[" * 100_000, "x" * 1_000_001])
def test_what_is_no_document_is_refused(text: str) -> None:
    for read in (is_daily, read_daily_export):
        with pytest.raises(ExportError):
            read(text)


def test_the_seed_does_not_slip_into_logs() -> None:
    export = exported()
    assert export.seed is not None
    assert repr(export.seed) not in repr(export)
    assert export.seed.hex() not in repr(export)
